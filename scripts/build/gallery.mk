# gallery.mk: duel-gallery.so: the kernels of tests/gallery/, each once with its bug and once without it, on the machine
# that watches them (hooked.mk). `duel gallery` shows them; they are in no other plug-in.

GALLERY := $(sort $(wildcard tests/gallery/*.cu))
gallery_objects := $(machine_objects) $(watching_objects) $(BUILD)/emulated/gen/gallery_table.cc.o \
    $(foreach version,wrong right,$(GALLERY:%=$(BUILD)/hooked/$(version)/%.o))

ifneq ($(and $(EMULATED_CXX),$(HOOKED_CXX)),)
PLUGINS += $(BUILD)/lib/duel-gallery.so
ifdef PROBED
$(call keep,$(BUILD)/gen/gallery.list,$(gallery_objects))
endif
endif

$(BUILD)/gen/gallery_table.cc: table = gallery $(GALLERY)
hook_version = $(call run,HOOK,$(HOOKED_CXX) $(HOOKED_FLAGS) $(version) -MMD -MP -x c++ -c $< -o $@)
$(BUILD)/hooked/wrong/%.o: version = -DBUG
$(BUILD)/hooked/wrong/%.o: % $(BUILD)/gen/hooked.flags
	$(hook_version)
$(BUILD)/hooked/right/%.o: % $(BUILD)/gen/hooked.flags
	$(hook_version)
$(BUILD)/lib/duel-gallery.so: $(gallery_objects) $(BUILD)/gen/gallery.list $(BUILD)/gen/link.flags
	$(call run,LINK,$(EMULATED_CXX) $(SANITIZE) $(EMULATED_LINK) $(gallery_objects) -lpthread $(LDFLAGS) -o $@)

# The sources are shown beside what was found in them.
.PHONY: install-gallery
install: install-gallery
install-gallery:
	install -d '$(to)/share/duel/gallery'
	install -m 644 $(GALLERY) '$(to)/share/duel/gallery'
