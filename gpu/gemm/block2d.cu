/* gpu/gemm/block2d: block1d, with each thread computing a square of 8 x 8 elements of C instead of a column.
 *
 * Idea     8 values of A and 8 of B make 64 products. A thread that holds both in registers needs 16 loads from shared
 *          memory for 64 multiply-adds: one for every four, where block1d needs more than one for each.
 * Mapping  A block of 256 threads, 16 x 16, owns 128 x 128 of C. The 64 elements of a thread do not lie side by side
 *          but 16 apart, each way: so the threads of a warp always read neighbours of Bs and write neighbours of C.
 * Traffic  Each value from global memory serves 128 multiply-adds: 32 FLOP per byte in FP32, twice block1d. Shared
 *          memory: 16 loads per 64 multiply-adds, none with a bank conflict: a warp reads 2 rows of As that lie in
 *          different banks, and 16 columns of Bs side by side.
 * Limits   Every load still moves a single value and costs an instruction as long as any. 64 sums, 16 operands and the
 *          addresses of 8 fetches need more than 128 registers: a multiprocessor has room for one block only, and
 *          idles at its barriers. Next rung: vectorised, which moves four values with one instruction.
 *
 * Counted  global sectors = m * n * k / 512 + m * n / 8, shared requests = m * n * k / 16384 * 136
 */
#include "gpu/kernel.cuh"

#ifndef DUEL_TILE                 /* else in the file of another tile shape, which includes this one */
constexpr int BM = 128, BN = 128; /* tile of C that a block owns */
constexpr int TM = 8, TN = 8;     /* elements of C that a thread owns: 64 registers in FP32, 128 in FP64 */
#endif
constexpr int BK = 8;           /* depth of one step along k: 4 KiB of A and 4 KiB of B in FP32 */
constexpr int DOWN = BM / TM;   /* threads down a block: a thread's rows are this far apart */
constexpr int ACROSS = BN / TN; /* threads across a block: a thread's columns are this far apart */
constexpr int THREADS = DOWN * ACROSS;
static_assert(BM % TM == 0 && BN % TN == 0, "the tile of a block is shared out among its threads without a rest");
static_assert(ACROSS % 16 == 0, "at least 16 threads side by side, or a warp would write less than whole sectors of C");
static_assert(BM * BK % THREADS == 0 && BK * BN % THREADS == 0, "all threads fetch equally much");
static_assert(THREADS % BK == 0 && THREADS % BN == 0, "a thread stays in its column of the tile while it fetches");
static_assert((BM + BN) * BK * sizeof(double) <= 48 * 1024, "two tiles must fit the 48 KiB that every block may have");

/* All matrices are row-major. index * ld is computed in 64 bits: in int it overflows from n = 46 341. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    block2d(int64_t m, int64_t n, int64_t k, T alpha, const T *A, int64_t lda, /* A: m x k */
            const T *B, int64_t ldb, T beta,                                   /* B: k x n */
            T *C, int64_t ldc)                                                 /* C: m x n */
{
    __shared__ T As[BM][BK]; /* rows of this block x part of k */
    __shared__ T Bs[BK][BN]; /* part of k x columns of this block */
    const int t = threadIdx.x, y = t / ACROSS, x = t % ACROSS;
    const int64_t block_row = duel_block_y() * BM, block_column = duel_block_x() * BN;
    T sum[TM][TN] = {};
    /* Every thread of the block stays in this loop, also those outside C: they help to fetch, and all must arrive at
     * the barriers. */
    for (int64_t step = 0; step < k; step += BK) {
        /* Outside A or B a tile holds 0, which adds nothing: rows past m, columns past n, and the last step along k. */
        DUEL_UNROLL
        for (int pass = 0; pass < BM * BK; pass += THREADS) {
            const int i = pass + t;
            const int64_t row = block_row + i / BK, column = step + i % BK;
            As[i / BK][i % BK] = row < m && column < k ? A[row * lda + column] : T(0);
        }
        DUEL_UNROLL
        for (int pass = 0; pass < BK * BN; pass += THREADS) {
            const int i = pass + t;
            const int64_t row = step + i / BN, column = block_column + i % BN;
            Bs[i / BN][i % BN] = row < k && column < n ? B[row * ldb + column] : T(0);
        }
        __syncthreads(); /* nobody reads the tiles before everybody has written its part */
        DUEL_UNROLL
        for (int kk = 0; kk < BK; kk++) {
            T a[TM], b[TN]; /* a part of a column of As and of a row of Bs, in registers */
            DUEL_UNROLL
            for (int i = 0; i < TM; i++)
                a[i] = As[y + i * DOWN][kk];
            DUEL_UNROLL
            for (int j = 0; j < TN; j++)
                b[j] = Bs[kk][x + j * ACROSS];
            DUEL_UNROLL
            for (int i = 0; i < TM; i++) {
                DUEL_UNROLL
                for (int j = 0; j < TN; j++)
                    sum[i][j] += a[i] * b[j];
            }
        }
        __syncthreads(); /* nobody overwrites the tiles while somebody still reads them */
    }
    DUEL_UNROLL
    for (int i = 0; i < TM; i++) {
        DUEL_UNROLL
        for (int j = 0; j < TN; j++) {
            const int64_t row = block_row + y + i * DOWN, column = block_column + x + j * ACROSS;
            /* False for what hangs over the last row or column in the blocks along these edges. */
            if (row < m && column < n) {
                /* beta == 0 must not read C: it may hold NaN, and 0 * NaN is NaN. */
                T *c = &C[row * ldc + column];
                *c = beta == T(0) ? alpha * sum[i][j] : alpha * sum[i][j] + beta * *c;
            }
        }
    }
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(block2d<T>, duel_grid(p->n, BN, p->m, BM), dim3(THREADS), 0, call->queue, p->m, p->n, p->k,
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

#ifndef DUEL_TILE
DUEL_IMPL(gpu_gemm_block2d) = {
    .name = "gpu/gemm/block2d",
    .builds_on = "gpu/gemm/block1d",
    .doc =
        "Each thread computes 8 x 8 elements of C and keeps all 64 sums in registers. "
        "It loads 8 values of A and 8 of B and makes 64 products of them, one load from shared memory for every four "
        "multiply-adds. "
        "This step is worth more than any other on the ladder after the first, because the arithmetic units get their "
        "operands from registers at last. "
        "Its price is registers: fewer threads fit a multiprocessor, and each must do more on its own. "
        "The next rung, vectorised, loads four values at a time.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .traffic = traffic,
    .traffic_model = "A is read for each 128 columns of C and B for each 128 rows, unless the cache still holds "
                     "them.",
    .run = run,
};
#endif
