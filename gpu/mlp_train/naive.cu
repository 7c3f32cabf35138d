/* gpu/mlp_train/naive: a launch for each part of the step, one thread for each number that it computes.
 *
 * Idea     Forward: hidden units, then answers. Backward: what was wrong with the answers, d; what that means for each
 *          unit, e. Step: each weight is moved by the product of what goes into it and what comes back, summed over all
 *          samples. Each part needs all of the one before it, and the order of launches is the only meeting there is.
 * Mapping  A warp is 32 neighbours of a row, so what it reads and writes lies side by side; only of W2 on the way back
 *          it reads a column. Softmax has a thread for each sample, which goes through its classes alone.
 * Traffic  Two loads for each multiply-add. The hidden layer and e (m x n each) travel to memory and back.
 * Limits   Load instructions. Next rung: tiled, which shares what it loads.
 */
#include "gpu/kernel.cuh"

enum { X = 0, T = 1, W = 2 };

constexpr int ACROSS = 32, DOWN = 8; /* threads of a block: one row of threads is one warp */
constexpr int THREADS = ACROSS * DOWN;
static_assert(THREADS % 32 == 0, "a block of whole warps wastes no lanes");

/* All matrices are row-major; index * ld is computed in 64 bits: in int it overflows from n = 46 341. The `if` of each
 * kernel is false for the threads that hang over the last row or column in the blocks along these edges. */
static __device__ inline int64_t row_of()
{
    return duel_block_y() * DOWN + threadIdx.y;
}

static __device__ inline int64_t column_of()
{
    return duel_block_x() * ACROSS + threadIdx.x;
}

/* out = in M + bias, and where BEND what is below 0 becomes 0. `in` is m x k, M is k x n, `out` m x n. */
template <typename R, bool BEND>
static __global__ void __launch_bounds__(THREADS)
    forward(int64_t m, int64_t n, int64_t k, const R *in, int64_t ld, const R *M, const R *bias, R *out)
{
    const int64_t row = row_of(), column = column_of();
    if (row < m && column < n) {
        R sum = bias[column];
        for (int64_t i = 0; i < k; i++)
            sum += in[row * ld + i] * M[i * n + column];
        out[row * n + column] = BEND && sum < R(0) ? R(0) : sum;
    }
}

/* Each row of d, m x c, becomes its softmax, less 1 at the label. Without the largest answer exp could overflow. */
template <typename R>
static __global__ void __launch_bounds__(THREADS) blame(int64_t m, int64_t c, const R *label, int64_t ld, R *d)
{
    const int64_t row = duel_block_x() * THREADS + threadIdx.x;
    if (row < m) {
        R most = d[row * c], sum = 0;
        for (int64_t j = 1; j < c; j++)
            most = d[row * c + j] > most ? d[row * c + j] : most;
        for (int64_t j = 0; j < c; j++) {
            d[row * c + j] = exp(d[row * c + j] - most);
            sum += d[row * c + j];
        }
        for (int64_t j = 0; j < c; j++)
            d[row * c + j] = d[row * c + j] / sum - (R(j) == label[row * ld] ? R(1) : R(0));
    }
}

/* e = d W2^T, where the unit is on: a unit that is off passes nothing back. */
template <typename R>
static __global__ void __launch_bounds__(THREADS)
    backward(int64_t m, int64_t n, int64_t c, const R *d, const R *w2, const R *h, R *e)
{
    const int64_t row = row_of(), column = column_of();
    if (row < m && column < n) {
        R sum = 0;
        for (int64_t j = 0; j < c; j++)
            sum += d[row * c + j] * w2[column * c + j];
        e[row * n + column] = h[row * n + column] > R(0) ? sum : R(0);
    }
}

/* M -= rate A^T B for A (m x rows) and B (m x columns). Behind the last row of M stands the bias, for which A is 1. */
template <typename R>
static __global__ void __launch_bounds__(THREADS)
    step(int64_t m, int64_t rows, int64_t columns, R rate, const R *A, int64_t lda, const R *B, R *M)
{
    const int64_t row = row_of(), column = column_of();
    if (row <= rows && column < columns) {
        R sum = 0;
        for (int64_t i = 0; i < m; i++)
            sum += row < rows ? A[i * lda + row] * B[i * columns + column] : B[i * columns + column];
        M[row * columns + column] -= rate * sum;
    }
}

template <typename R> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int64_t m = p->m, n = p->n, k = p->k, c = p->count;
    const R *x = static_cast<const R *>(call->operand[X]), *t = static_cast<const R *>(call->operand[T]);
    R *w1 = static_cast<R *>(call->operand[W]), *b1 = w1 + k * n, *w2 = b1 + n, *b2 = w2 + n * c;
    R *h = static_cast<R *>(call->workspace), *e = h + m * n, *d = e + m * n;
    const R rate = static_cast<R>(p->alpha / static_cast<duel_bytes>(m));
    const dim3 block(ACROSS, DOWN), units = duel_grid(n, ACROSS, m, DOWN), answers = duel_grid(c, ACROSS, m, DOWN);
    DUEL_LAUNCH((forward<R, true>), units, block, 0, call->queue, m, n, k, x, p->ld[X], w1, b1, h);
    DUEL_LAUNCH((forward<R, false>), answers, block, 0, call->queue, m, c, n, h, n, w2, b2, d);
    DUEL_LAUNCH(blame<R>, dim3(duel_blocks(m, THREADS)), dim3(THREADS), 0, call->queue, m, c, t, p->ld[T], d);
    DUEL_LAUNCH(backward<R>, units, block, 0, call->queue, m, n, c, d, w2, h, e);
    DUEL_LAUNCH(step<R>, duel_grid(n, ACROSS, k + 1, DOWN), block, 0, call->queue, m, k, n, rate, x, p->ld[X], e, w1);
    DUEL_LAUNCH(step<R>, duel_grid(c, ACROSS, n + 1, DOWN), block, 0, call->queue, m, n, c, rate, h, n, d, w2);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

/* The hidden layer, what comes back to it, and what was wrong with the answers. */
static size_t workspace(const struct duel_problem *p)
{
    return static_cast<size_t>(p->m) * static_cast<size_t>(2 * p->n + p->count) * (p->types.in == DUEL_FP64 ? 8 : 4);
}

DUEL_IMPL(gpu_mlp_train_naive) = {
    .name = "gpu/mlp_train/naive",
    .doc = "One training step as six launches: hidden units, answers, what was wrong with them, what that means for "
           "the units, and a step for the weights of each layer. "
           "Within a launch every thread computes one number on its own; between launches everything is finished, "
           "which is the only meeting that all threads of a GPU have. "
           "Every multiplication loads both of its numbers. "
           "The next rung, tiled, shares what it loads among the threads of a block.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .workspace = workspace,
    .run = run,
};
