/* gpu/gemm/warptiled: vectorised, with the threads of each warp gathered on a tile of C as square as can be.
 *
 * Idea     The 32 threads of a warp load together, and what several of them load at once shared memory delivers once.
 *          So what counts is how many different values a warp needs. In vectorised its threads stand 2 x 16 and need
 *          2 x 8 rows and 16 x 8 columns; standing 4 x 8 they need 4 x 8 rows and 8 x 8 columns.
 * Mapping  A block of 8 warps owns 128 x 128 of C and a warp 32 x 64 of it. Its threads stand 4 x 8, and each owns four
 *          squares of 4 x 4. Only this arithmetic of places differs from vectorised.
 * Traffic  At each step along k a warp reads 96 different values from shared memory for its 2048 multiply-adds, against
 *          144 in vectorised. From global memory the same bytes as there.
 * Limits   While a block fetches it does not compute: all wait at the barrier until the slowest load has arrived. Next
 *          rung: pipelined, which fetches the next tiles while it computes with these.
 *
 * Counted  global sectors = m * n * k / 512 + m * n / 8, shared requests = m * n * k / 16384 * 37
 * PTX      ld.global.v4 st.global.v4 ld.shared.v4
 * SASS     LDG.E.128 STG.E.128 LDS.*128
 */
#include "gpu/vector.cuh"

#ifndef DUEL_TILE                 /* else in the file of another tile shape, which includes this one */
constexpr int BM = 128, BN = 128; /* tile of C that a block owns */
constexpr int TM = 8, TN = 8;     /* elements of C that a thread owns: 64 registers */
constexpr int WM = 32, WN = 64;   /* tile of C that a warp owns */
#endif
constexpr int BK = 8;           /* depth of one step along k: 4 KiB of A and 4 KiB of B */
constexpr int WIDE = DUEL_WIDE; /* floats per access */
constexpr int DOWN = WM / TM;   /* threads down a warp */
constexpr int ACROSS = WN / TN; /* threads across a warp */
constexpr int THREADS = BM / WM * (BN / WN) * 32;
/* Spare floats after each row of As. Without them the threads that write one column of A in two rows of As would do so
 * in the same banks; four of them, not one, keep every row at a multiple of 16 bytes. */
constexpr int PAD = 4;
static_assert(TM % WIDE == 0 && TN % WIDE == 0, "a thread's elements lie side by side in fours");
static_assert(DOWN * ACROSS == 32, "the tile of a warp is shared out among its 32 threads");
static_assert(BM % WM == 0 && BN % WN == 0, "the tile of a block is shared out among its warps without a rest");
static_assert(BM * BK == WIDE * THREADS && BK * BN == WIDE * THREADS, "each thread fetches four values of A and of B");
static_assert(BK % WIDE == 0 && BN % WIDE == 0 && PAD % WIDE == 0, "all four of an access lie in one row of a tile");
static_assert((BM + PAD + BN) * BK * sizeof(float) <= 48 * 1024, "both tiles must fit the 48 KiB every block may have");

/* All matrices are row-major. index * ld is computed in 64 bits: in int it overflows from n = 46 341. Two blocks per
 * multiprocessor leave each thread 128 of its 65 536 registers. */
static __global__ void __launch_bounds__(THREADS, 2)
    warptiled(int64_t m, int64_t n, int64_t k, float alpha, const float *A, int64_t lda, /* A: m x k */
              const float *B, int64_t ldb, float beta,                                   /* B: k x n */
              float *C, int64_t ldc)                                                     /* C: m x n */
{
    alignas(16) __shared__ float As[BK][BM + PAD]; /* part of k x rows of this block: A turned over */
    alignas(16) __shared__ float Bs[BK][BN];       /* part of k x columns of this block */
    const int t = threadIdx.x;
    const int warp_row = t / 32 / (BN / WN) * WM, warp_column = t / 32 % (BN / WN) * WN; /* this warp's in the block */
    const int y = t % 32 / ACROSS, x = t % ACROSS;                                       /* this thread's in the warp */
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
                duel_copy4(a[i], &As[kk][warp_row + (i * DOWN + y) * WIDE]);
            DUEL_UNROLL
            for (int j = 0; j < TN / WIDE; j++)
                duel_copy4(b[j], &Bs[kk][warp_column + (j * ACROSS + x) * WIDE]);
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
        const int64_t row = block_row + warp_row + (i / WIDE * DOWN + y) * WIDE + i % WIDE;
        DUEL_UNROLL
        for (int j = 0; j < TN / WIDE; j++) {
            const int64_t column = block_column + warp_column + (j * ACROSS + x) * WIDE;
            /* Nothing is left of rows past m, and little or nothing along the last column. */
            duel_update4(&C[row * ldc + column], alpha, sum[i][j], beta, row < m ? n - column : 0);
        }
    }
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(warptiled, duel_grid(p->n, BN, p->m, BM), dim3(THREADS), 0, call->queue, p->m, p->n, p->k,
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

#ifndef DUEL_TILE
DUEL_IMPL(gpu_gemm_warptiled) = {
    .name = "gpu/gemm/warptiled",
    .builds_on = "gpu/gemm/vectorised",
    .doc =
        "A block's tile of C is cut into one tile per warp, and a warp's tile is as square as 32 threads can make it. "
        "Shared memory delivers a value once to all threads of a warp that ask for it together, so a square warp needs "
        "96 different values where a long thin one needs 144. "
        "The code differs from vectorised only in which thread stands where. "
        "Loading and computing still take turns. "
        "The next rung, pipelined, does both at once.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}},
    .traffic = traffic,
    .traffic_model = "A is read for each 128 columns of C and B for each 128 rows, unless the cache still holds "
                     "them.",
    .run = run,
};
#endif
