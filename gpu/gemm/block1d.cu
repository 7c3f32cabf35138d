/* gpu/gemm/block1d: tiled, with each thread computing a column of 8 elements of C instead of one.
 *
 * Idea     In tiled every multiply-add needs two loads from shared memory. A thread that computes 8 elements one below
 *          the other needs 9 loads for 8 multiply-adds: the value of B stays in a register and serves all 8 sums.
 * Mapping  A block of 512 threads owns 64 x 64 of C. A warp is 32 columns; its threads go down 8 rows each. Along k the
 *          block walks in steps of 8, so that each thread fetches one value of A and one of B per step.
 * Traffic  Each value from global memory serves 64 multiply-adds, against 32 in tiled: 16 FLOP per byte in FP32.
 *          Shared memory: 9 loads per 8 multiply-adds, against 16 in tiled; As goes to a whole warp at once.
 * Limits   As is still loaded once per multiply-add. The next rung, block2d, keeps values of both in registers.
 *
 * Counted  global sectors = m * n * k / 256 + m * n / 8, shared requests = m * n * k / 2048 * 74
 */
#include "gpu/kernel.cuh"

constexpr int BM = 64, BN = 64; /* tile of C that a block owns */
constexpr int BK = 8;           /* depth of one step along k: 2 KiB of A and 2 KiB of B in FP32 */
constexpr int TM = 8;           /* elements of C that a thread owns, one below the other: as many registers */
constexpr int THREADS = BM / TM * BN;
static_assert(BM % TM == 0, "the rows of a block are shared out among its threads without a rest");
static_assert(BN % 32 == 0, "a warp stays in one row of threads, or loads of As would be no broadcast");
static_assert(BM * BK == THREADS && BK * BN == THREADS, "each thread fetches exactly one value of A and one of B");
static_assert(THREADS <= 1024, "a block of more than 1024 threads cannot be launched");
static_assert((BM + BN) * BK * sizeof(double) <= 48 * 1024, "two tiles must fit the 48 KiB that every block may have");

/* All matrices are row-major. index * ld is computed in 64 bits: in int it overflows from n = 46 341. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    block1d(int64_t m, int64_t n, int64_t k, T alpha, const T *A, int64_t lda, /* A: m x k */
            const T *B, int64_t ldb, T beta,                                   /* B: k x n */
            T *C, int64_t ldc)                                                 /* C: m x n */
{
    __shared__ T As[BM][BK]; /* rows of this block x part of k */
    __shared__ T Bs[BK][BN]; /* part of k x columns of this block */
    const int t = threadIdx.x;
    const int top = t / BN * TM, x = t % BN;                                   /* what this thread computes */
    const int a_row = t / BK, a_column = t % BK, b_row = t / BN, b_column = x; /* and what it fetches */
    const int64_t block_row = duel_block_y() * BM, column = duel_block_x() * BN + x;
    T sum[TM] = {};
    /* Every thread of the block stays in this loop, also those outside C: they help to fetch, and all must arrive at
     * the barriers. */
    for (int64_t step = 0; step < k; step += BK) {
        /* Outside A or B a tile holds 0, which adds nothing: rows past m, columns past n, and the last step along k. */
        As[a_row][a_column] =
            block_row + a_row < m && step + a_column < k ? A[(block_row + a_row) * lda + step + a_column] : T(0);
        Bs[b_row][b_column] = step + b_row < k && column < n ? B[(step + b_row) * ldb + column] : T(0);
        __syncthreads(); /* nobody reads the tiles before everybody has written its part */
        DUEL_UNROLL
        for (int j = 0; j < BK; j++) {
            const T b = Bs[j][x];
            DUEL_UNROLL
            for (int i = 0; i < TM; i++)
                sum[i] += As[top + i][j] * b;
        }
        __syncthreads(); /* nobody overwrites the tiles while somebody still reads them */
    }
    DUEL_UNROLL
    for (int i = 0; i < TM; i++) {
        const int64_t row = block_row + top + i;
        /* False for what hangs over the last row or column in the blocks along these edges. */
        if (row < m && column < n) {
            /* beta == 0 must not read C: it may hold NaN, and 0 * NaN is NaN. */
            T *c = &C[row * ldc + column];
            *c = beta == T(0) ? alpha * sum[i] : alpha * sum[i] + beta * *c;
        }
    }
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(block1d<T>, duel_grid(p->n, BN, p->m, BM), dim3(THREADS), 0, call->queue, p->m, p->n, p->k,
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
    return duel_tile_traffic(p, cache_bytes, BM, BN);
}

DUEL_IMPL(gpu_gemm_block1d) = {
    .name = "gpu/gemm/block1d",
    .builds_on = "gpu/gemm/tiled",
    .doc =
        "Each thread computes 8 elements of C, one below the other, and keeps their sums in registers. "
        "A value of B is loaded from shared memory once and used for all 8, so a multiply-add costs little more than "
        "one such load instead of two. "
        "Fewer threads now own a larger tile, so every value from global memory also serves twice as many "
        "multiply-adds. "
        "The arithmetic units still wait for shared memory, now for the values of A. "
        "The next rung, block2d, keeps a small tile of C per thread and loads both operands from registers.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .traffic = traffic,
    .traffic_model = "A is read for each 64 columns of C and B for each 64 rows, unless the cache still holds "
                     "them.",
    .run = run,
};
