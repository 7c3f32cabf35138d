/* transpose_bytes.cuh: a matrix of bytes, rows for columns, for libraries that want it the other way round.
 *
 * Idea     A byte per thread would use a quarter of each request. So a thread takes four bytes of four rows as four
 *          words, exchanges them in registers, and puts four words of four columns into shared memory, from where whole
 *          rows of the result leave.
 * Mapping  A block of 256 threads has a tile of 64 x 64 bytes, a thread 4 x 4 of it.
 * Traffic  Each byte is read and written once; half a warp moves 64 bytes next to each other.
 */
#ifndef DUEL_TRANSPOSE_BYTES_CUH
#define DUEL_TRANSPOSE_BYTES_CUH

#include "gpu/kernel.cuh"

constexpr int BYTE_TILE = 64, BYTE_SIDE = BYTE_TILE / 4; /* words of four bytes, and threads, along each side */
constexpr int BYTE_THREADS = BYTE_SIDE * BYTE_SIDE;
static_assert(BYTE_THREADS <= 1024, "a block of more than 1024 threads cannot be launched");

/* `rows`, `columns`, both leading dimensions (in bytes) and both addresses are multiples of 4. */
static __global__ void __launch_bounds__(BYTE_THREADS)
    transpose_bytes(int64_t rows, int64_t columns, const unsigned char *from, int64_t ld, /* rows x columns */
                    unsigned char *to, int64_t to_ld)                                     /* columns x rows */
{
    __shared__ unsigned int tile[BYTE_TILE][BYTE_SIDE + 1]; /* one spare word a row: 4352 bytes */
    const int x = threadIdx.x % BYTE_SIDE, y = threadIdx.x / BYTE_SIDE;
    const int64_t top = duel_block_y() * BYTE_TILE, left = duel_block_x() * BYTE_TILE;
    unsigned int word[4];
    if (top + 4 * y < rows && left + 4 * x < columns) { /* false beyond the lower and right edges, four at a time */
        DUEL_UNROLL
        for (int i = 0; i < 4; i++)
            word[i] = *reinterpret_cast<const unsigned int *>(from + (top + 4 * y + i) * ld + left + 4 * x);
        DUEL_UNROLL
        for (int j = 0; j < 4; j++) /* byte j of the four words: four bytes of column 4 x + j */
            tile[4 * x + j][y] = (word[0] >> 8 * j & 255) | (word[1] >> 8 * j & 255) << 8 |
                                 (word[2] >> 8 * j & 255) << 16 | (word[3] >> 8 * j & 255) << 24;
    }
    __syncthreads(); /* nobody reads the tile before everybody has written its part */
    DUEL_UNROLL
    for (int i = 0; i < 4; i++)
        if (left + 4 * y + i < columns && top + 4 * x < rows) /* the same edges, now those of the result */
            *reinterpret_cast<unsigned int *>(to + (left + 4 * y + i) * to_ld + top + 4 * x) = tile[4 * y + i][x];
}

/* Starts it in `queue`. */
static inline cudaError_t duel_transpose_bytes(void *queue, int64_t rows, int64_t columns, const void *from, int64_t ld,
                                               void *to, int64_t to_ld)
{
    DUEL_LAUNCH(transpose_bytes, duel_grid(columns, BYTE_TILE, rows, BYTE_TILE), dim3(BYTE_THREADS), 0, queue, rows,
                columns, static_cast<const unsigned char *>(from), ld, static_cast<unsigned char *>(to), to_ld);
    return cudaGetLastError(); /* a launch returns nothing: its own errors wait here */
}

#endif
