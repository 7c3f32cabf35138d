/* gpu/transpose/vectorised: padded, with 16 bytes in each access of global memory.
 *
 * Idea     A thread can move four neighbouring floats with one instruction. So it reads four of a row of A, puts them
 *          into the tile one by one, and takes four of a column out for one write to a row of B.
 * Mapping  256 threads and a tile of 64 x 64: a warp moves pieces of 4 rows x 32 columns, four of them each way, so
 *          that each thread has four reads of 16 bytes under way. In a piece 8 threads have 128 bytes of a row.
 * Traffic  As in padded, in a quarter of the requests: 16 sectors for the 512 bytes of each. With rows of 65 floats the
 *          4 rows x 8 threads of a warp are in 32 banks, whichever of its four elements each of them moves.
 * Limits   Memory. Where rows do not begin at multiples of 16 bytes, and at the edges, elements are moved one by one.
 *
 * Counted  global requests = m * n / 64, global sectors = m * n / 4
 * Counted  shared requests = m * n / 16, shared rounds = m * n / 16
 * PTX      ld.global.(nc.)?v4 st.global.cs.v4
 * SASS     LDG.E.128 STG.E.*128
 */
#include "gpu/vector.cuh"

constexpr int TILE = 64; /* each way: 16.25 KiB of shared memory with its padding */
constexpr int PAD = 1;   /* spare elements after each row of the tile: the next row begins one bank further on */
constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;
constexpr int WIDE = DUEL_WIDE;                               /* floats per access */
constexpr int DOWN = 4;                                       /* rows of a piece, */
constexpr int ACROSS = 32;                                    /* and its columns: DOWN * ACROSS = 32 lanes * WIDE */
constexpr int PIECES = TILE / DOWN * (TILE / ACROSS) / WARPS; /* of each warp */
static_assert(DOWN * ACROSS == 32 * WIDE, "a warp moves a piece at once");
static_assert(TILE * (TILE + PAD) * sizeof(float) <= 48 * 1024,
              "the tile must fit the 48 KiB that every block may have");

enum { A = 0, B = 1 };

/* Where this thread works in piece number `piece` of its warp: four elements of one row, from this column on. */
struct place {
    int row, column;
};

static __device__ inline place place_of(int piece)
{
    const int lane = threadIdx.x % 32, number = piece * WARPS + threadIdx.x / 32;
    return {number / (TILE / ACROSS) * DOWN + lane / (ACROSS / WIDE),
            number % (TILE / ACROSS) * ACROSS + lane % (ACROSS / WIDE) * WIDE};
}

/* One tile, whose first element in A is (top, left). WHOLE: none of it hangs over an edge, and all fours begin at
 * multiples of 16 bytes. The whole block has the same answer, so it meets at the same barrier. */
template <bool WHOLE>
static __device__ inline void move(float (*tile)[TILE + PAD], int64_t top, int64_t left, int64_t m, int64_t n,
                                   const float *a, int64_t lda, float *b, int64_t ldb)
{
    DUEL_UNROLL
    for (int piece = 0; piece < PIECES; piece++) {
        const place at = place_of(piece);
        const int64_t row = top + at.row, column = left + at.column;
        float four[WIDE];
        if (WHOLE)
            duel_copy4(four, a + row * lda + column);
        DUEL_UNROLL
        for (int i = 0; i < WIDE; i++) {
            if (!WHOLE) /* what does not exist is 0 and will not be written */
                four[i] = row < m && column + i < n ? a[row * lda + column + i] : 0.0f;
            tile[at.row][at.column + i] = four[i];
        }
    }
    __syncthreads(); /* nobody reads the tile before everybody has written its part */
    DUEL_UNROLL
    for (int piece = 0; piece < PIECES; piece++) {
        const place at = place_of(piece);
        const int64_t row = left + at.row, column = top + at.column; /* now of B */
        float four[WIDE];
        DUEL_UNROLL
        for (int i = 0; i < WIDE; i++) {
            four[i] = tile[at.column + i][at.row];
            if (!WHOLE && row < n && column + i < m)
                b[row * ldb + column + i] = four[i];
        }
        /* __stcs: nobody reads B here, so it need not push A out of the caches. It is also one instruction for sure. */
        if (WHOLE)
            __stcs(reinterpret_cast<float4 *>(b + row * ldb + column), make_float4(four[0], four[1], four[2], four[3]));
    }
}

/* Both row-major. index * ld is computed in 64 bits: in int it overflows from 46 341 rows of as many elements. */
static __global__ void __launch_bounds__(THREADS)
    transpose(int64_t m, int64_t n, const float *a, int64_t lda, /* A: m x n */
              float *b, int64_t ldb)                             /* B: n x m */
{
    __shared__ float tile[TILE][TILE + PAD];
    const int64_t top = duel_block_y() * TILE, left = duel_block_x() * TILE; /* of the tile in A */
    const bool whole = top + TILE <= m && left + TILE <= n;
    if (whole && lda % WIDE == 0 && ldb % WIDE == 0 && duel_aligned(a) && duel_aligned(b))
        move<true>(tile, top, left, m, n, a, lda, b, ldb);
    else
        move<false>(tile, top, left, m, n, a, lda, b, ldb);
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(transpose, duel_grid(p->n, TILE, p->m, TILE), dim3(THREADS), 0, call->queue, p->m, p->n,
                static_cast<const float *>(call->operand[A]), p->ld[A], static_cast<float *>(call->operand[B]),
                p->ld[B]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

DUEL_IMPL(gpu_transpose_vectorised) = {
    .name = "gpu/transpose/vectorised",
    .builds_on = "gpu/transpose/padded",
    .doc =
        "Four neighbouring floats are read with one instruction and four are written with one. "
        "In between they go through shared memory one by one, because neighbours in a row are none in a column. "
        "The threads of a warp are arranged in 4 rows of 8, so that the padding keeps all of them in different banks. "
        "Each thread has 64 bytes under way, which is what it takes to keep a fast memory busy.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}},
    .run = run,
};
