# registers.mk: duel-cuda.registers, what nvcc's assembler said of the registers of each kernel while it built them.

ifdef NVCC_FOUND
DATA_BESIDE_PLUGINS := $(BUILD)/lib/duel-cuda.registers
all: $(DATA_BESIDE_PLUGINS)
endif
$(BUILD)/lib/duel-cuda.registers: $(patsubst %,$(BUILD)/cuda/%.o,$(GPU_BUILT)) scripts/build/ptxas
	$(call run,TABLE,scripts/build/ptxas --table $(foreach k,$(GPU_BUILT),$(basename $k)=$(BUILD)/cuda/$k.ptxas) > $@)
