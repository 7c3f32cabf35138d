/* gpu/gemm/pipelined: warptiled, fetching the next tiles while it computes with these.
 *
 * Idea     cp.async starts a copy from global to shared memory and lets the thread go on. With two pairs of tiles the
 *          block computes with one while the copies fill the other; then they change places. The copies need no
 *          registers either, where a load holds one per value until it arrives.
 * Mapping  As in warptiled. But cp.async moves 16 bytes as they are and cannot turn A over, so As keeps A's rows: a
 *          thread's rows lie 4 apart, and it reads four steps along k of each at once.
 * Traffic  The bytes and the loads from shared memory of warptiled. One barrier per step instead of two: it says at
 *          once that the next tiles have arrived and that nobody reads these any more.
 * Limits   This is close to what FP32 arithmetic units can do; the rest of the way is choosing tiles by the shape of
 *          the matrix. Next: mma_fp16 does the same on Tensor Cores; cublas is the mark.
 *
 * Counted  global sectors = m * n * k / 512 + m * n / 8, shared requests = m * n * k / 16384 * 34
 * PTX      cp.async.cg cp.async.wait_group ld.shared.v4 st.global.v4
 * SASS     LDGSTS LDS.*128 STG.E.128
 */
#include "gpu/ptx.cuh"
#include "gpu/vector.cuh"

#ifndef DUEL_TILE                 /* else in the file of another tile shape, which includes this one */
constexpr int BM = 128, BN = 128; /* tile of C that a block owns */
constexpr int TM = 8, TN = 8;     /* elements of C that a thread owns: 64 registers */
constexpr int WM = 32, WN = 64;   /* tile of C that a warp owns */
#endif
constexpr int BK = 16;          /* depth of one step along k: 8 KiB of A and 8 KiB of B, twice */
constexpr int WIDE = DUEL_WIDE; /* floats per access */
constexpr int DOWN = WM / TM;   /* threads down a warp: a thread's rows are this far apart */
constexpr int ACROSS = WN / TN; /* threads across a warp */
constexpr int THREADS = BM / WM * (BN / WN) * 32;
/* Spare floats after each row of As: rows of 64 bytes would put every other row in the same banks. */
constexpr int PAD = 4;
static_assert(DOWN * ACROSS == 32, "the tile of a warp is shared out among its 32 threads");
static_assert(BM % WM == 0 && BN % WN == 0, "the tile of a block is shared out among its warps without a rest");
static_assert(BM * BK % (WIDE * THREADS) == 0 && BK * BN % (WIDE * THREADS) == 0, "all threads fetch equally much");
static_assert(BK % WIDE == 0 && BN % WIDE == 0 && PAD % WIDE == 0, "all four of an access lie in one row of a tile");
static_assert(2 * (BM * (BK + PAD) + BK * BN) * sizeof(float) <= 48 * 1024, "48 KiB is what every block may have");

/* Starts copies of a tile of a row-major matrix. `from` is the tile's first element; `rows` and `columns` are how much
 * of the matrix is left from there, perhaps less than a tile, perhaps nothing. What is outside becomes 0. `plain` says
 * that nothing is, and that all addresses are multiples of 16. */
template <int ROWS, int COLUMNS, int LD>
static __device__ inline void fetch(float (&tile)[ROWS][LD], const float *from, int64_t ld, int64_t rows,
                                    int64_t columns, bool plain)
{
    DUEL_UNROLL
    for (int pass = 0; pass < ROWS * COLUMNS; pass += WIDE * THREADS) {
        const int row = (pass + threadIdx.x * WIDE) / COLUMNS, column = (pass + threadIdx.x * WIDE) % COLUMNS;
        const float *source = from + row * ld + column;
        float *target = &tile[row][column];
        if (plain) {
            ptx_copy16(target, source, 16);
            continue;
        }
        const int64_t left = row < rows ? columns - column : 0;
        if (left >= WIDE && duel_aligned(source))
            ptx_copy16(target, source, 16);
        else
            for (int i = 0; i < WIDE; i++)
                ptx_copy4(target + i, source + i, i < left ? 4 : 0);
    }
}

/* All matrices are row-major. index * ld is computed in 64 bits: in int it overflows from n = 46 341. Two blocks per
 * multiprocessor leave each thread 128 of its 65 536 registers. */
