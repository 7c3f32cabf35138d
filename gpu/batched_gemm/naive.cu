/* gpu/batched_gemm/naive: C = alpha A B + beta C for each matrix of the batch, with a launch of its own for each.
 *
 * Idea     A kernel multiplies two matrices; a batch is a loop around the launch. That is how a program grows when
 *          nobody looks at the clock.
 * Mapping  One thread per element of C, a block of 16 x 16 of them; a warp is two rows of 16 columns.
 * Traffic  At each step along k a warp reads one value of A for each of its two rows and 16 values of B: 2 sectors of
 *          32 bytes each in FP32.
 * Limits   A launch costs the host some microseconds and the GPU about as much, and 32 x 32 elements are four blocks
 *          on a GPU that has room for thousands. Next rung: strided, which launches once.
 *
 * Counted  global sectors = c * m * n * (k + 1) / 8, shared requests = 0
 */
#include "gpu/kernel.cuh"

constexpr int TILE = 16; /* threads along each side of a block */

/* All matrices are row-major; index * ld is computed in 64 bits. */
template <typename T>
static __global__ void __launch_bounds__(TILE *TILE)
    naive(int64_t m, int64_t n, int64_t k, T alpha, const T *A, int64_t lda, /* A: m x k */
          const T *B, int64_t ldb, T beta,                                   /* B: k x n */
          T *C, int64_t ldc)                                                 /* C: m x n */
{
    const int64_t column = duel_block_x() * TILE + threadIdx.x, row = duel_block_y() * TILE + threadIdx.y;
    /* False for the threads that hang over the last row or column in the blocks along these edges. */
    if (row < m && column < n) {
        T sum = 0;
        for (int64_t i = 0; i < k; i++)
            sum += A[row * lda + i] * B[i * ldb + column];
        /* beta == 0 must not read C: it may hold NaN, and 0 * NaN is NaN. */
        T *c = &C[row * ldc + column];
        *c = beta == T(0) ? alpha * sum : alpha * sum + beta * *c;
    }
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int64_t lda = p->ld[DUEL_A], ldb = p->ld[DUEL_B], ldc = p->ld[DUEL_C];
    /* Matrix b begins m or k rows further down than the one before it. */
    for (int64_t b = 0; b < p->count; b++)
        DUEL_LAUNCH(naive<T>, duel_grid(p->n, TILE, p->m, TILE), dim3(TILE, TILE), 0, call->queue, p->m, p->n, p->k,
                    static_cast<T>(p->alpha), static_cast<const T *>(call->operand[DUEL_A]) + b * p->m * lda, lda,
                    static_cast<const T *>(call->operand[DUEL_B]) + b * p->k * ldb, ldb, static_cast<T>(p->beta),
                    static_cast<T *>(call->operand[DUEL_C]) + b * p->m * ldc, ldc);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_batched_gemm_naive) = {
    .name = "gpu/batched_gemm/naive",
    .doc = "A launch for each small matrix, with one thread per element. "
           "A launch takes microseconds, and a small matrix is multiplied in less: most of the time goes into "
           "starting. "
           "While it runs, a few blocks have the whole GPU to themselves and nearly all of it is idle. "
           "The next rung, strided, puts the same work into one launch.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
