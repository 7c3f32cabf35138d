# hooked.mk: duel-emulated-hooked.so, for strict and traced mode: the same kernels and the same machine, but in kernel
# files every load, store and basic block calls gpu/emulator/hooked/hook.cc. Only clang can do that; it may be another
# compiler than the one that builds the rest.

# -O1 without loop transformations: each access of the source is one access of the program, on its own line, and a loop
# that copies stays one.
# Copies of whole structs are memcpy() to clang, which no hook of coverage tells. The pass of AddressSanitizer, with its
# own checks off, makes them calls of duel_hooked_memcpy(); and it calls duel_hooked_loadN() for a struct that is passed
# by value from where it lies.
# -fsanitize=array-bounds catches an index outside a declared array; its one handler stands in hook.cc, too.
hooked_copies := -fsanitize=address -fno-sanitize-address-use-after-scope $(addprefix -mllvm -asan-,instrument-reads=0 \
    instrument-writes=0 instrument-atomics=0 instrument-byval=1 instrumentation-with-call-threshold=0 stack=0 \
    globals=0 guard-against-version-mismatch=0 memory-access-callback-prefix=duel_hooked_)
HOOKED_FLAGS = -std=c++17 -D_GNU_SOURCE -DDUEL_EMULATED -DDUEL_HOOKED -Igpu/emulator/include -I. -O1 -fno-vectorize \
    -fno-slp-vectorize -fno-unroll-loops -gdwarf-4 -fPIC -fvisibility=hidden -mllvm -disable-loop-idiom-all \
    -fsanitize=array-bounds -fsanitize-recover=array-bounds \
    -fsanitize-coverage=bb,no-prune,trace-pc,trace-loads,trace-stores $(hooked_copies) \
    -Wall -Wextra -Werror -Wno-missing-field-initializers -Wno-unknown-pragmas

watching_objects := $(patsubst %,$(BUILD)/emulated/%.o,$(wildcard gpu/emulator/hooked/*.cc))
# The table of kernels has no code to hook.
hooked_objects := $(machine_objects) $(watching_objects) $(BUILD)/emulated/gen/emulated_table.cc.o \
    $(patsubst %,$(BUILD)/hooked/%.o,$(GPU_KERNELS))

ifneq ($(and $(EMULATED_CXX),$(HOOKED_CXX)),)
PLUGINS += $(BUILD)/lib/duel-emulated-hooked.so
ifdef PROBED
$(call keep,$(BUILD)/gen/hooked.list,$(hooked_objects))
endif
endif

# Kernels count their arithmetic, too; those of libraries have none of their own.
$(patsubst %,$(BUILD)/hooked/%.o,$(filter-out $(wildcard gpu/*/cu[bds]*.cu),$(GPU_KERNELS))): counting = -DDUEL_COUNTED
$(BUILD)/hooked/%.o: % $(BUILD)/gen/hooked.flags scripts/build/hooked.mk
	$(call run,HOOK,$(HOOKED_CXX) $(HOOKED_FLAGS) $(counting) -MMD -MP -x c++ -c $< -o $@)
$(BUILD)/lib/duel-emulated-hooked.so: $(hooked_objects) $(BUILD)/gen/hooked.list $(BUILD)/gen/link.flags
	$(call run,LINK,$(EMULATED_CXX) $(SANITIZE) $(EMULATED_LINK) $(hooked_objects) -lpthread $(LDFLAGS) -o $@)

# Written where they changed, as the tables are: make loses sight of what a file holds that it wrote itself.
$(BUILD)/gen/hooked.flags: FORCE
	@mkdir -p $(@D) && echo '$(HOOKED_CXX) $(HOOKED_FLAGS)' > $@.new && { cmp -s $@.new $@ && rm $@.new || mv $@.new $@; }

# Tests of the emulated GPU bring kernels of their own and are linked with the machine alone; some are hooked.
$(foreach t,$(TEST_CU),$(eval $(test_of): $(BUILD)/emulated/$t.o))
$(foreach t,$(TEST_CU),$(test_of)): $(machine_objects)
$(foreach t,$(HOOKED_TEST_CU),$(eval $(test_of): $(BUILD)/hooked/$t.o))
$(foreach t,$(HOOKED_TEST_CU),$(test_of)): $(machine_objects) $(watching_objects)
$(foreach t,$(TEST_CU) $(HOOKED_TEST_CU),$(test_of)):
	$(call run,LINK,$(EMULATED_CXX) $(SANITIZE) $(filter %.o,$^) -lpthread $(LDFLAGS) -o $@)
