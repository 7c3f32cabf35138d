/* gpu/softmax/naive: Y = softmax(X) by rows, one thread per row.
 *
 * Idea     Rows do not need each other, so give each to a thread that does what cpu/softmax/serial does.
 * Mapping  Thread i has row i. At each step the 32 threads of a warp stand in the same column of 32 rows.
 * Traffic  That is a column of X: 32 places a whole row apart, 32 sectors of 32 bytes for 32 values, four times over
 *          for the largest number, the sum, the shares and their store. 7 of 8 bytes that move are of no use in FP32,
 *          unless a cache keeps them until their turn.
 * Limits   Scattered accesses; and as many threads as rows, where a GPU wants ten thousands. Next rung: warp.
 *
 * Counted  global sectors = 4 * m * n, shared requests = 0
 */
#include "gpu/kernel.cuh"

constexpr int THREADS = 128; /* rows of a block; few, so that few rows already reach several multiprocessors */
static_assert(THREADS % 32 == 0, "a block of whole warps wastes no lanes");

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
static __global__ void __launch_bounds__(THREADS)
    naive(int64_t m, int64_t n, const T *X, int64_t ldx, T *Y, int64_t ldy)
{
    const int64_t row = duel_block_x() * THREADS + threadIdx.x;
    if (row >= m) /* the last threads of the last block; nobody waits for them */
        return;
    T largest = -INFINITY, sum = 0;
    for (int64_t j = 0; j < n; j++) {
        const T x = X[row * ldx + j];
        largest = x > largest ? x : largest;
    }
    /* In a row of nothing but -infinity this is NaN, as it should be: -inf - -inf. */
    for (int64_t j = 0; j < n; j++)
        sum += exponential(X[row * ldx + j] - largest);
    for (int64_t j = 0; j < n; j++)
        Y[row * ldy + j] = exponential(X[row * ldx + j] - largest) / sum;
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    if (p->m == 0 || p->n == 0) /* no grid may be empty */
        return DUEL_OK;
    DUEL_LAUNCH(naive<T>, dim3(duel_blocks(p->m, THREADS)), dim3(THREADS), 0, call->queue, p->m, p->n,
                static_cast<const T *>(call->operand[IN]), p->ld[IN], static_cast<T *>(call->operand[OUT]), p->ld[OUT]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_softmax_naive) = {
    .name = "gpu/softmax/naive",
    .doc = "One thread per row, doing what the CPU's loop does. "
           "The threads of a warp walk down 32 rows side by side, so at each step they touch 32 places that lie a row "
           "apart, and seven of eight bytes that move are thrown away. "
           "And there are only as many threads as rows. "
           "The next rung, warp, gives a row to 32 threads instead.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
