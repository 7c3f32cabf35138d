# isa.mk: cpu/WORKLOAD/micro/kernel.c once for each instruction set and element type; the program chooses when it runs.
# Their flags replace ARCH_FLAGS: an AVX2 kernel holds nothing that a processor with AVX2 lacks, wherever it is built.

machine := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
x86_64_isas := avx512 avx2 sse2
aarch64_isas := neon
isas := $(or $($(machine)_isas),generic)

# Bytes of a vector; rows of a tile and vectors side by side, for kernels that have tiles. Rows * vectors sums, the
# vectors of B and one element of A fill most of the 16 registers of SSE2 and AVX2, or of the 32 of AVX-512 and NEON.
# SSE2 needs one more for products.
avx512_shape := 64 8 2
avx2_shape := 32 4 3
sse2_shape := 16 4 2
neon_shape := 16 8 2
generic_shape := 16 4 2
avx512_flags := -march=x86-64 -mavx2 -mfma -mavx512f -mprefer-vector-width=512
avx2_flags := -march=x86-64 -mavx2 -mfma
sse2_flags := -march=x86-64
fp32_type := float
fp64_type := double

MICRO := $(filter-out %/kernel.c,$(wildcard cpu/*/micro/*.c))
micro_workloads := $(patsubst cpu/%/micro/kernel.c,%,$(wildcard cpu/*/micro/kernel.c))
# $(call micro_object,WORKLOAD,ISA,PRECISION)
micro_object = $(BUILD)/c/cpu/$1/micro/$2_$3.o
micro_objects := $(foreach work,$(micro_workloads),$(foreach isa,$(isas),$(foreach type,fp32 fp64,\
    $(call micro_object,$(work),$(isa),$(type)))))
micro_flags = $(KERNEL_OPT) $($2_flags) -DMICRO_TABLE=$1_micro_$2_$3 -DMICRO_ISA='"$2"' -DMICRO_REAL=$($3_type) \
    -DMICRO_BYTES=$(word 1,$($2_shape)) -DMICRO_MR=$(word 2,$($2_shape)) -DMICRO_NV=$(word 3,$($2_shape))

define micro_rule
$(call micro_object,$1,$2,$3): extra = $$(call micro_flags,$1,$2,$3)
$(call micro_object,$1,$2,$3): cpu/$1/micro/kernel.c scripts/build/isa.mk $(BUILD)/gen/c.flags $(BUILD)/gen/kernel.flags
	$$(compile_c)
endef
$(foreach work,$(micro_workloads),$(foreach isa,$(isas),$(foreach type,fp32 fp64,\
    $(eval $(call micro_rule,$(work),$(isa),$(type))))))

.PHONY: bench-ladder
bench-ladder: all ## the top of the CPU ladder against OpenBLAS, with a bar for each case
	@BUILD='$(BUILD)' scripts/bench-ladder
