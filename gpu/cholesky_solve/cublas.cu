/* gpu/cholesky_solve/cublas: NVIDIA's own library: two triangular solves, cublasStrsm or cublasDtrsm.
 * Needs: cublas_v2.h
 *
 * Idea     What the vendor's engineers reach is the mark for every rung. The library inverts blocks on the diagonal,
 *          which are all independent, so that what is left of the chain are multiplications with those inverses.
 * Mapping  The library's secret; a profiler shows its kernels. A launch of our own copies B, which it would overwrite.
 * Traffic  The triangle twice; with many right-hand sides once each way for all of them.
 * Limits   The same chain. With one right-hand side the memory's bandwidth is the most that anybody can reach.
 */
#include "gpu/device/cublas.cuh"

enum { L = 0, B = 1, X = 2 };

constexpr int THREADS = 256;

/* B and X are m x n and row-major; indices in 64 bits. */
template <typename T>
static __global__ void __launch_bounds__(THREADS) copy(int64_t m, int64_t n, const T *b, int64_t ldb, T *x, int64_t ldx)
{
    const int64_t i = duel_block_y(), j = duel_block_x() * THREADS + threadIdx.x;
    if (i < m && j < n) /* false beyond the last row and column */
        x[i * ldx + j] = b[i * ldb + j];
}

/* cuBLAS is column-major: it sees L as L^T, an upper triangle U, and B and X (m x n) as B^T and X^T (n x m). So
 *     L Y = B    is  Y^T U = B^T,   U on the right and as it is, and
 *     L^T X = Y  is  X^T U^T = Y^T, U on the right and transposed. */
template <typename T, typename Trsm> static enum duel_status launch(const struct duel_call *call, Trsm *trsm)
{
    const struct duel_cublas *cublas = static_cast<const struct duel_cublas *>(call->state);
    const struct duel_problem *p = call->problem;
    const int m = static_cast<int>(p->m), n = static_cast<int>(p->n);
    const int ldl = static_cast<int>(p->ld[L]), ldx = static_cast<int>(p->ld[X]);
    const T one = 1, *l = static_cast<const T *>(call->operand[L]);
    T *x = static_cast<T *>(call->operand[X]);
    DUEL_LAUNCH(copy<T>, duel_grid(p->n, THREADS, p->m, 1), dim3(THREADS), 0, call->queue, p->m, p->n,
                static_cast<const T *>(call->operand[B]), p->ld[B], x, p->ld[X]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    CUBLAS_TRY(call->why, cublas,
               trsm(cublas->handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, m,
                    &one, l, ldl, x, ldx));
    CUBLAS_TRY(call->why, cublas,
               trsm(cublas->handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, n, m,
                    &one, l, ldl, x, ldx));
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_cublas *cublas = static_cast<const struct duel_cublas *>(call->state);
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call, cublas->dtrsm)
                                                : launch<float>(call, cublas->strsm);
}

DUEL_IMPL(gpu_cholesky_solve_cublas) = {
    .name = "gpu/cholesky_solve/cublas",
    .builds_on = "gpu/cholesky_solve/blocked",
    .doc = "This row calls NVIDIA's library and is the mark that the hand-written kernels are measured against. "
           "It inverts all blocks on the diagonal at once and multiplies with the inverses, which shortens the chain. "
           "For one right-hand side even the library cannot do better than read the triangle twice.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = duel_cublas_supports,
    .workspace = duel_cublas_workspace,
    .library = duel_cublas_library,
    .open = duel_cublas_open,
    .run = run,
    .close = duel_cublas_close,
};
