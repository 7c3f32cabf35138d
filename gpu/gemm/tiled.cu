/* gpu/gemm/tiled: a block of threads fetches a tile of A and a tile of B once and shares them in shared memory.
 *
 * Idea     The 1024 threads of a block need only 32 rows of A and 32 columns of B between them. They walk along k in
 *          steps of one tile: fetch 32 x 32 of each into shared memory together, use every value 32 times, go on.
 * Mapping  As in coalesced: a warp is 32 columns of one row of C. While fetching, each thread brings one value of each.
 * Traffic  Two global loads per 32 multiply-adds and thread, all coalesced: 8 FLOP per byte asked for in FP32, 32 times
 *          coalesced. Shared memory still serves two loads per multiply-add: As to all threads of a warp at once, Bs
 *          from 32 different banks, so neither has a bank conflict.
 * Limits   Those two shared loads per multiply-add: the load units are full long before the arithmetic is. Next rung:
 *          block1d, where a thread computes several elements from registers; or tensor_fp16, which leaves the inner
 *          product to the Tensor Cores.
 *
 * Counted  global sectors = m * n / 32 * (k / 4 + 4), shared requests = m * n * k / 1024 * 66
 */
#include "gpu/kernel.cuh"

constexpr int TILE = 32;             /* threads along each side of a block: one row of threads is one warp */
constexpr int THREADS = TILE * TILE; /* 1024 is the most a block may have; 64 registers are left for each of them */
static_assert(TILE == 32, "one row of threads must be one warp, or the traffic told above is not what happens");
static_assert(THREADS <= 1024, "a block of more than 1024 threads cannot be launched");
static_assert(2 * THREADS * sizeof(double) <= 48 * 1024, "two tiles must fit the 48 KiB that every block may have");

/* All matrices are row-major. index * ld is computed in 64 bits: in int it overflows from n = 46 341. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    tiled(int64_t m, int64_t n, int64_t k, T alpha, const T *A, int64_t lda, /* A: m x k */
          const T *B, int64_t ldb, T beta,                                   /* B: k x n */
          T *C, int64_t ldc)                                                 /* C: m x n */
{
    __shared__ T As[TILE][TILE]; /* rows of this block x part of k; 4 KiB in FP32, 8 KiB in FP64 */
    __shared__ T Bs[TILE][TILE]; /* part of k x columns of this block; as many bytes */
    const int x = threadIdx.x, y = threadIdx.y;
    const int64_t row = duel_block_y() * TILE + y;
    const int64_t column = duel_block_x() * TILE + x;
    T sum = 0;
    /* Every thread of the block stays in this loop, also those outside C: they help to fetch, and all must arrive at
     * the barriers. */
    for (int64_t i = 0; i < k; i += TILE) {
        /* Outside A or B a tile holds 0, which adds nothing: rows past m, columns past n, and the last step along k. */
        As[y][x] = row < m && i + x < k ? A[row * lda + i + x] : T(0);
        Bs[y][x] = i + y < k && column < n ? B[(i + y) * ldb + column] : T(0);
        __syncthreads(); /* nobody reads the tiles before everybody has written its part */
        for (int j = 0; j < TILE; j++)
            sum += As[y][j] * Bs[j][x];
        __syncthreads(); /* nobody overwrites the tiles while somebody still reads them */
    }
    /* False for the threads that hang over the last row or column in the blocks along these edges. */
    if (row < m && column < n) {
        /* beta == 0 must not read C: it may hold NaN, and 0 * NaN is NaN. */
        T *c = &C[row * ldc + column];
        *c = beta == T(0) ? alpha * sum : alpha * sum + beta * *c;
    }
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(tiled<T>, duel_grid(p->n, TILE, p->m, TILE), dim3(TILE, TILE), 0, call->queue, p->m, p->n, p->k,
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
    return duel_tile_traffic(p, cache_bytes, TILE, TILE);
}

DUEL_IMPL(gpu_gemm_tiled) = {
    .name = "gpu/gemm/tiled",
    .builds_on = "gpu/gemm/coalesced",
    .doc =
        "The threads of a block fetch a 32 x 32 tile of A and one of B together, keep them in shared memory, and use "
        "every value 32 times before they fetch the next. "
        "Global memory therefore delivers 32 times fewer values than in coalesced. "
        "The two barriers are the price: one so that nobody reads before all have written, one so that nobody "
        "writes while others still read. "
        "Shared memory is now the limit, with two loads for every multiply-add. "
        "The next rung, block1d, lets each thread compute several elements from its registers.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .traffic = traffic,
    .traffic_model = "A is read for each 32 columns of C and B for each 32 rows, unless the cache still holds "
                     "them.",
    .run = run,
};
