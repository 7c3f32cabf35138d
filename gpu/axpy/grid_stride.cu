/* gpu/axpy/grid_stride: as many threads as a GPU can hold, each walking over the vectors.
 *
 * Idea     A grid for each element ends and begins blocks all the time. Here a fixed number of blocks stays, and each
 *          thread goes on one grid further until the vectors end: the same kernel for any length, and what a thread has
 *          worked out once serves for all of its elements.
 * Mapping  At most 2048 blocks of 256 threads. In each round a thread takes four elements that are one grid apart, so
 *          that neighbouring threads still touch neighbouring elements, in FP64 as well, and with increments.
 * Traffic  12 bytes per element in FP32, in whole sectors.
 * Limits   Memory. What is left to a program is to need fewer bytes: to do more with x and y while they are there.
 *
 * Counted  global requests = 3 * m / 32, global sectors = 3 * m / 8
 */
#include "gpu/kernel.cuh"

constexpr int THREADS = 256; /* a few warps to hide latency behind */
constexpr int EACH = 4;      /* elements of a thread in one round: eight loads under way */
constexpr int MOST = 2048;   /* blocks: 8 for each of 256 multiprocessors, more than any GPU has */

enum { X = 0, Y = 1 };

template <typename T>
static __global__ void __launch_bounds__(THREADS) axpy(int64_t m, T alpha, const T *x, int64_t incx, T *y, int64_t incy)
{
    const int64_t stride = static_cast<int64_t>(gridDim.x) * THREADS;
    for (int64_t start = duel_block_x() * THREADS + threadIdx.x; start < m; start += EACH * stride) {
        T sum[EACH];
        DUEL_UNROLL
        for (int e = 0; e < EACH; e++) {
            const int64_t i = start + e * stride;
            if (i < m) /* false beyond the end of the last round */
                sum[e] = y[i * incy] + alpha * x[i * incx];
        }
        DUEL_UNROLL
        for (int e = 0; e < EACH; e++) {
            const int64_t i = start + e * stride;
            if (i < m)
                y[i * incy] = sum[e];
        }
    }
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int64_t needed = (p->m + THREADS * EACH - 1) / (THREADS * EACH);
    DUEL_LAUNCH(axpy<T>, dim3(static_cast<unsigned int>(needed < MOST ? needed : MOST)), dim3(THREADS), 0, call->queue,
                p->m, static_cast<T>(p->alpha), static_cast<const T *>(call->operand[X]), p->ld[X],
                static_cast<T *>(call->operand[Y]), p->ld[Y]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_axpy_grid_stride) = {
    .name = "gpu/axpy/grid_stride",
    .builds_on = "gpu/axpy/vectorised",
    .doc = "The grid has a fixed size, and each thread goes on one grid further until the vectors end. "
           "No block has to be started for every few elements, and one launch fits any length. "
           "Four elements of each thread are under way at a time. "
           "With the copies to and from the GPU counted, it still loses to the CPU: they are slower than the CPU's own "
           "memory.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
