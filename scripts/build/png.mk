# png.mk: pictures, where libpng is. Only the file that reads and writes them sees its flags.
$(BUILD)/c/bench/matrix/picture.o: extra = $(PNG_FLAGS)
$(BUILD)/c/bench/matrix/picture.o: $(BUILD)/gen/png.flags
ifdef PROBED
$(call keep,$(BUILD)/gen/png.flags,$(PNG_FLAGS))
endif
