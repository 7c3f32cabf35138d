/* gpu/softmax/block: warp, with a whole block for each row.
 *
 * Idea     Few long rows leave most of a GPU idle when 32 threads have a row. 256 threads share one here, and combine
 *          their partial results in shared memory: half of them takes over the results of the other half, until one is
 *          left.
 * Mapping  A block per row; each thread has every 256th number.
 * Traffic  As warp in global memory, 16 bytes per element in FP32. Shared memory serves two reductions of 52 requests
 *          for each row, whatever its length, none with a bank conflict: threads that take part stand side by side.
 * Limits   Ten barriers per reduction, at which all warps wait for the slowest: for rows of some hundred numbers they
 *          are most of the time, and warp is faster. Still three passes over the row: next rung online.
 *
 * Counted  global sectors = m * n / 2, shared requests = 104 * m
 */
#include "gpu/kernel.cuh"

constexpr int THREADS = 256;
static_assert((THREADS & (THREADS - 1)) == 0, "halves of halves must come out even");

enum { IN = 0, OUT = 1 };

static __device__ inline float exponential(float x)
{
    return expf(x);
}

static __device__ inline double exponential(double x)
{
    return exp(x);
}

/* The sum of what all threads bring, or the largest; all of them must come, and all get it. `part` has THREADS places.
 */
template <bool SUM, typename T> static __device__ T combine(T *part, T mine)
{
    const int t = threadIdx.x;
    part[t] = mine;
    __syncthreads(); /* nobody takes a partial result over before it is there */
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) {
            const T other = part[t + half], own = part[t];
            part[t] = SUM ? own + other : other > own ? other : own;
        }
        __syncthreads(); /* nor in the next round */
    }
    const T all = part[0];
    __syncthreads(); /* the next reduction writes part[0] only after all have read it */
    return all;
}

/* Both matrices are m x n, row-major; row * ld is computed in 64 bits. */
template <typename T>
static __global__ void __launch_bounds__(THREADS) block(int64_t n, const T *X, int64_t ldx, T *Y, int64_t ldy)
{
    __shared__ T part[THREADS]; /* 1 KiB in FP32 */
    const int64_t row = duel_block_x();
    T largest = -INFINITY, sum = 0;
    for (int64_t j = threadIdx.x; j < n; j += THREADS) {
        const T x = X[row * ldx + j];
        largest = x > largest ? x : largest;
    }
    largest = combine<false>(part, largest);
    for (int64_t j = threadIdx.x; j < n; j += THREADS)
        sum += exponential(X[row * ldx + j] - largest);
    const T share = T(1) / combine<true>(part, sum);
    for (int64_t j = threadIdx.x; j < n; j += THREADS)
        Y[row * ldy + j] = exponential(X[row * ldx + j] - largest) * share;
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    if (p->m == 0 || p->n == 0) /* no grid may be empty */
        return DUEL_OK;
    DUEL_LAUNCH(block<T>, dim3(duel_blocks(p->m, 1)), dim3(THREADS), 0, call->queue, p->n,
                static_cast<const T *>(call->operand[IN]), p->ld[IN], static_cast<T *>(call->operand[OUT]), p->ld[OUT]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_softmax_block) = {
    .name = "gpu/softmax/block",
    .builds_on = "gpu/softmax/warp",
    .doc = "A block of 256 threads for each row, so that a few long rows are enough to keep a GPU busy. "
           "The threads leave their partial results in shared memory and halve them eight times, with a barrier after "
           "each step. "
           "For short rows those barriers cost more than the row, and warp is the better rung. "
           "The next rung, online, saves a pass over the row and most of the barriers.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
