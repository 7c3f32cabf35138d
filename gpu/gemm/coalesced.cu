/* gpu/gemm/coalesced: the naive kernel with the roles of the two thread indices exchanged.
 *
 * Idea     Columns go along threadIdx.x, because neighbours in x are neighbours in a warp, and neighbours in a warp
 *          should be neighbours in memory. Nothing else changes: diff this file with naive.cu.
 * Mapping  A warp is 32 columns of one row of C.
 * Traffic  At each step a warp reads one value of A that all threads share and 32 values of B side by side: 4 sectors
 *          of 32 bytes in FP32, every byte used, where naive moved 32 sectors to use an eighth of them. C: 4 sectors.
 *          Still two loads per multiply-add and 0.25 FLOP per byte asked for in FP32.
 * Limits   Each value of A is read by n threads and each of B by m, and only the caches stand between them and memory.
 *          Next rung: tiled, which keeps what a block shares in shared memory.
 *
 * Counted  global sectors = m * n / 32 * (5 * k + 4), shared requests = 0
 */
#include "gpu/kernel.cuh"

constexpr int TILE = 32;             /* threads along each side of a block: one row of threads is one warp */
constexpr int THREADS = TILE * TILE; /* 1024 is the most a block may have; 64 registers are left for each of them */
static_assert(TILE == 32, "one row of threads must be one warp, or the traffic told above is not what happens");
static_assert(THREADS <= 1024, "a block of more than 1024 threads cannot be launched");

/* All matrices are row-major. index * ld is computed in 64 bits: in int it overflows from n = 46 341. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    coalesced(int64_t m, int64_t n, int64_t k, T alpha, const T *A, int64_t lda, /* A: m x k */
              const T *B, int64_t ldb, T beta,                                   /* B: k x n */
              T *C, int64_t ldc)                                                 /* C: m x n */
{
    const int64_t row = duel_block_y() * TILE + threadIdx.y;
    const int64_t column = duel_block_x() * TILE + threadIdx.x;
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
    DUEL_LAUNCH(coalesced<T>, duel_grid(p->n, TILE, p->m, TILE), dim3(TILE, TILE), 0, call->queue, p->m, p->n, p->k,
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

static duel_bytes traffic(const struct duel_problem *p, duel_bytes cache_bytes)
{
    return duel_tile_traffic(p, cache_bytes, 1, TILE);
}

DUEL_IMPL(gpu_gemm_coalesced) = {
    .name = "gpu/gemm/coalesced",
    .builds_on = "gpu/gemm/naive",
    .doc = "This is the naive kernel with its two thread indices exchanged, and not one operation more or less. "
           "The 32 threads of a warp now take 32 neighbouring columns, so what they read of B lies side by side and "
           "arrives in 4 memory transactions (FP32) instead of the 32 that naive spends on A. "
           "That is called coalescing, and it is the first thing to check in any GPU kernel. "
           "Every value is still fetched again and again by threads that could have shared it. "
           "The next rung, tiled, shares.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .traffic = traffic,
    .traffic_model = "B is read anew for each row of C unless the cache holds all of it, A for each 32 columns.",
    .run = run,
};
