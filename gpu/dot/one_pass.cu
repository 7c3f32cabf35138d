/* gpu/dot/one_pass: warp_shuffle in one launch: each block adds its sum to the result with one atomic addition.
 *
 * Idea     The naive rung was slow because of k atomic additions. One for each block, at most 1024 in all, is cheaper
 *          than a second launch and needs no workspace. And a thread that asks for four products before it needs the
 *          first has four times as many bytes under way.
 * Mapping  At most 1024 blocks of 256 threads. In each round a thread takes four elements that are one grid apart, so
 *          neighbouring threads still read neighbouring elements.
 * Traffic  8 bytes per product in FP32, each read once in whole sectors, and 1024 atomic additions at most.
 * Limits   Memory. The blocks finish in another order each time, so the last bits may change from run to run: where
 *          that matters, warp_shuffle is the rung to take.
 *
 * Counted  global requests = k / 16 + k / 1024, global sectors = k / 4 + k / 1024
 * Counted  shared requests = k / 1024 * 9, shared rounds = k / 1024 * 9
 */
#include "gpu/kernel.cuh"

constexpr int THREADS = 256; /* a few warps to hide latency behind; every GPU can hold several such blocks */
constexpr int WARPS = THREADS / 32;
constexpr int EACH = 4;    /* products of a thread in one round: eight loads under way */
constexpr int MOST = 1024; /* blocks: what a large GPU can hold at once */
static_assert(THREADS % 32 == 0 && WARPS <= 32, "the sums of all warps fit one warp");

enum { X = 0, Y = 1, R = 2 };

/* The sum over the warp, in lane 0: each step adds the upper half of what is left to the lower one. */
template <typename T> static __device__ T warp_sum(T mine)
{
    for (int half = 16; half > 0; half /= 2)
        mine += __shfl_down_sync(0xffffffffU, mine, half);
    return mine;
}

/* The sum of `mine` over the block, in thread 0. */
template <typename T> static __device__ T block_sum(T mine, T *sums)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    mine = warp_sum(mine);
    if (lane == 0)
        sums[warp] = mine;
    __syncthreads(); /* the first warp reads what the others wrote */
    if (warp == 0)   /* all of it: a shuffle needs every lane that its mask names */
        mine = warp_sum(lane < WARPS ? sums[lane] : T(0));
    return mine;
}

template <typename T>
static __global__ void __launch_bounds__(THREADS)
    dot(int64_t k, const T *x, int64_t incx, const T *y, int64_t incy, T *r) /* r is 0 before */
{
    __shared__ T sums[WARPS]; /* one for each warp */
    const int64_t stride = static_cast<int64_t>(gridDim.x) * THREADS;
    T sum[EACH] = {};
    for (int64_t start = duel_block_x() * THREADS + threadIdx.x; start < k; start += EACH * stride) {
        DUEL_UNROLL
        for (int e = 0; e < EACH; e++) {
            const int64_t i = start + e * stride;
            if (i < k) /* false beyond the end of the last round */
                sum[e] += x[i * incx] * y[i * incy];
        }
    }
    const T all = block_sum((sum[0] + sum[1]) + (sum[2] + sum[3]), sums);
    if (threadIdx.x == 0)
        atomicAdd(r, all);
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int64_t needed = (p->k + THREADS * EACH - 1) / (THREADS * EACH);
    CUDA_TRY(call->why, cudaMemsetAsync(call->operand[R], 0, sizeof(T), static_cast<cudaStream_t>(call->queue)));
    if (p->k == 0) /* a grid without blocks is an error, not an empty sum */
        return DUEL_OK;
    DUEL_LAUNCH(dot<T>, dim3(static_cast<unsigned int>(needed < MOST ? needed : MOST)), dim3(THREADS), 0, call->queue,
                p->k, static_cast<const T *>(call->operand[X]), p->ld[X], static_cast<const T *>(call->operand[Y]),
                p->ld[Y], static_cast<T *>(call->operand[R]));
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_dot_one_pass) = {
    .name = "gpu/dot/one_pass",
    .builds_on = "gpu/dot/warp_shuffle",
    .doc = "Each block adds up by itself and then adds its one sum to the result with an atomic addition. "
           "That saves the second launch: a thousand atomic additions cost less. "
           "Each thread has four products under way at a time, which keeps the memory busy. "
           "But the blocks come in another order in each run, so the last bits may differ between runs: fast, right "
           "within its bound, and not repeatable.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
