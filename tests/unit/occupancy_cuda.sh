#!/usr/bin/env bash
# Compares our occupancy with CUDA's own header-only calculator on every capability and a grid of launches. Skipped
# where that header or a C compiler is missing.
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
compiler=${CC:-cc}
toolkit=$(dirname "$(command -v nvcc || echo /nowhere/bin/nvcc)")/..
cat >"$work/compare.c" <<'CODE'
#include <cuda_occupancy.h>

#include "bench/cards/cards.h"

static int theirs(const struct duel_processor_limits *limits, const struct duel_launch *launch)
{
    cudaOccDeviceProp device = {
        .computeMajor = limits->capability / 10, .computeMinor = limits->capability % 10,
        .maxThreadsPerBlock = 1024, .maxThreadsPerMultiprocessor = limits->threads,
        .regsPerBlock = 65536, .regsPerMultiprocessor = 65536, .warpSize = 32, .sharedMemPerBlock = 48 * 1024,
        .sharedMemPerMultiprocessor = (size_t)limits->shared_kib * 1024, .numSms = 1,
        .sharedMemPerBlockOptin = (size_t)limits->shared_per_block_kib * 1024,
        .reservedSharedMemPerBlock = (size_t)limits->shared_reserved,
    };
    cudaOccFuncAttributes function = {
        .maxThreadsPerBlock = 1024, .numRegs = launch->registers, .sharedSizeBytes = 0,
        .partitionedGCConfig = PARTITIONED_GC_OFF, .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
        .maxDynamicSharedSizeBytes = (size_t)limits->shared_per_block_kib * 1024,
    };
    cudaOccDeviceState state = {.cacheConfig = CACHE_PREFER_SHARED, .carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED};
    cudaOccResult result = {0};
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, (int)launch->threads,
                                                (size_t)launch->shared_bytes) != CUDA_OCC_SUCCESS)
        return -1;
    return result.activeBlocksPerMultiprocessor;
}

int main(void)
{
    int number = 0, failed = 0;
    for (int capability = 70; capability <= 121; capability++) {
        const struct duel_processor_limits *limits = occupancy_limits(capability);
        long compared = 0, wrong = 0;
        for (int threads = 16; limits && threads <= 1024; threads += 16)
            for (int registers = 16; registers <= 255; registers += 7)
                for (int kib = 0; kib <= limits->shared_per_block_kib; kib += 5) {
                    const struct duel_launch launch = {threads, registers, kib * 1024 + 64 * (kib < 8)};
                    const int ours = occupancy_of(limits, &launch).blocks, other = theirs(limits, &launch);
                    if (ours != other && wrong++ < 3)
                        printf("# sm_%d, %d threads, %d registers, %d KiB: %d blocks, CUDA says %d\n", capability,
                               threads, registers, kib, ours, other);
                    compared++;
                }
        if (!limits)
            continue;
        printf("%sok %d - sm_%d: %ld of %ld launches differ\n", wrong || !compared ? "not " : "", ++number, capability,
               wrong, compared);
        failed += wrong != 0;
    }
    printf("1..%d\n", number);
    return failed;
}
CODE
include=
for directory in "${CUDA_HOME:-/nowhere}/include" "$toolkit/include"; do
    [ -f "$directory/cuda_occupancy.h" ] && include=$directory && break
done
if [ -z "$include" ] || ! command -v "$compiler" >/dev/null; then
    echo '1..0 # SKIP no cuda_occupancy.h, or no C compiler'
    exit 0
fi
if ! "$compiler" -std=gnu17 -O1 -w -idirafter "$include" -I. "$work/compare.c" bench/cards/occupancy.c \
    -o "$work/compare"; then
    echo 'not ok 1 - the comparison compiles'
    echo 1..1
    exit 1
fi
"$work/compare"
