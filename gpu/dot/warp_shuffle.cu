/* gpu/dot/warp_shuffle: shared_tree, with the lanes of a warp adding up among themselves.
 *
 * Idea     The 32 lanes of a warp can read each other's registers: __shfl_down_sync hands down the value of the lane so
 *          many further on. Five such steps add up a warp, without shared memory and without a barrier; the eight warps
 *          of a block then need one barrier and one round more.
 * Mapping  As in shared_tree.
 * Traffic  As in shared_tree from global memory. Shared memory holds one number for each warp, not for each thread.
 * Limits   Two launches, of which the second has work for one block: some microseconds in which the GPU is empty.
 *          Next rung: one_pass, where every block adds its sum to the result itself.
 *
 * Counted  global requests = k / 16 + k / 1024 + k / 32768 + 1, global sectors = k / 4 + k / 1024 + k / 8192 + 1
 * Counted  shared requests = (k / 1024 + 1) * 9, shared rounds = (k / 1024 + 1) * 9
 */
#include "gpu/kernel.cuh"

constexpr int THREADS = 256; /* a few warps to hide latency behind; every GPU can hold several such blocks */
constexpr int WARPS = THREADS / 32;
constexpr int EACH = 4;    /* products of a thread, as long as that makes no more than */
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
    dot(int64_t k, const T *x, int64_t incx, const T *y, int64_t incy, T *partial) /* one partial sum per block */
{
    __shared__ T sums[WARPS]; /* one for each warp */
    const int64_t stride = static_cast<int64_t>(gridDim.x) * THREADS;
    T sum = 0;
    for (int64_t i = duel_block_x() * THREADS + threadIdx.x; i < k; i += stride)
        sum += x[i * incx] * y[i * incy];
    sum = block_sum(sum, sums);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

template <typename T> static __global__ void __launch_bounds__(THREADS) total(int count, const T *partial, T *r)
{
    __shared__ T sums[WARPS];
    T sum = 0;
    for (int i = threadIdx.x; i < count; i += THREADS)
        sum += partial[i];
    sum = block_sum(sum, sums);
    if (threadIdx.x == 0)
        *r = sum;
}

static unsigned int blocks_for(int64_t k)
{
    const int64_t blocks = (k + THREADS * EACH - 1) / (THREADS * EACH);
    return static_cast<unsigned int>(blocks < 1      ? 1
                                     : blocks < MOST ? blocks
                                                     : MOST); /* k == 0 has one, whose sum is 0 */
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const unsigned int blocks = blocks_for(p->k);
    T *partial = static_cast<T *>(call->workspace);
    DUEL_LAUNCH(dot<T>, dim3(blocks), dim3(THREADS), 0, call->queue, p->k, static_cast<const T *>(call->operand[X]),
                p->ld[X], static_cast<const T *>(call->operand[Y]), p->ld[Y], partial);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    DUEL_LAUNCH(total<T>, dim3(1), dim3(THREADS), 0, call->queue, static_cast<int>(blocks), partial,
                static_cast<T *>(call->operand[R]));
    CUDA_TRY(call->why, cudaGetLastError());
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

static size_t workspace(const struct duel_problem *p)
{
    return blocks_for(p->k) * (p->types.in == DUEL_FP64 ? sizeof(double) : sizeof(float));
}

DUEL_IMPL(gpu_dot_warp_shuffle) = {
    .name = "gpu/dot/warp_shuffle",
    .builds_on = "gpu/dot/shared_tree",
    .doc = "The lanes of a warp add up among themselves: a shuffle reads the register of another lane. "
           "Five shuffles replace five rounds through shared memory with a barrier each, so a block meets once instead "
           "of nine times. "
           "The order of additions is still fixed, and so are the last bits.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .workspace = workspace,
    .run = run,
};
