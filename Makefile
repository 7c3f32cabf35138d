# Makefile: builds duel, its plug-ins and its tests into build/. `make help` lists the targets.
# Nothing is configured by hand: scripts/build/probe learns what this machine has; whatever is missing leaves its own
# files out, with a reason. Every variable can be set: make CC=clang ARCH_FLAGS= HIDE="nvcc openblas" BUILD=build/other

VERSION := 0.1.0
BUILD ?= build
PREFIX ?= /usr/local
OPT ?= -O2
# ISO C mode alone keeps gcc from fusing a multiply and an add, half the rate of most CPUs.
KERNEL_OPT ?= -O3 -ffp-contract=fast
CUDA_ARCH ?= list
CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
CXX := $(if $(filter default,$(origin CXX)),,$(CXX))

MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.PHONY: all tests test check bench selftest install uninstall clean help asm ptx format info probe FORCE

# $(call keep,FILE,TEXT) rewrites FILE only when TEXT is new; what depends on FILE is rebuilt only then.
same = $(and $(findstring [$1],[$2]),$(findstring [$2],[$1]))
keep = $(if $(call same,$(file <$1),$2),,$(shell mkdir -p $(dir $1))$(file >$1,$2))
# $(call run,LABEL,COMMAND): one short line per step; the whole command with V=1.
run = $(if $(V),,@printf '  %-9s %s\n' '$1' '$@' &&) mkdir -p $(@D) && $2

# ---- what this machine has ------------------------------------------------------------------------------------

ifneq ($(filter-out clean help format uninstall probe,$(or $(MAKECMDGOALS),all)),)
$(call keep,$(BUILD)/probe.key,$(CC) | $(CXX) | $(NVCC) | $(HIDE) | $(CUDA_ARCH) | $(PATH) $(CPATH) $(LIBRARY_PATH))
include $(BUILD)/probe.mk scripts/build/isa.mk scripts/build/static.mk
endif

# The cache of the dynamic linker changes whenever a library is installed or removed: then the probe asks again.
$(BUILD)/probe.mk: scripts/build/probe scripts/build/probes.sh $(BUILD)/probe.key $(wildcard /etc/ld.so.cache)
	@CC='$(CC)' CXX='$(CXX)' NVCC='$(NVCC)' HIDE='$(HIDE)' CUDA_ARCH='$(CUDA_ARCH)' scripts/build/probe $@

probe: ## ask again what this machine has
	@rm -f $(BUILD)/probe.mk
	@$(MAKE) --silent $(BUILD)/probe.mk

# ---- sources --------------------------------------------------------------------------------------------------

# A kernel is one file in cpu/<workload>/ or gpu/<workload>/. A line " * Needs: openblas" in its opening comment leaves
# it out where the probe found no such thing; the generated table keeps its name and the reason.
needing = $(if $1,$(if $2,$(shell grep -lE '^ \* Needs:.*\b($(subst $() ,|,$(strip $2)))' $1)))
CPU_KERNELS := $(sort $(wildcard cpu/*/*.c))
CPU_ABSENT := $(call needing,$(CPU_KERNELS),$(MISSING))
CPU_BUILT := $(filter-out $(CPU_ABSENT),$(CPU_KERNELS))
GPU_KERNELS := $(sort $(filter-out gpu/device/% gpu/emulator/%,$(wildcard gpu/*/*.cu)))
GPU_ABSENT := $(call needing,$(GPU_KERNELS),$(CUDA_MISSING))
GPU_BUILT := $(filter-out $(GPU_ABSENT),$(GPU_KERNELS))

