/* gpu/batched_gemm/strided: naive, with one launch for the whole batch.
 *
 * Idea     The matrices lie at equal distances (strides), so a block can find its own from its number. One launch
 *          brings all blocks at once, and the GPU fills itself with them.
 * Mapping  The grid has the tiles of one matrix along x and the matrices along y. Within a block as in naive.
 * Traffic  As in naive: the same loads and stores, at the same time instead of one matrix after the other.
 * Limits   Each value is loaded from global memory, or its caches, for every multiply-add. Next rung: block.
 *
 * Counted  global sectors = c * m * n * (k + 1) / 8, shared requests = 0
 */
#include "gpu/kernel.cuh"

constexpr int TILE = 16; /* threads along each side of a block */

/* All matrices are row-major; index * ld is computed in 64 bits. */
template <typename T>
static __global__ void __launch_bounds__(TILE *TILE)
    strided(int64_t m, int64_t n, int64_t k, int64_t count, T alpha, const T *A,
            int64_t lda,                     /* A: m x k, count times */
            const T *B, int64_t ldb, T beta, /* B: k x n, count times */
            T *C, int64_t ldc)               /* C: m x n, count times */
{
    const int64_t across = (n + TILE - 1) / TILE, b = duel_block_y();
    const int64_t column = duel_block_x() % across * TILE + threadIdx.x;
    const int64_t row = duel_block_x() / across * TILE + threadIdx.y;
    /* False for the threads that hang over the last row or column, and for blocks that hang over the batch. */
    if (row < m && column < n && b < count) {
        const T *a = A + (b * m + row) * lda;
        T sum = 0;
        for (int64_t i = 0; i < k; i++)
            sum += a[i] * B[(b * k + i) * ldb + column];
        /* beta == 0 must not read C: it may hold NaN, and 0 * NaN is NaN. */
        T *c = &C[(b * m + row) * ldc + column];
        *c = beta == T(0) ? alpha * sum : alpha * sum + beta * *c;
    }
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int64_t tiles = ((p->m + TILE - 1) / TILE) * ((p->n + TILE - 1) / TILE);
    DUEL_LAUNCH(strided<T>, duel_grid(tiles, 1, p->count, 1), dim3(TILE, TILE), 0, call->queue, p->m, p->n, p->k,
                p->count, static_cast<T>(p->alpha), static_cast<const T *>(call->operand[DUEL_A]), p->ld[DUEL_A],
                static_cast<const T *>(call->operand[DUEL_B]), p->ld[DUEL_B], static_cast<T>(p->beta),
                static_cast<T *>(call->operand[DUEL_C]), p->ld[DUEL_C]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_batched_gemm_strided) = {
    .name = "gpu/batched_gemm/strided",
    .builds_on = "gpu/batched_gemm/naive",
    .doc = "The same kernel, but one launch for the whole batch: a block finds its matrix from its own number. "
           "The cost of starting is paid once, and all multiprocessors have work at the same time. "
           "Nothing else has changed, so the difference to naive is what launches cost. "
           "The next rung, block, gives each matrix to one block and loads it once.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
