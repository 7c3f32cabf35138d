/* gpu/gemm/vectorised: block2d, with every load and store moving four floats at once.
 *
 * Idea     A thread can load 16 bytes with one instruction that costs as much as one for 4 bytes. For that the four
 *          values must be neighbours: so a thread's columns now lie side by side in fours, and A is turned over on its
 *          way into shared memory, which makes neighbours of the rows that a thread needs at one step along k.
 * Mapping  A block of 256 threads, 16 x 16, owns 128 x 128 of C. A thread owns 8 x 8 as four squares of 4 x 4 that lie
 *          64 apart, each way. While fetching, each thread brings four values of A and four of B.
 * Traffic  The same bytes as in block2d, in a quarter of the instructions: 4 loads of 16 bytes from shared memory per
 *          64 multiply-adds, against 16 loads of 4.
 * Limits   The 32 threads of a warp need 2 x 8 rows and 16 x 8 columns at each step, a long thin tile: 144 values for
 *          2048 multiply-adds. Next rung: warptiled, which gives a warp a tile as square as can be.
 *
 * Counted  global sectors = m * n * k / 512 + m * n / 8, shared requests = m * n * k / 16384 * 37
 * PTX      ld.global.v4 st.global.v4 ld.shared.v4
 * SASS     LDG.E.128 STG.E.128 LDS.*128
 */
#include "gpu/vector.cuh"

constexpr int BM = 128, BN = 128; /* tile of C that a block owns */
constexpr int BK = 8;             /* depth of one step along k: 4 KiB of A and 4 KiB of B */
constexpr int TM = 8, TN = 8;     /* elements of C that a thread owns: 64 registers */
constexpr int WIDE = DUEL_WIDE;   /* floats per access */
constexpr int DOWN = BM / TM;     /* threads down a block */
constexpr int ACROSS = BN / TN;   /* threads across a block */
constexpr int THREADS = DOWN * ACROSS;
/* Spare floats after each row of As. Without them the threads that write one column of A in two rows of As would do so
 * in the same banks; four of them, not one, keep every row at a multiple of 16 bytes. */
constexpr int PAD = 4;
static_assert(TM % WIDE == 0 && TN % WIDE == 0, "a thread's elements lie side by side in fours");
static_assert(BM * BK == WIDE * THREADS && BK * BN == WIDE * THREADS, "each thread fetches four values of A and of B");
static_assert(BK % WIDE == 0 && BN % WIDE == 0 && PAD % WIDE == 0, "all four of an access lie in one row of a tile");
static_assert((BM + PAD + BN) * BK * sizeof(float) <= 48 * 1024, "both tiles must fit the 48 KiB every block may have");

/* All matrices are row-major. index * ld is computed in 64 bits: in int it overflows from n = 46 341. Two blocks per
 * multiprocessor leave each thread 128 of its 65 536 registers. */
