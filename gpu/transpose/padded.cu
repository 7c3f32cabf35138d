/* gpu/transpose/padded: tiled, with one column more in shared memory.
 *
 * Idea     With rows of 33 elements instead of 32, each row begins one bank further on. The elements of a column then
 *          lie in 32 different banks, and so do those of a row: both ways are free of conflicts. The last column holds
 *          nothing.
 * Mapping  As in tiled.
 * Traffic  As in tiled; each request to shared memory is served in one round in FP32, in two in FP64.
 * Limits   Each thread moves 4 bytes with one instruction, and there are four instructions for each element that is
 *          moved. Next rung: vectorised.
 *
 * Counted  global requests = m * n / 16, global sectors = m * n / 4
 * Counted  shared requests = m * n / 16, shared rounds = m * n / 16
 */
#include "gpu/kernel.cuh"

constexpr int TILE = 32; /* each way: a row of it is what a warp reads */
constexpr int PAD = 1;   /* spare elements after each row of the tile: the next row begins one bank further on */
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
    __shared__ T tile[TILE][TILE + PAD]; /* 4224 bytes in FP32 */
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

DUEL_IMPL(gpu_transpose_padded) = {
    .name = "gpu/transpose/padded",
    .builds_on = "gpu/transpose/tiled",
    .doc =
        "The tile in shared memory gets a 33rd column that nobody uses. "
        "Now the rows begin in different banks, so the 32 elements of a column lie in 32 banks and are read at once. "
        "One number in the source, and reading a column takes one round instead of 32.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
