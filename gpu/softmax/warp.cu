/* gpu/softmax/warp: naive, with a warp for each row.
 *
 * Idea     32 threads walk along one row together, each with every 32nd number, and combine their partial results in
 *          five steps: a shuffle hands a register to another lane, without memory and without a barrier.
 * Mapping  A warp per row; a block of 256 threads has eight rows.
 * Traffic  A warp reads 32 neighbours: 4 sectors for 32 values in FP32, each byte of use. The row is read three times
 *          and written once, 16 bytes per element, of which the caches may save the second and third reading.
 * Limits   Twice exp() and three passes, and for long rows only 32 threads to a row: next rung block. The number of
 *          shuffles is the same for a short row as for a long one.
 *
 * Counted  global sectors = m * n / 2, shared requests = 0
 */
#include "gpu/kernel.cuh"

constexpr int THREADS = 256, WARP = 32, ROWS = THREADS / WARP;
constexpr unsigned ALL = 0xffffffffu; /* all lanes take part in each shuffle */

enum { IN = 0, OUT = 1 };

static __device__ inline float exponential(float x)
{
    return expf(x);
}

static __device__ inline double exponential(double x)
{
    return exp(x);
}

/* Both matrices are m x n, row-major; row * ld is computed in 64 bits. */
template <typename T>
static __global__ void __launch_bounds__(THREADS) warp(int64_t m, int64_t n, const T *X, int64_t ldx, T *Y, int64_t ldy)
{
    const int lane = threadIdx.x % WARP;
    const int64_t row = duel_block_x() * ROWS + threadIdx.x / WARP;
    if (row >= m) /* whole warps leave: those that stay find all their lanes at each shuffle */
        return;
    T largest = -INFINITY, sum = 0;
    for (int64_t j = lane; j < n; j += WARP) {
        const T x = X[row * ldx + j];
        largest = x > largest ? x : largest;
    }
    /* Lanes exchange over distances 16, 8, 4, 2, 1: then each has the largest of all. */
    for (int far = WARP / 2; far > 0; far /= 2) {
        const T other = __shfl_xor_sync(ALL, largest, far);
        largest = other > largest ? other : largest;
    }
    for (int64_t j = lane; j < n; j += WARP)
        sum += exponential(X[row * ldx + j] - largest);
    for (int far = WARP / 2; far > 0; far /= 2)
        sum += __shfl_xor_sync(ALL, sum, far);
    const T share = T(1) / sum;
    for (int64_t j = lane; j < n; j += WARP)
        Y[row * ldy + j] = exponential(X[row * ldx + j] - largest) * share;
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    if (p->m == 0 || p->n == 0) /* no grid may be empty */
        return DUEL_OK;
    DUEL_LAUNCH(warp<T>, dim3(duel_blocks(p->m, ROWS)), dim3(THREADS), 0, call->queue, p->m, p->n,
                static_cast<const T *>(call->operand[IN]), p->ld[IN], static_cast<T *>(call->operand[OUT]), p->ld[OUT]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_softmax_warp) = {
    .name = "gpu/softmax/warp",
    .builds_on = "gpu/softmax/naive",
    .doc = "A warp of 32 threads for each row: they read neighbouring numbers, so every byte that moves is used. "
           "Each thread has the largest number and the sum of its own share of the row, and five shuffles combine "
           "them from register to register. "
           "No shared memory, no barrier. "
           "The next rung, block, takes more threads for long rows.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