BENCH := $(filter-out $(BENCH_ABSENT),$(sort $(shell find bench -name '*.c')))
LIBRARY := $(filter-out bench/main.c,$(BENCH)) $(wildcard cpu/*.c) $(MICRO) $(CPU_BUILT)
TEST_C := $(sort $(wildcard tests/*/*.c))
TEST_MAIN := $(shell grep -lE '^int main\b' $(TEST_C) /dev/null)
TEST_CU := $(if $(EMULATED_CXX),$(filter-out tests/strict/% tests/trace/% tests/gallery/%,$(wildcard tests/*/*.cu)))

PLUGINS := $(if $(EMULATED_CXX),$(BUILD)/lib/duel-emulated.so) $(if $(NVCC_FOUND),$(BUILD)/lib/duel-cuda.so)
test_of = $(BUILD)/tests/$(basename $(notdir $t))
HOOKED_TEST_CU := $(if $(and $(EMULATED_CXX),$(HOOKED_CXX)),$(sort $(wildcard tests/strict/*.cu tests/trace/*.cu)))
TESTS := $(foreach t,$(if $(CMOCKA_LIBS),$(TEST_MAIN)) $(TEST_CU) $(HOOKED_TEST_CU),$(test_of))

library_objects := $(LIBRARY:%.c=$(BUILD)/c/%.o) $(patsubst %,$(BUILD)/c/gen/%_table.o,cpu workload) $(micro_objects)
machine_objects := $(patsubst %,$(BUILD)/emulated/%.o,$(wildcard gpu/emulator/*.cc gpu/device/*.cc))
emulated_objects := $(machine_objects) $(patsubst %,$(BUILD)/emulated/%.o,$(GPU_KERNELS) gen/emulated_table.cc)
cuda_objects := $(patsubst %,$(BUILD)/cuda/%.o,$(wildcard gpu/device/*.cu) $(GPU_BUILT) gen/cuda_table.cc)
helper_objects := $(patsubst %.c,$(BUILD)/c/%.o,$(filter-out $(TEST_MAIN),$(TEST_C)))

# ---- flags ----------------------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
C_FLAGS = -std=c17 -D_GNU_SOURCE $(WARNINGS) -I. -g $(SANITIZE) $(CFLAGS)
KERNEL_FLAGS = $(KERNEL_OPT) $(ARCH_FLAGS) $(OPENBLAS_FLAGS) $(BLIS_FLAGS) $(OPENMP_FLAGS) $(HWLOC_FLAGS)
LIBS = $(OPENBLAS_LIBS) $(BLIS_LIBS) $(HWLOC_LIBS) $(PNG_LIBS) $(OPENMP_FLAGS) $(HISTORY_LIBS) -ljansson -lm -ldl -lpthread
EMULATED_FLAGS = -std=c++17 -D_GNU_SOURCE -DDUEL_EMULATED -Igpu/emulator/include -I. $(OPT) -g -fPIC $(SANITIZE) \
    -fvisibility=hidden -Wall -Wextra -Werror -Wno-missing-field-initializers -Wno-unknown-pragmas $(CXXFLAGS)
CUDA_FLAGS = -std=c++17 -O3 -lineinfo --threads 0 -I. -cudart static $(CUDA_GENCODE) -Werror all-warnings \
    -Xcompiler -fPIC,-fvisibility=hidden,-Wall,-Wextra,-Wno-missing-field-initializers \
    -Xptxas -warn-spills,-Werror -DDUEL_CUDA_ARCH_LIST='"$(CUDA_ARCH_LIST)"' $(NVCCFLAGS)
# A symbol that nobody defines stops the link; a plug-in shows only its entry; CUDA's threads outlive a dlclose().
EMULATED_LINK = -shared -Wl,-z,defs
CUDA_LINK = -shared -Xcompiler -static-libstdc++,-static-libgcc -Xlinker -z,defs,-z,nodelete,--exclude-libs,ALL
GIT := $(shell test -z "$$(git rev-parse --show-prefix 2>&1)" && git describe --always --dirty 2>/dev/null)
VERSION_FLAGS = -DDUEL_VERSION='"$(VERSION)"' -DDUEL_GIT='"$(or $(GIT),unknown)"' \
    -DDUEL_CFLAGS='"$(strip $(KERNEL_OPT) $(ARCH_FLAGS) $(OPENMP_FLAGS) $(SANITIZE) $(CFLAGS))"'
# Only the files that mention them see these, so that a commit does not rebuild everything.
VERSION_USERS := $(shell grep -lE 'DUEL_(VERSION|GIT|CFLAGS)' $(BENCH) /dev/null)

ifdef PROBED
$(call keep,$(BUILD)/gen/c.flags,$(CC) $(OPT) $(C_FLAGS))
$(call keep,$(BUILD)/gen/kernel.flags,$(KERNEL_FLAGS))
$(call keep,$(BUILD)/gen/link.flags,$(LIBS) $(LDFLAGS) $(EMULATED_LINK) $(CUDA_LINK))
$(call keep,$(BUILD)/gen/emulated.flags,$(EMULATED_CXX) $(EMULATED_FLAGS))
$(call keep,$(BUILD)/gen/cuda.flags,$(NVCC_FOUND) $(CUDA_FLAGS))
$(call keep,$(BUILD)/gen/version.flags,$(VERSION_FLAGS))
$(call keep,$(BUILD)/gen/library.list,$(library_objects) $(helper_objects))
$(call keep,$(BUILD)/gen/tests.list,$(TESTS))
$(call keep,$(BUILD)/gen/plugin.list,$(emulated_objects) $(cuda_objects))
endif

# ---- generated tables -----------------------------------------------------------------------------------------

# Written on every make and replaced only when they differ: a kernel that was deleted must leave its table too.
$(BUILD)/gen/%: FORCE
	@mkdir -p $(@D) && scripts/build/table $(table) > $@.$$$$ && \
	    { cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@; }
$(BUILD)/gen/cpu_table.c: table = cpu $(CPU_BUILT) -- $(CPU_ABSENT)
$(BUILD)/gen/emulated_table.cc: table = gpu $(GPU_KERNELS) --
$(BUILD)/gen/cuda_table.cc: table = gpu $(GPU_BUILT) -- $(GPU_ABSENT)
$(BUILD)/gen/workload_table.c: table = workload $(sort $(wildcard bench/workload/*.c))
$(BUILD)/gen/%.flags $(BUILD)/gen/%.list: ;

# ---- objects, libraries, programs -----------------------------------------------------------------------------

compile_c = $(call run,CC,$(CC) $(OPT) $(C_FLAGS) $(extra) -MMD -MP -c $< -o $@)
$(BUILD)/c/%.o: %.c $(BUILD)/gen/c.flags
	$(compile_c)
$(BUILD)/c/gen/%.o: $(BUILD)/gen/%.c $(BUILD)/gen/c.flags
	$(compile_c)
$(BUILD)/c/cpu/%.o: extra = $(KERNEL_FLAGS)
$(filter $(BUILD)/c/cpu/%,$(library_objects)): $(BUILD)/gen/kernel.flags
$(VERSION_USERS:%.c=$(BUILD)/c/%.o): extra = $(VERSION_FLAGS)
$(VERSION_USERS:%.c=$(BUILD)/c/%.o): $(BUILD)/gen/version.flags

compile_emulated = $(call run,CXX,$(EMULATED_CXX) $(EMULATED_FLAGS) -MMD -MP -x c++ -c $< -o $@)
$(BUILD)/emulated/%.o: % $(BUILD)/gen/emulated.flags
	$(compile_emulated)
$(BUILD)/emulated/gen/%.o: $(BUILD)/gen/% $(BUILD)/gen/emulated.flags
	$(compile_emulated)

compile_cuda = $(call run,NVCC,$(NVCC_FOUND) $(CUDA_FLAGS) -MMD -MP -MF $(@:.o=.d) -c $< -o $@)
$(BUILD)/cuda/%.o: % $(BUILD)/gen/cuda.flags
	$(compile_cuda)
$(BUILD)/cuda/gen/%.o: $(BUILD)/gen/% $(BUILD)/gen/cuda.flags
	$(compile_cuda)

$(BUILD)/lib/libduel.a: $(library_objects)
$(BUILD)/lib/libtest.a: $(helper_objects)
$(BUILD)/lib/%.a: $(BUILD)/gen/library.list
	$(call run,AR,rm -f $@ && ar rcs $@ $(filter %.o,$^))
$(BUILD)/bin/duel: $(BUILD)/c/bench/main.o $(BUILD)/lib/libduel.a $(BUILD)/gen/link.flags
	$(call run,LINK,$(CC) $(C_FLAGS) $(filter %.o %.a,$^) $(LIBS) $(LDFLAGS) -o $@)
$(PLUGINS): $(BUILD)/gen/plugin.list $(BUILD)/gen/link.flags
$(BUILD)/lib/duel-emulated.so: $(emulated_objects)
	$(call run,LINK,$(EMULATED_CXX) $(SANITIZE) $(EMULATED_LINK) $(emulated_objects) -lpthread $(LDFLAGS) -o $@)
$(BUILD)/lib/duel-cuda.so: $(cuda_objects)
	$(call run,LINK,$(NVCC_FOUND) $(CUDA_LINK) $(CUDA_GENCODE) $(cuda_objects) -o $@)

$(BUILD)/tests/%: $(BUILD)/lib/libtest.a $(BUILD)/lib/libduel.a $(BUILD)/gen/link.flags
	$(call run,LINK,$(CC) $(C_FLAGS) $(filter %/$*.o,$^) $(filter %.a,$^) $(CMOCKA_LIBS) $(LIBS) $(LDFLAGS) -o $@)
$(foreach t,$(TEST_MAIN),$(eval $(test_of): $(t:%.c=$(BUILD)/c/%.o)))

include $(addprefix scripts/build/,hooked.mk gallery.mk mutants.mk bench.mk fuzz.mk png.mk) $(shell find $(addprefix $(BUILD)/,c emulated hooked cuda) -name '*.d' 2>/dev/null)

# ---- for people -----------------------------------------------------------------------------------------------

all: $(BUILD)/bin/duel $(BUILD)/lib/libduel.a $(PLUGINS) ## build the program and the plug-ins
tests: all $(TESTS) ## build the test programs too
	$(if $(CMOCKA_LIBS),,@echo 'the tests written in C need cmocka: install libcmocka-dev and run make' >&2; exit 1)
test: tests ## run all tests (scripts/test installs what they need first)
	@BUILD='$(BUILD)' tests/run
check: ## format, both compilers, static analysis, style, sanitizers
	@scripts/check
bench: all ## measure with the default sizes into reports/latest
	$(BUILD)/bin/duel run
selftest: tests; OMP_WAIT_POLICY=passive $(BUILD)/bin/duel selftest --full ## is the harness telling the truth here, with its error rates

asm: ## what the compiler made of a CPU kernel: make asm K=cpu/gemm/serial
	$(call listing,$(K).c,$(BUILD)/asm/$(K).s,$(CC) $(C_FLAGS) $(KERNEL_FLAGS) -g0 -fverbose-asm -S)
ptx: ## the same for a GPU kernel: make ptx K=gpu/gemm/tiled
	$(call listing,$(K).cu,$(BUILD)/asm/$(K).ptx,$(NVCC_FOUND) $(filter-out $(CUDA_GENCODE),$(CUDA_FLAGS)) -ptx)
listing = @test -f $1 || { echo 'name a kernel: K=cpu/gemm/serial' >&2; exit 2; }; \
    mkdir -p $(dir $2) && $3 $1 -o $2 && echo $2

format: ## rewrite the sources in the house's format
	clang-format -i $$(git ls-files '*.c' '*.h' '*.cu' '*.cuh' '*.cc')
info: ## the compilers and flags in use
	@$(foreach v,CC EMULATED_CXX NVCC_FOUND OPT C_FLAGS KERNEL_FLAGS LIBS CUDA_ARCH_LIST MISSING,\
	    printf '%-15s %s\n' '$v' '$(subst ','\'',$($v))';)

DATA := $(wildcard reports/*.gp reports/*.csv reports/*.html gpu/*.csv)
install: all ## install below DESTDIR and PREFIX (/usr/local)
	install -d '$(to)/bin' '$(to)/lib/duel' '$(to)/share/duel'
	install $(BUILD)/bin/duel '$(to)/bin'
	$(if $(strip $(PLUGINS)),install -m 644 $(PLUGINS) '$(to)/lib/duel')
	$(if $(DATA),install -m 644 $(DATA) '$(to)/share/duel')
	scripts/build/documents $(BUILD)/bin/duel '$(to)'
uninstall: ## remove what install put there
	cd '$(to)' && rm -rf bin/duel lib/duel share/duel share/man/man1/duel.1 share/bash-completion/completions/duel
to = $(DESTDIR)$(PREFIX)

clean: ## remove everything that was built
	rm -rf $(BUILD)
help: ## this list
	@awk -F ':.* ## ' '/^[a-z-]+:.* ## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile scripts/build/*.mk
