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
/* Before a loop that must be unrolled because it indexes an array of registers: registers have no addresses. The
 * emulated GPU keeps loops as they are written. */
#define DUEL_UNROLL _Pragma("unroll")
#else
#define DUEL_UNROLL
#endif

/* Records expression, file and line in `why` and returns the status; for functions that return enum duel_status. */
#define CUDA_TRY(why, expression)                                                       \
    do {                                                                                \
        cudaError_t duel_error_ = (expression);                                         \
        if (duel_error_ != cudaSuccess)                                                 \
            return duel_cuda_fail((why), duel_error_, #expression, __FILE__, __LINE__); \
    } while (0)

#ifndef DUEL_EMULATED
/* gpu/device/cuda_status.cu: adds what is known about this error and what to do next. */
enum duel_status duel_cuda_fail(struct duel_why *why, cudaError_t error, const char *expression, const char *file,
                                int line);
#else
static inline enum duel_status duel_cuda_fail(struct duel_why *why, cudaError_t error, const char *expression,
                                              const char *file, int line)
{
    const char *name = strrchr(file, '/');
    return duel_fail(why, error == cudaErrorMemoryAllocation ? DUEL_ENOMEM : DUEL_EDEVICE,
                     "the emulated GPU did not do this work, so it has no result",
                     "read the kernel named here; the same mistake fails on a real GPU", "%s: %s (%s) at %s:%d",
                     expression, cudaGetErrorString(error), cudaGetErrorName(error), name ? name + 1 : file, line);
}
#endif

/* Blocks needed to cover `extent` elements, `tile` per block, in 64 bits. */
static inline unsigned int duel_blocks(int64_t extent, int tile)
{
    return static_cast<unsigned int>((extent + tile - 1) / tile);
}

/* A grid over a matrix of any size (extents of at least 1). CUDA lets x go up to 2^31 - 1 blocks but stops y and z at
 * 65 535 each, so z carries on where y ends; duel_block_y() puts the two together again. Blocks past the end exist
 * then, as they do at every edge: the kernel's own checks keep them from writing. */
static inline dim3 duel_grid(int64_t x_extent, int x_tile, int64_t y_extent, int y_tile)
{
    const int64_t y_blocks = (y_extent + y_tile - 1) / y_tile;
    const int64_t layers = (y_blocks + 65534) / 65535;
    return dim3(duel_blocks(x_extent, x_tile), static_cast<unsigned int>((y_blocks + layers - 1) / layers),
                static_cast<unsigned int>(layers));
}

/* This block's place in such a grid. 64 bits, because what follows is multiplied by a tile and a leading dimension. */
static __device__ inline int64_t duel_block_x()
{
    return blockIdx.x;
}

static __device__ inline int64_t duel_block_y()
{
    return static_cast<int64_t>(blockIdx.z) * gridDim.y + blockIdx.y;
}

/* Traced mode counts arithmetic: from here on float is a type that does. */
#ifdef DUEL_COUNTED
#include <emulated/counted.h>
#endif

#endif
