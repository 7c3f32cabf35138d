/* mma_tiles.cuh: the tiles of the mma kernels: their sizes, how they get into shared memory, and how a warp gets them
 * from there into the layouts that mma.sync multiplies. */
#ifndef DUEL_GEMM_MMA_TILES_CUH
#define DUEL_GEMM_MMA_TILES_CUH

#include "gpu/ptx.cuh"

constexpr int BM = 128, BN = 128; /* tile of C that a block owns */
constexpr int BK_BYTES = 64;      /* depth of one step along k: 32 values of 16 bits, or 16 of TF32 */
constexpr int WM = 64, WN = 64;   /* tile of C that a warp owns: 128 sums a thread */
constexpr int STAGES = 3;         /* pairs of tiles: two on their way while one is computed with */
constexpr int PM = 16, PN = 8;    /* a piece of C: what one mma.sync adds to */
constexpr int FM = WM / PM, FN = WN / PN;
constexpr int CHUNK = 16; /* bytes that are moved together */
constexpr int THREADS = BM / WM * (BN / WN) * 32;
static_assert(WM % PM == 0 && WN % (2 * PN) == 0, "a warp's tile consists of whole pieces, loaded two at a time");
static_assert(BM % WM == 0 && BN % WN == 0, "the tile of a block is shared out among its warps without a rest");
static_assert(BM * BK_BYTES % (CHUNK * THREADS) == 0 && BK_BYTES * BN % (CHUNK * THREADS) == 0,
              "all threads fetch equally much");
static_assert(STAGES >= 2, "one pair of tiles is filled while another is read");
static_assert(STAGES * (BM + BN) * BK_BYTES <= 48 * 1024, "48 KiB a block: every GPU from 8.0 on has room for two");

/* Which place of its row chunk number `chunk` is kept in. ldmatrix reads a chunk of 8 rows at a time, which must come
 * from 8 different groups of 4 banks. Rows of As have 4 chunks, so every other one begins at the same bank; of Bs all
 * do. The plain loads of TF32 read pairs of chunks from 4 rows of Bs. */
template <typename T, int COLUMNS> static __device__ inline int swizzle(int row, int chunk)
{
    static_assert(COLUMNS * sizeof(T) == 64 || COLUMNS * sizeof(T) % 128 == 0,
                  "rows of half a turn of banks, or whole");
    if (COLUMNS * sizeof(T) == 64)
        return chunk ^ row / 2 % 4;
    return chunk ^ (sizeof(T) == 2 ? row % 8 : row % 4 * 2);
}

/* Starts copies of a tile of a row-major matrix. `from` is the tile's first element; `rows` and `columns` are how much
 * of the matrix is left from there, perhaps less than a tile, perhaps nothing. What is outside becomes 0. `plain` says
 * that nothing is, and that all addresses are multiples of 16. */
template <typename T, int ROWS, int COLUMNS>
static __device__ inline void fetch(T (&tile)[ROWS][COLUMNS], const T *from, int64_t ld, int64_t rows, int64_t columns,
                                    bool plain)
{
    constexpr int WIDE = CHUNK / sizeof(T), ACROSS = COLUMNS / WIDE;
    DUEL_UNROLL
    for (int pass = 0; pass < ROWS * ACROSS; pass += THREADS) {
        const int number = pass + static_cast<int>(threadIdx.x), row = number / ACROSS, chunk = number % ACROSS;
        const T *source = from + row * ld + chunk * WIDE;
        T *target = &tile[row][swizzle<T, COLUMNS>(row, chunk) * WIDE];
        const int64_t left = row < rows ? columns - chunk * WIDE : 0;
        if (plain || (left >= WIDE && reinterpret_cast<uintptr_t>(source) % CHUNK == 0))
            ptx_copy16(target, source, CHUNK);
        else /* at the edges, and for rows at odd addresses: cp.async cannot move less than 4 bytes */
            for (int i = 0; i < WIDE; i++)
                target[i] = i < left ? source[i] : T(0);
    }
}

/* A warp's part of As at 32 bytes along k, in the layout of mma.sync: piece i from row `top` + 16 i on. */
template <typename T, int BK>
static __device__ inline void load_a(uint32_t (&a)[FM][4], const T (&As)[BM][BK], int top, int step, int lane)
{
    DUEL_UNROLL
    for (int i = 0; i < FM; i++) {
        const int row = top + i * PM + lane % 16, chunk = 2 * step + lane / 16;
        ptx_ldmatrix(a[i], &As[row][swizzle<T, BK>(row, chunk) * (CHUNK / sizeof(T))]);
    }
}

/* The same of Bs: piece j from column `left` + 8 j on. mma.sync wants neighbours along k in one register, and in Bs
 * neighbours along k lie in different rows: ldmatrix transposes them on the way. */
template <int BK>
static __device__ inline void load_b(uint32_t (&b)[FN][2], const uint16_t (&Bs)[BK][BN], int left, int step, int lane)
{
    DUEL_UNROLL
    for (int j = 0; j < FN; j += 2) {
        const int row = step * 16 + lane % 16, chunk = left / 8 + j + lane / 16;
        uint32_t four[4];
        ptx_ldmatrix_transposed(four, &Bs[row][swizzle<uint16_t, BN>(row, chunk) * 8]);
        b[j][0] = four[0];
        b[j][1] = four[1];
        b[j + 1][0] = four[2];
        b[j + 1][1] = four[3];
    }
}

/* A register of TF32 holds one value, so there is nothing to transpose: each thread loads its own. */
template <int BK>
static __device__ inline void load_b(uint32_t (&b)[FN][2], const uint32_t (&Bs)[BK][BN], int left, int step, int lane)
{
    DUEL_UNROLL
    for (int j = 0; j < FN; j++) {
        DUEL_UNROLL
        for (int r = 0; r < 2; r++) {
            const int row = step * 8 + r * 4 + lane % 4, column = left + j * PN + lane / 4;
            b[j][r] = Bs[row][swizzle<uint32_t, BN>(row, column / 4) * 4 + column % 4];
        }
    }
}

#endif
