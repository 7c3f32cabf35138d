/* kernel.cuh: what a kernel file includes besides duel.h. The same source compiles with nvcc for a GPU and, through
 * the stand-in headers of gpu/emulator/include, with the host compiler for the emulated GPU. */
#ifndef DUEL_KERNEL_CUH
#define DUEL_KERNEL_CUH

#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <string.h>

#include "bench/duel.h"

/* DUEL_LAUNCH(kernel, grid, block, shared_bytes, queue, arguments...) starts a kernel in the device's private stream.
 * On a GPU it is kernel<<<...>>>(...); the emulated GPU defines its own (gpu/emulator/include/cuda_runtime.h). A
 * template kernel whose name holds a comma goes in parentheses: DUEL_LAUNCH((tile<32, 4>), ...). */
#ifndef DUEL_EMULATED
#define DUEL_LAUNCH(kernel, grid, block, shared_bytes, queue, ...) \
    (kernel)<<<(grid), (block), (shared_bytes), static_cast<cudaStream_t>(queue)>>>(__VA_ARGS__)
/* Dynamic shared memory: DUEL_DYNAMIC_SHARED(float, tile); inside a kernel. */
#define DUEL_DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#endif

/* Records expression, file and line in `why` and returns the status; for functions that return enum duel_status. */
#define CUDA_TRY(why, expression)                                                       \
    do {                                                                                \
        cudaError_t duel_error_ = (expression);                                         \
        if (duel_error_ != cudaSuccess)                                                 \
            return duel_cuda_fail((why), duel_error_, #expression, __FILE__, __LINE__); \
    } while (0)

static inline enum duel_status duel_cuda_fail(struct duel_why *why, cudaError_t error, const char *expression,
                                              const char *file, int line)
{
    const char *name = strrchr(file, '/');
    return duel_fail(
        why, error == cudaErrorMemoryAllocation ? DUEL_ENOMEM : DUEL_EDEVICE,
        "the device did not do this work; its row is FAILED and the others go on",
        "run `duel devices`; if the device is ready, repeat with a smaller --n, then under compute-sanitizer",
        "%s: %s (%s) at %s:%d", expression, cudaGetErrorString(error), cudaGetErrorName(error), name ? name + 1 : file,
        line);
}

/* Blocks needed to cover `extent` elements, `tile` per block, in 64 bits. */
static inline unsigned int duel_blocks(int64_t extent, int tile)
{
    return static_cast<unsigned int>((extent + tile - 1) / tile);
}

#endif
