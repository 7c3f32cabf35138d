# static.mk: what can be known of the GPU kernels without a GPU.
.PHONY: check-gpu-static
check-gpu-static: ## registers, spills, occupancy and instructions of the GPU kernels, for every architecture
	@NVCC='$(NVCC_FOUND)' CC='$(CC)' BUILD='$(BUILD)' scripts/build/gpu-static
