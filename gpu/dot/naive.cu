/* gpu/dot/naive: r = x . y, one thread per product, all of them adding to the same number.
 *
 * Idea     The loop over i becomes k threads. They must not overwrite each other's sums: an atomic addition reads, adds
 *          and writes the one number without anybody in between.
 * Mapping  Thread i has product i, so a warp reads 32 neighbours of x and of y: 4 sectors each in FP32.
 * Traffic  8 bytes per product in FP32, and an atomic addition for each, all to the same 4 bytes.
 * Limits   The additions go one after the other through one unit of the L2 cache, whatever the number of threads.
 *          Next rung: shared_tree adds up within a block first.
 *
 * Counted  global requests = 3 * k / 32, global sectors = k / 32 * 9
 */
#include "gpu/kernel.cuh"

constexpr int THREADS = 256; /* a few warps to hide latency behind; every GPU can hold several such blocks */
static_assert(THREADS % 32 == 0, "a block of whole warps wastes no lanes");

enum { X = 0, Y = 1, R = 2 };

template <typename T>
static __global__ void __launch_bounds__(THREADS)
    dot(int64_t k, const T *x, int64_t incx, const T *y, int64_t incy, T *r) /* r is 0 before */
{
    const int64_t i = duel_block_x() * THREADS + threadIdx.x;
    if (i < k) /* false for the last threads of the last block */
        atomicAdd(r, x[i * incx] * y[i * incy]);
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    CUDA_TRY(call->why, cudaMemsetAsync(call->operand[R], 0, sizeof(T), static_cast<cudaStream_t>(call->queue)));
    if (p->k == 0) /* a grid without blocks is an error, not an empty sum */
        return DUEL_OK;
    DUEL_LAUNCH(dot<T>, dim3(duel_blocks(p->k, THREADS)), dim3(THREADS), 0, call->queue, p->k,
                static_cast<const T *>(call->operand[X]), p->ld[X], static_cast<const T *>(call->operand[Y]), p->ld[Y],
                static_cast<T *>(call->operand[R]));
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_dot_naive) = {
    .name = "gpu/dot/naive",
    .doc = "Every thread multiplies one pair of numbers and adds the product to the result with an atomic addition. "
           "The reads are perfect, but thousands of threads queue for one number, and it can be changed by only one of "
           "them at a time. "
           "The order in which they come differs from run to run, so the last bits of the result do, too.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
