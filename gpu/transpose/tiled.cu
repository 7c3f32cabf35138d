/* gpu/transpose/tiled: a tile is read along the rows of A and written along the rows of B.
 *
 * Idea     Shared memory does not mind in which direction it is read. So a block brings a tile of 32 x 32 into it, row
 *          by row, and after a barrier takes it out column by column: each column is a piece of a row of B.
 * Mapping  32 x 8 threads; each moves 4 elements in and 4 others out. A warp is 32 columns of A, then 32 of B.
 * Traffic  Both ways 4 sectors for the 128 bytes of a warp in FP32: nothing is moved that is not needed.
 * Limits   The elements of a column of the tile lie 32 floats apart, all in the same of the 32 banks of shared memory:
 *          what a warp asks for with one instruction takes 32 rounds. Next rung: padded, which adds one column.
 *
 * Counted  global requests = m * n / 16, global sectors = m * n / 4
 * Counted  shared requests = m * n / 16, shared rounds = m * n / 32 * 33
 */
#include "gpu/kernel.cuh"

constexpr int TILE = 32; /* each way: a row of it is what a warp reads */
constexpr int DOWN = 8;  /* rows of threads: each thread moves TILE / DOWN elements */
constexpr int THREADS = TILE * DOWN;
static_assert(THREADS <= 1024, "a block of more than 1024 threads cannot be launched");
static_assert(TILE == 32, "one row of threads must be one warp, or the traffic told above is not what happens");

enum { A = 0, B = 1 };

/* Both row-major. index * ld is computed in 64 bits: in int it overflows from 46 341 rows of as many elements. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    transpose(int64_t m, int64_t n, const T *a, int64_t lda, /* A: m x n */
              T *b, int64_t ldb)                             /* B: n x m */
{
    __shared__ T tile[TILE][TILE]; /* 4 KiB in FP32, 8 KiB in FP64 */
    const int x = threadIdx.x;
    const int64_t top = duel_block_y() * TILE, left = duel_block_x() * TILE; /* of the tile in A */
    DUEL_UNROLL
    for (int i = 0; i < TILE; i += DOWN) {
        const int y = threadIdx.y + i;
        if (top + y < m && left + x < n) /* false for what hangs over the lower and right edges of A */
            tile[y][x] = a[(top + y) * lda + left + x];
    }
    __syncthreads(); /* nobody reads the tile before everybody has written its part */
    DUEL_UNROLL
    for (int i = 0; i < TILE; i += DOWN) {
        const int y = threadIdx.y + i;
        if (left + y < n && top + x < m) /* the same edges, now those of B */
            b[(left + y) * ldb + top + x] = tile[x][y];
    }
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(transpose<T>, duel_grid(p->n, TILE, p->m, TILE), dim3(TILE, DOWN), 0, call->queue, p->m, p->n,
                static_cast<const T *>(call->operand[A]), p->ld[A], static_cast<T *>(call->operand[B]), p->ld[B]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_transpose_tiled) = {
    .name = "gpu/transpose/tiled",
    .builds_on = "gpu/transpose/naive",
    .doc =
        "A block of threads reads a tile of 32 x 32 row by row into shared memory and writes it column by column, so "
        "that both matrices are touched along their rows. "
        "Global memory now moves only what is needed. "
        "But shared memory has 32 banks, and a column of the tile lies in one of them: the 32 threads of a warp are "
        "served one after the other.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
