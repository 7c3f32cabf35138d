/* gpu/softmax/online: block, with largest number and sum in one pass.
 *
 * Idea     Milakov and Gimelshein (2018): keep the sum of exp(x - largest) for the largest number so far, and scale it
 *          by exp(old - new) when a larger one comes. Pairs of (largest, sum) of parts of a row combine likewise, so
 *          one reduction is enough.
 * Mapping  A block per row. A warp combines the pairs of its lanes by shuffles, and the eight pairs of the warps lie
 *          in shared memory, from where each warp combines them for itself: one barrier in all.
 * Traffic  The row is read twice and written once: 12 bytes per element in FP32. Shared memory: 32 requests per row.
 * Limits   Twice exp(), and the second reading, which only a cache can save. Next rung: registers.
 *
 * Counted  global sectors = 3 * m * n / 8, shared requests = 32 * m
 */
#include "gpu/kernel.cuh"

constexpr int THREADS = 256, WARP = 32, WARPS = THREADS / WARP;
constexpr unsigned ALL = 0xffffffffu; /* all lanes take part in each shuffle */
static_assert((WARPS & (WARPS - 1)) == 0 && WARPS <= WARP, "the warps' pairs are combined by one warp");

enum { IN = 0, OUT = 1 };

static __device__ inline float exponential(float x)
{
    return expf(x);
}

static __device__ inline double exponential(double x)
{
    return exp(x);
}

/* What is known of a part of a row: its largest number, and the sum of exp(x - largest). -infinity and 0 of no part. */
template <typename T> struct part {
    T largest, sum;
};

/* exp(from - to), but 1 where they are equal: -inf - -inf is no number. */
template <typename T> static __device__ T scale(T from, T to)
{
    return from == to ? T(1) : exponential(from - to);
}

/* Lanes exchange over distances `lanes` / 2, ... 1: then each has the pair of them all. */
template <typename T> static __device__ void combine(struct part<T> &mine, int lanes)
{
    for (int far = lanes / 2; far > 0; far /= 2) {
        const T largest = __shfl_xor_sync(ALL, mine.largest, far), sum = __shfl_xor_sync(ALL, mine.sum, far);
        const T both = largest > mine.largest ? largest : mine.largest;
        mine.sum = mine.sum * scale(mine.largest, both) + sum * scale(largest, both);
        mine.largest = both;
    }
}

/* Both matrices are m x n, row-major; row * ld is computed in 64 bits. */
template <typename T>
static __global__ void __launch_bounds__(THREADS) online(int64_t n, const T *X, int64_t ldx, T *Y, int64_t ldy)
{
    __shared__ T largest[WARPS], sum[WARPS]; /* of each warp */
    const int lane = threadIdx.x % WARP;
    const int64_t row = duel_block_x();
    struct part<T> mine = {
        T(-INFINITY), T(0)
    };
    for (int64_t j = threadIdx.x; j < n; j += THREADS) {
        const T x = X[row * ldx + j];
        if (x > mine.largest) {
            mine.sum = mine.sum * exponential(mine.largest - x) + T(1);
            mine.largest = x;
        } else if (!(x == T(-INFINITY))) { /* which adds nothing; NaN does, and stays */
            mine.sum += exponential(x - mine.largest);
        }
    }
    combine(mine, WARP);
    if (lane == 0) {
        largest[threadIdx.x / WARP] = mine.largest;
        sum[threadIdx.x / WARP] = mine.sum;
    }
    __syncthreads(); /* nobody reads the pairs before each warp has left its own */
    mine.largest = largest[lane % WARPS];
    mine.sum = sum[lane % WARPS];
    combine(mine, WARPS);
    /* NaN for a row of nothing but -infinity, and for one with +infinity: its distance from itself is no number. */
    const T share = exponential(mine.largest - mine.largest) / mine.sum;
    for (int64_t j = threadIdx.x; j < n; j += THREADS)
        Y[row * ldy + j] = exponential(X[row * ldx + j] - mine.largest) * share;
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    if (p->m == 0 || p->n == 0) /* no grid may be empty */
        return DUEL_OK;
    DUEL_LAUNCH(online<T>, dim3(duel_blocks(p->m, 1)), dim3(THREADS), 0, call->queue, p->n,
                static_cast<const T *>(call->operand[IN]), p->ld[IN], static_cast<T *>(call->operand[OUT]), p->ld[OUT]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_softmax_online) = {
    .name = "gpu/softmax/online",
    .builds_on = "gpu/softmax/block",
    .doc = "One pass finds the largest number and the sum together: the sum so far is scaled down when a larger number "
           "comes. "
           "Pairs of partial results combine by the same rule, so one reduction and one barrier do for the row. "
           "The row is read twice instead of three times. "
           "The same trick lets attention work on a row in pieces, without ever holding all of it.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
