/* gpu/axpy/naive: y = alpha x + y, one thread per element.
 *
 * Idea     A loop over i becomes m threads; each does what one turn of the loop did.
 * Mapping  Thread i has element i, so a warp reads 32 neighbours: 128 bytes of x and of y in FP32, 4 sectors each.
 * Traffic  12 bytes per element in FP32, each moved once; an increment other than 1 spreads a warp over more sectors.
 * Limits   Memory bandwidth: it is one of few kernels that cannot be improved much, and yet it loses against the CPU
 *          when the vectors must first cross the link, for that is slower than the CPU's own memory. Next rung:
 *          vectorised.
 *
 * Counted  global requests = 3 * m / 32, global sectors = 3 * m / 8
 */
#include "gpu/kernel.cuh"

constexpr int THREADS = 256; /* a few warps to hide latency behind; every GPU can hold several such blocks */
static_assert(THREADS % 32 == 0, "a block of whole warps wastes no lanes");

enum { X = 0, Y = 1 };

template <typename T>
static __global__ void __launch_bounds__(THREADS) axpy(int64_t m, T alpha, const T *x, int64_t incx, T *y, int64_t incy)
{
    const int64_t i = duel_block_x() * THREADS + threadIdx.x;
    if (i < m)
        y[i * incy] += alpha * x[i * incx];
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(axpy<T>, dim3(duel_blocks(p->m, THREADS)), dim3(THREADS), 0, call->queue, p->m,
                static_cast<T>(p->alpha), static_cast<const T *>(call->operand[X]), p->ld[X],
                static_cast<T *>(call->operand[Y]), p->ld[Y]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_axpy_naive) = {
    .name = "gpu/axpy/naive",
    .doc = "One thread per element: the loop is gone, the hardware runs all turns of it side by side. "
           "Neighbouring threads touch neighbouring elements, so every byte that is moved is used. "
           "The kernel is limited by the GPU's memory, and the whole job by the link to it.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
