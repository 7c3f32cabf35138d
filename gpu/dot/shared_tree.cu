/* gpu/dot/shared_tree: each block adds up its own products in shared memory, and a second kernel adds up the blocks.
 *
 * Idea     A sum of 256 numbers needs 8 steps when each step adds them in pairs: a tree. Threads that meet in shared
 *          memory can do that without atomics. What the blocks found is summed by one more block, in a launch of its
 *          own: only the end of a kernel makes all blocks wait for each other.
 * Mapping  At most 1024 blocks of 256 threads walk over the vectors in strides of the whole grid; neighbouring threads
 *          read neighbouring elements in each round.
 * Traffic  8 bytes per product in FP32, and a few KiB of partial sums. In the tree 2 shared loads and a store for each
 *          addition; the working threads are always the first ones, without bank conflicts.
 * Limits   Nine barriers per block, and half of the threads that still worked have nothing to do after each: the last
 *          five steps of the tree happen inside one warp. Next rung: warp_shuffle needs no shared memory for those.
 *
 * Counted  global requests = k / 16 + k / 1024 + k / 32768 + 1, global sectors = k / 4 + k / 1024 + k / 8192 + 1
 * Counted  shared requests = (k / 1024 + 1) * 45, shared rounds = (k / 1024 + 1) * 45
 */
#include "gpu/kernel.cuh"

constexpr int THREADS = 256; /* a few warps to hide latency behind; every GPU can hold several such blocks */
constexpr int EACH = 4;      /* products of a thread, as long as that makes no more than */
constexpr int MOST = 1024;   /* blocks: what a large GPU can hold at once */
static_assert((THREADS & (THREADS - 1)) == 0, "a tree halves its threads until one is left");

enum { X = 0, Y = 1, R = 2 };

/* Leaves the sum of `mine` over the block in sums[0]. */
template <typename T> static __device__ void tree(T mine, T *sums)
{
    const int t = threadIdx.x;
    sums[t] = mine;
    __syncthreads(); /* nobody adds before everybody has written */
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads(); /* the next step reads what this one wrote */
    }
}

template <typename T>
static __global__ void __launch_bounds__(THREADS)
    dot(int64_t k, const T *x, int64_t incx, const T *y, int64_t incy, T *partial) /* one partial sum per block */
{
    __shared__ T sums[THREADS]; /* 1 KiB in FP32 */
    const int64_t stride = static_cast<int64_t>(gridDim.x) * THREADS;
    T sum = 0;
    for (int64_t i = duel_block_x() * THREADS + threadIdx.x; i < k; i += stride)
        sum += x[i * incx] * y[i * incy];
    tree(sum, sums);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sums[0];
}

template <typename T> static __global__ void __launch_bounds__(THREADS) total(int count, const T *partial, T *r)
{
    __shared__ T sums[THREADS];
    T sum = 0;
    for (int i = threadIdx.x; i < count; i += THREADS)
        sum += partial[i];
    tree(sum, sums);
    if (threadIdx.x == 0)
        *r = sums[0];
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

DUEL_IMPL(gpu_dot_shared_tree) = {
    .name = "gpu/dot/shared_tree",
    .builds_on = "gpu/dot/naive",
    .doc =
        "The threads of a block put their sums into shared memory and add them in pairs: 128 additions at once, then "
        "64, and so on, with a barrier after each step. "
        "A second kernel adds the sums of all blocks in the same way. "
        "Nothing is atomic, and the order of additions is the same in every run: so are the last bits. "
        "It is not the order of the CPU's loop, so they need not be the same as there.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .workspace = workspace,
    .run = run,
};