static __global__ void __launch_bounds__(THREADS, 2)
    vectorised(int64_t m, int64_t n, int64_t k, float alpha, const float *A, int64_t lda, /* A: m x k */
               const float *B, int64_t ldb, float beta,                                   /* B: k x n */
               float *C, int64_t ldc)                                                     /* C: m x n */
{
    alignas(16) __shared__ float As[BK][BM + PAD]; /* part of k x rows of this block: A turned over */
    alignas(16) __shared__ float Bs[BK][BN];       /* part of k x columns of this block */
    const int t = threadIdx.x;
    const int y = t / ACROSS, x = t % ACROSS;                             /* this thread's place in the block */
    const int a_row = t / (BK / WIDE), a_column = t % (BK / WIDE) * WIDE; /* what it fetches of A: four from here on */
    const int b_row = t / (BN / WIDE), b_column = t % (BN / WIDE) * WIDE; /* and of B */
    const int64_t block_row = duel_block_y() * BM, block_column = duel_block_x() * BN;
    float sum[TM][TN / WIDE][WIDE] = {};
    /* Every thread of the block stays in this loop, also those outside C: they help to fetch, and all must arrive at
     * the barriers. */
    for (int64_t step = 0; step < k; step += BK) {
        /* Outside A or B a tile holds 0, which adds nothing: rows past m, columns past n, and the last step along k. */
        const int64_t a_left = block_row + a_row < m ? k - step - a_column : 0;
        const int64_t b_left = step + b_row < k ? n - block_column - b_column : 0;
        float a_four[WIDE];
        duel_fetch4(a_four, A + (block_row + a_row) * lda + step + a_column, a_left);
        DUEL_UNROLL
        for (int i = 0; i < WIDE; i++)
            As[a_column + i][a_row] = a_four[i];
        float b_four[WIDE];
        duel_fetch4(b_four, B + (step + b_row) * ldb + block_column + b_column, b_left);
        duel_put4(&Bs[b_row][b_column], b_four);
        __syncthreads(); /* nobody reads the tiles before everybody has written its part */
        DUEL_UNROLL
        for (int kk = 0; kk < BK; kk++) {
            float a[TM / WIDE][WIDE], b[TN / WIDE][WIDE]; /* a part of a row of As and of Bs, in registers */
            DUEL_UNROLL
            for (int i = 0; i < TM / WIDE; i++)
                duel_copy4(a[i], &As[kk][(i * DOWN + y) * WIDE]);
            DUEL_UNROLL
            for (int j = 0; j < TN / WIDE; j++)
                duel_copy4(b[j], &Bs[kk][(j * ACROSS + x) * WIDE]);
            DUEL_UNROLL
            for (int i = 0; i < TM; i++) {
                DUEL_UNROLL
                for (int j = 0; j < TN; j++)
                    sum[i][j / WIDE][j % WIDE] += a[i / WIDE][i % WIDE] * b[j / WIDE][j % WIDE];
            }
        }
        __syncthreads(); /* nobody overwrites the tiles while somebody still reads them */
    }
    DUEL_UNROLL
    for (int i = 0; i < TM; i++) {
        const int64_t row = block_row + (i / WIDE * DOWN + y) * WIDE + i % WIDE;
        DUEL_UNROLL
        for (int j = 0; j < TN / WIDE; j++) {
            const int64_t column = block_column + (j * ACROSS + x) * WIDE;
            /* Nothing is left of rows past m, and little or nothing along the last column. */
            duel_update4(&C[row * ldc + column], alpha, sum[i][j], beta, row < m ? n - column : 0);
        }
    }
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(vectorised, duel_grid(p->n, BN, p->m, BM), dim3(THREADS), 0, call->queue, p->m, p->n, p->k,
                static_cast<float>(p->alpha), static_cast<const float *>(call->operand[DUEL_A]), p->ld[DUEL_A],
                static_cast<const float *>(call->operand[DUEL_B]), p->ld[DUEL_B], static_cast<float>(p->beta),
                static_cast<float *>(call->operand[DUEL_C]), p->ld[DUEL_C]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static duel_bytes traffic(const struct duel_problem *p, duel_bytes cache_bytes)
{
    return duel_tile_traffic(p, cache_bytes, BM, BN);
}

DUEL_IMPL(gpu_gemm_vectorised) = {
    .name = "gpu/gemm/vectorised",
    .builds_on = "gpu/gemm/block2d",
    .doc = "All loads and stores move four floats with one instruction, from global memory and from shared memory. "
           "The bytes are the same as in block2d, but the instructions that move them are a quarter. "
           "To make neighbours of the rows that a thread needs, A is turned over while it is written to shared memory. "
           "Where rows do not start at multiples of 16 bytes, and at the edges, it falls back to single floats: a "
           "leading dimension that is a multiple of 4 pays. "
           "The next rung, warptiled, looks at what a warp reads together.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}},
    .traffic = traffic,
    .traffic_model = "A is read for each 128 columns of C and B for each 128 rows, unless the cache still holds "
                     "them.",
    .run = run,
};
