/* gpu/gemm/naive: C = alpha A B + beta C, one thread per element of C, indices taken in the wrong order.
 *
 * Idea     The sum of the textbook, once per thread. Rows go along threadIdx.x because "x comes first, rows come
 *          first": it is right, it compiles, and it is the most common slow kernel there is.
 * Mapping  A warp is 32 threads with consecutive threadIdx.x: here 32 rows of one column. Adjacent threads walk down
 *          a column of C.
 * Traffic  Memory moves in sectors of 32 bytes. At each step a warp reads 32 rows of A, lda apart: 32 sectors for 32
 *          values (FP32: 4 of 32 bytes are used), and one value of B that all threads share. C costs 32 sectors too.
 *          Two loads per multiply-add: 0.25 FLOP per byte asked for in FP32.
 * Limits   Scattered accesses, whatever the caches save. Next rung: coalesced, which only exchanges the two indices.
 *
 * Counted  global sectors = m * n / 32 * (33 * k + 32), shared requests = 0
 */
#include "gpu/kernel.cuh"

constexpr int TILE = 32;             /* threads along each side of a block: one row of threads is one warp */
constexpr int THREADS = TILE * TILE; /* 1024 is the most a block may have; 64 registers are left for each of them */
static_assert(TILE == 32, "one row of threads must be one warp, or the traffic told above is not what happens");
static_assert(THREADS <= 1024, "a block of more than 1024 threads cannot be launched");

/* All matrices are row-major. index * ld is computed in 64 bits: in int it overflows from n = 46 341. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    naive(int64_t m, int64_t n, int64_t k, T alpha, const T *A, int64_t lda, /* A: m x k */
          const T *B, int64_t ldb, T beta,                                   /* B: k x n */
          T *C, int64_t ldc)                                                 /* C: m x n */
{
    const int64_t row = duel_block_x() * TILE + threadIdx.x;
    const int64_t column = duel_block_y() * TILE + threadIdx.y;
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
    DUEL_LAUNCH(naive<T>, duel_grid(p->m, TILE, p->n, TILE), dim3(TILE, TILE), 0, call->queue, p->m, p->n, p->k,
                static_cast<T>(p->alpha), static_cast<const T *>(call->operand[DUEL_A]), p->ld[DUEL_A],
                static_cast<const T *>(call->operand[DUEL_B]), p->ld[DUEL_B], static_cast<T>(p->beta),
                static_cast<T *>(call->operand[DUEL_C]), p->ld[DUEL_C]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

/* A warp is 32 rows of one column, and blocks go down the columns of C: so it is coalesced with A and B exchanged. */
static duel_bytes traffic(const struct duel_problem *p, duel_bytes cache_bytes)
{
    struct duel_problem exchanged = *p;
    exchanged.m = p->n;
    exchanged.n = p->m;
    return duel_tile_traffic(&exchanged, cache_bytes, 1, TILE);
}

DUEL_IMPL(gpu_gemm_naive) = {
    .name = "gpu/gemm/naive",
    .doc = "One GPU thread computes one element of C with the sum from the textbook. "
           "Thousands of threads run at once, and that alone is the whole trick. "
           "But neighbouring threads take neighbouring rows, so the 32 threads of a warp touch 32 places of memory "
           "that lie a full row apart, and each touch moves 32 bytes to use one value. "
           "The arithmetic units wait for memory nearly all the time. "
           "The next rung, coalesced, only exchanges the two indices.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .traffic = traffic,
    .traffic_model = "A is read anew for each column of C unless the cache holds all of it; a sector of 32 bytes "
                     "stays until all its values are used.",
    .run = run,
};
