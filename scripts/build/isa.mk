# isa.mk: cpu/gemm/micro/kernel.c once for each instruction set and element type; the program chooses when it runs.
# Their flags replace ARCH_FLAGS: an AVX2 kernel holds nothing that a processor with AVX2 lacks, wherever it is built.

machine := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
x86_64_isas := avx512 avx2 sse2
aarch64_isas := neon
isas := $(or $($(machine)_isas),generic)

# Bytes of a vector, rows of a tile, vectors side by side. Rows * vectors sums, the vectors of B and one element of A
# fill most of the 16 registers of SSE2 and AVX2, or of the 32 of AVX-512 and NEON. SSE2 needs one more for products.
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

MICRO := $(filter-out %/kernel.c,$(wildcard cpu/gemm/micro/*.c))
# $(call micro_object,ISA,PRECISION)
micro_object = $(BUILD)/c/cpu/gemm/micro/$1_$2.o
micro_objects := $(foreach isa,$(isas),$(foreach type,fp32 fp64,$(call micro_object,$(isa),$(type))))
micro_flags = $(KERNEL_OPT) $($1_flags) -DMICRO_TABLE=gemm_micro_$1_$2 -DMICRO_ISA='"$1"' -DMICRO_REAL=$($2_type) \
    -DMICRO_BYTES=$(word 1,$($1_shape)) -DMICRO_MR=$(word 2,$($1_shape)) -DMICRO_NV=$(word 3,$($1_shape))

define micro_rule
$(call micro_object,$1,$2): extra = $$(call micro_flags,$1,$2)
$(call micro_object,$1,$2): cpu/gemm/micro/kernel.c scripts/build/isa.mk $(BUILD)/gen/c.flags $(BUILD)/gen/kernel.flags
	$$(compile_c)
endef
$(foreach isa,$(isas),$(foreach type,fp32 fp64,$(eval $(call micro_rule,$(isa),$(type)))))

.PHONY: bench-ladder
bench-ladder: all ## the top of the CPU ladder against OpenBLAS, with a bar for each case
	@BUILD='$(BUILD)' scripts/bench-ladder
