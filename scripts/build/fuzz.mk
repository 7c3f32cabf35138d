# fuzz.mk: damaged run files for their reader, as many as a fuzzer can think of in FUZZ_SECONDS. It needs clang and
# builds the library once more below $(BUILD)/fuzz, with the sanitizers. What it finds stays in $(BUILD)/fuzz/found.
.PHONY: fuzz
FUZZ_SECONDS ?= 300
fuzz: ## feed damaged run files to their reader (FUZZ_SECONDS=300)
	@$(MAKE) --no-print-directory BUILD='$(BUILD)/fuzz' CC=clang HIDE='nvcc' OPT=-O1 \
	    CFLAGS='-Wno-unused-but-set-variable -Wno-pass-failed' \
	    SANITIZE='-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined' '$(BUILD)/fuzz/fuzz_reader'
	@mkdir -p '$(BUILD)/fuzz/corpus' '$(BUILD)/fuzz/found'
	@for f in reports/recorded/*/run.jsonl; do head -n 9 $$f >"$(BUILD)/fuzz/corpus/$$(basename $$(dirname $$f))"; done
	'$(BUILD)/fuzz/fuzz_reader' -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -max_len=20000 \
	    -print_final_stats=1 -artifact_prefix='$(BUILD)/fuzz/found/' '$(BUILD)/fuzz/corpus'
$(BUILD)/fuzz_reader: tests/fuzz/fuzz_reader.c $(BUILD)/lib/libduel.a
	$(call run,LINK,$(CC) $(OPT) $(C_FLAGS) -fsanitize=fuzzer $^ $(LIBS) $(LDFLAGS) -o $@)
