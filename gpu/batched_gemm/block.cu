/* gpu/batched_gemm/block: one block for each matrix, which keeps tiles of it in shared memory.
 *
 * Idea     A small matrix has no room for several blocks, but one block can have all of it: it fetches tiles of A and
 *          B into shared memory once, uses each value 32 times, and goes on to the next tile of the same matrix.
 * Mapping  256 threads, 32 x 8, compute a tile of 32 x 32 of C: each thread four elements, eight rows apart, so a
 *          value of B serves four multiply-adds. Larger matrices are done tile by tile.
 * Traffic  Up to 32 x 32 each value is read from global memory once: no less is possible. Shared memory: five loads
 *          for four multiply-adds, without bank conflicts: a warp reads one value of A, or 32 neighbours of B.
 * Limits   A matrix of 8 x 8 leaves 192 of 256 threads without an element, but every block still takes its place on a
 *          multiprocessor: occupancy is not work. Several matrices to a block would help there; cublas decides by
 *          size.
 *
 * Counted  global sectors = c * m * n * (k / 128 + 1 / 8), shared requests = c * m * n * k / 32768 * 1344
 */
#include "gpu/kernel.cuh"

constexpr int TILE = 32, DOWN = 8; /* threads: one row of them is one warp */
constexpr int ROWS = TILE / DOWN;  /* elements of C that a thread owns */
static_assert(TILE == 32, "one row of threads must be one warp, or the traffic told above is not what happens");

/* All matrices are row-major; index * ld is computed in 64 bits. */
template <typename T>
static __global__ void __launch_bounds__(TILE *DOWN)
    block(int64_t m, int64_t n, int64_t k, int64_t count, T alpha, const T *A, int64_t lda, /* A: m x k, count times */
          const T *B, int64_t ldb, T beta,                                                  /* B: k x n, count times */
          T *C, int64_t ldc)                                                                /* C: m x n, count times */
{
    __shared__ T As[TILE][TILE]; /* rows of this tile x part of k; 4 KiB in FP32, 8 KiB in FP64 */
    __shared__ T Bs[TILE][TILE]; /* part of k x columns of this tile; as many bytes */
    const int x = threadIdx.x, y = threadIdx.y;
    const int64_t b = duel_block_x(), across = (n + TILE - 1) / TILE, tiles = (m + TILE - 1) / TILE * across;
    if (b >= count) /* the whole block leaves: nobody waits for it */
        return;
    A += b * m * lda;
    B += b * k * ldb;
    C += b * m * ldc;
    for (int64_t tile = 0; tile < tiles; tile++) {
        const int64_t row = tile / across * TILE + y, column = tile % across * TILE + x;
        T sum[ROWS] = {};
        for (int64_t i = 0; i < k; i += TILE) {
            /* Outside A or B a tile holds 0, which adds nothing. */
            DUEL_UNROLL
            for (int r = 0; r < ROWS; r++) {
                const int64_t down = row + r * DOWN, deep = i + y + r * DOWN;
                As[y + r * DOWN][x] = down < m && i + x < k ? A[down * lda + i + x] : T(0);
                Bs[y + r * DOWN][x] = deep < k && column < n ? B[deep * ldb + column] : T(0);
            }
            __syncthreads(); /* nobody reads the tiles before everybody has written its part */
            for (int j = 0; j < TILE; j++) {
                const T value = Bs[j][x];
                DUEL_UNROLL
                for (int r = 0; r < ROWS; r++)
                    sum[r] += As[y + r * DOWN][j] * value;
            }
            __syncthreads(); /* nobody overwrites the tiles while somebody still reads them */
        }
        DUEL_UNROLL
        for (int r = 0; r < ROWS; r++)
            /* False for the threads that hang over the last row or column. */
            if (row + r * DOWN < m && column < n) {
                /* beta == 0 must not read C: it may hold NaN, and 0 * NaN is NaN. */
                T *c = &C[(row + r * DOWN) * ldc + column];
                *c = beta == T(0) ? alpha * sum[r] : alpha * sum[r] + beta * *c;
            }
    }
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(block<T>, dim3(duel_blocks(p->count, 1)), dim3(TILE, DOWN), 0, call->queue, p->m, p->n, p->k, p->count,
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

DUEL_IMPL(gpu_batched_gemm_block) = {
    .name = "gpu/batched_gemm/block",
    .builds_on = "gpu/batched_gemm/strided",
    .doc = "One block of 256 threads for each matrix, with tiles of A and B in shared memory. "
           "Up to 32 x 32 every value is read from global memory once, and each thread computes four elements of C. "
           "Below that many threads have nothing to do, but they occupy the multiprocessor all the same: a full GPU is "
           "not a busy one. "
           "Libraries choose another kernel for each size.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
