# mutants.mk: kernels with mistakes made on purpose: does something notice, and does duel name the mistake? What
# scripts/mutants needs to know to build one object file is kept for it here.
.PHONY: mutants
mutants: all ## break the shipped kernels on purpose: is each mistake found, and named (some minutes)
	@BUILD='$(BUILD)' $(or $(PYTHON),python3) scripts/mutants

mutant_rest = $(BUILD)/c/bench/main.o $(BUILD)/lib/libduel.a $(LIBS) $(LDFLAGS)
ifdef PROBED
$(call keep,$(BUILD)/gen/mutants.c,$(CC) $(OPT) $(C_FLAGS) $(KERNEL_FLAGS))
$(call keep,$(BUILD)/gen/mutants.link,$(CC) $(C_FLAGS) | $(mutant_rest))
$(foreach i,$(isas),$(call keep,$(BUILD)/gen/mutants.$i,$(CC) $(OPT) $(C_FLAGS) $(call micro_flags,gemm,$i,fp32)))
endif
