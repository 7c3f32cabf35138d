/* gpu/mlp/naive: one thread for each hidden unit of each sample, then one for each answer.
 *
 * Idea     A unit is a sum of products, and all units of all samples are independent of each other; the second layer
 *          needs the first one whole, so it is a second launch.
 * Mapping  A warp is 32 units of one sample: it shares each input and reads 32 neighbours of a row of W1. Of the second
 *          layer it is 32 answers, or fewer where there are fewer classes.
 * Traffic  Two loads for each multiply-add: 0.25 FLOP per byte asked for in FP32, whatever the caches save. The hidden
 *          layer travels to memory and back between the launches.
 * Limits   Load instructions. Next rung: tiled, which shares what it loads.
 *
 * Counted  global sectors = m * n / 32 * (5 * k + 8) + m * c / 32 * (5 * n + 8), shared requests = 0
 */
#include "gpu/kernel.cuh"

enum { X = 0, W = 1, Y = 2 };

constexpr int ACROSS = 32, DOWN = 8; /* threads of a block: one row of threads is one warp */
constexpr int THREADS = ACROSS * DOWN;
static_assert(THREADS % 32 == 0, "a block of whole warps wastes no lanes");

/* out = in M + bias, and where BEND what is below 0 becomes 0. `in` is m x k, M is k x n, `out` m x n, all row-major;
 * index * ld is computed in 64 bits: in int it overflows from n = 46 341. */
template <typename T, bool BEND>
static __global__ void __launch_bounds__(THREADS) layer(int64_t m, int64_t n, int64_t k, const T *in, int64_t ld_in,
                                                        const T *M, const T *bias, T *out, int64_t ld_out)
{
    const int64_t row = duel_block_y() * DOWN + threadIdx.y, column = duel_block_x() * ACROSS + threadIdx.x;
    /* False for the threads that hang over the last row or column in the blocks along these edges. */
    if (row < m && column < n) {
        T sum = bias[column];
        for (int64_t i = 0; i < k; i++)
            sum += in[row * ld_in + i] * M[i * n + column];
        out[row * ld_out + column] = BEND && sum < T(0) ? T(0) : sum;
    }
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int64_t m = p->m, n = p->n, k = p->k, c = p->count;
    const T *x = static_cast<const T *>(call->operand[X]), *w = static_cast<const T *>(call->operand[W]);
    const T *b1 = w + k * n, *w2 = b1 + n, *b2 = w2 + n * c;
    T *y = static_cast<T *>(call->operand[Y]), *h = static_cast<T *>(call->workspace);
    const dim3 block(ACROSS, DOWN);
    DUEL_LAUNCH((layer<T, true>), duel_grid(n, ACROSS, m, DOWN), block, 0, call->queue, m, n, k, x, p->ld[X], w, b1, h,
                n);
    DUEL_LAUNCH((layer<T, false>), duel_grid(c, ACROSS, m, DOWN), block, 0, call->queue, m, c, n, h, n, w2, b2, y,
                p->ld[Y]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

/* The hidden layer, m x n. */
static size_t workspace(const struct duel_problem *p)
{
    return static_cast<size_t>(p->m) * static_cast<size_t>(p->n) * (p->types.in == DUEL_FP64 ? 8 : 4);
}

DUEL_IMPL(gpu_mlp_naive) = {
    .name = "gpu/mlp/naive",
    .doc = "One GPU thread computes one unit of one sample: a sum of products, its bias, and nothing below 0. "
           "A second launch does the same for the answers, because they need the whole hidden layer. "
           "Every multiplication loads both of its numbers, so the arithmetic units wait for memory. "
           "The next rung, tiled, shares what it loads among the threads of a block.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .workspace = workspace,
    .run = run,
};