static __global__ void __launch_bounds__(THREADS, 2)
    pipelined(int64_t m, int64_t n, int64_t k, float alpha, const float *A, int64_t lda, /* A: m x k */
              const float *B, int64_t ldb, float beta,                                   /* B: k x n */
              float *C, int64_t ldc)                                                     /* C: m x n */
{
    alignas(16) __shared__ float As[2][BM][BK + PAD]; /* rows of this block x part of k, twice */
    alignas(16) __shared__ float Bs[2][BK][BN];       /* part of k x columns of this block, twice */
    const int t = threadIdx.x;
    const int warp_row = t / 32 / (BN / WN) * WM, warp_column = t / 32 % (BN / WN) * WN; /* this warp's in the block */
    const int y = t % 32 / ACROSS, x = t % ACROSS;                                       /* this thread's in the warp */
    const int64_t block_row = duel_block_y() * BM, block_column = duel_block_x() * BN;
    const bool inside = block_row + BM <= m && block_column + BN <= n && lda % WIDE == 0 && ldb % WIDE == 0 &&
                        duel_aligned(A) && duel_aligned(B);
    float sum[TM][TN / WIDE][WIDE] = {};
    /* Every thread of the block stays in this loop, also those outside C: they help to fetch, and all must arrive at
     * the barriers. It runs once more than there are steps: the copies for a step start one turn before it. */
    for (int64_t next = 0; next < k + BK; next += BK) {
        const int buffer = next / BK % 2; /* where the next tiles go; the others hold what is computed with now */
        ptx_wait<0>();                    /* what this thread copied for this step has arrived */
        __syncthreads();                  /* so has everybody's, and nobody reads the buffer that is filled next */
        if (next < k) {
            const bool plain = inside && next + BK <= k;
            fetch<BM, BK>(As[buffer], A + block_row * lda + next, lda, m - block_row, k - next, plain);
            fetch<BK, BN>(Bs[buffer], B + next * ldb + block_column, ldb, k - next, n - block_column, plain);
            ptx_commit();
        }
        if (next == 0)
            continue; /* nothing has arrived yet */
        DUEL_UNROLL
        for (int four = 0; four < BK; four += WIDE) {
            float a[TM][WIDE]; /* four steps along k of this thread's rows, in registers */
            DUEL_UNROLL
            for (int i = 0; i < TM; i++)
                duel_copy4(a[i], &As[1 - buffer][warp_row + i * DOWN + y][four]);
            DUEL_UNROLL
            for (int kk = 0; kk < WIDE; kk++) {
                float b[TN / WIDE][WIDE]; /* this thread's part of a row of Bs */
                DUEL_UNROLL
                for (int j = 0; j < TN / WIDE; j++)
                    duel_copy4(b[j], &Bs[1 - buffer][four + kk][warp_column + (j * ACROSS + x) * WIDE]);
                DUEL_UNROLL
                for (int i = 0; i < TM; i++) {
                    DUEL_UNROLL
                    for (int j = 0; j < TN; j++)
                        sum[i][j / WIDE][j % WIDE] += a[i][kk] * b[j / WIDE][j % WIDE];
                }
            }
        }
    }
    DUEL_UNROLL
    for (int i = 0; i < TM; i++) {
        const int64_t row = block_row + warp_row + i * DOWN + y;
        DUEL_UNROLL
        for (int j = 0; j < TN / WIDE; j++) {
            const int64_t column = block_column + warp_column + (j * ACROSS + x) * WIDE;
            /* Nothing is left of rows past m, and little or nothing along the last column. */
            duel_update4(&C[row * ldc + column], alpha, sum[i][j], beta, row < m ? n - column : 0);
        }
    }
}

/* Not timed: only looks whether this GPU runs code with cp.async. */
static enum duel_status open(struct duel_call *call)
{
    return duel_ampere_code(pipelined, call->why);
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(pipelined, duel_grid(p->n, BN, p->m, BM), dim3(THREADS), 0, call->queue, p->m, p->n, p->k,
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
DUEL_IMPL(gpu_gemm_pipelined) = {
    .name = "gpu/gemm/pipelined",
    .builds_on = "gpu/gemm/warptiled",
    .doc =
        "While the threads compute with one pair of tiles, the next pair is already on its way. "
        "The instruction cp.async copies from global to shared memory past the registers, and the thread that started "
        "it goes on at once. "
        "There are two pairs of tiles, and one barrier per step tells that the next is complete and this one free. "
        "That takes compute capability 8.0 or newer. "
        "What is left between this row and cublas is choosing tiles by the shape of the matrix.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}},
    .traffic = traffic,
    .traffic_model = "A is read for each 128 columns of C and B for each 128 rows, unless the cache still holds them.",
    .supports = duel_ampere_supports,
    .open = open,
    .run = run,
};
#endif
