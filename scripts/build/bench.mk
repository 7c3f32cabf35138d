# bench.mk: how fast the best hand-written rungs are, beside the libraries they are compared with.
.PHONY: bench-workloads
bench-workloads: all ## the best CPU rungs of the other workloads against their libraries, with a bar for each case
	@BUILD='$(BUILD)' scripts/bench-workloads
