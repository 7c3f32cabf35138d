# bench.mk: how fast the best hand-written rungs are, beside the libraries they are compared with.
.PHONY: bench-workloads
bench-workloads: all ## the best CPU rungs of the other workloads against their libraries, with a bar for each case
	@BUILD='$(BUILD)' scripts/bench-workloads

.PHONY: bench-history
bench-history: all ## 10 000 runs x 200 cases into the history: import, query, memory (some minutes, 1 GB)
	@BUILD='$(BUILD)' $(or $(PYTHON),python3) scripts/bench-history
