/* gpu/cholesky/cusolver: NVIDIA's own LAPACK for the GPU: cusolverDnSpotrf or cusolverDnDpotrf.
 *
 * Idea     What the vendor's engineers reach is the mark for every rung. The library works in panels as blocked does,
 *          with wider panels, products at the speed of cuBLAS, and the next panel factored while the rest is updated.
 * Mapping  The library's secret; a profiler shows its kernels. Two launches of our own stand around it: one copies the
 *          lower triangle of A, the other marks what has no factor.
 * Traffic  With panels of a few hundred columns the rest of the matrix is touched a few times in all.
 * Limits   The same serial spine: small matrices cannot fill the GPU, whoever factors them.
 *
 * cuSOLVER is column-major. Read that way, our row-major A is its transpose, and A^T = A; our lower triangular L is
 * L^T, upper triangular. So the library is told to find the upper triangle U in A = U^T U, and U is L^T.
 */
#include "gpu/device/cusolver.cuh"

enum { A = 0, L = 1 };

constexpr int TILE = 32; /* threads along each side of a block: one row of threads is one warp */

/* The lower triangle of A into L, and zeros above; both n x n, indices in 64 bits. */
template <typename T>
static __global__ void __launch_bounds__(TILE *TILE) copy(int64_t n, const T *a, int64_t lda, T *l, int64_t ldl)
{
    const int64_t row = duel_block_y() * TILE + threadIdx.y, column = duel_block_x() * TILE + threadIdx.x;
    /* False for the threads that hang over the last row or column in the blocks along these edges. */
    if (row < n && column < n)
        l[row * ldl + column] = column <= row ? a[row * lda + column] : T(0);
}

/* Where the library stopped at a column without a pivot, the rest is half-done work: NaN says so, as in all rungs. */
template <typename T>
static __global__ void __launch_bounds__(TILE *TILE) mark(int64_t n, const int *info, T *l, int64_t ldl)
{
    const int64_t row = duel_block_y() * TILE + threadIdx.y, column = duel_block_x() * TILE + threadIdx.x;
    /* True only behind such a column, and inside the lower triangle. */
    if (*info > 0 && column >= *info - 1 && column <= row && row < n)
        l[row * ldl + column] = T(NAN);
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_cusolver *cusolver = static_cast<const struct duel_cusolver *>(call->state);
    const int64_t n = call->problem->n, lda = call->problem->ld[A], ldl = call->problem->ld[L];
    T *l = static_cast<T *>(call->operand[L]);
    DUEL_LAUNCH(copy<T>, duel_grid(n, TILE, n, TILE), dim3(TILE, TILE), 0, call->queue, n,
                static_cast<const T *>(call->operand[A]), lda, l, ldl);
    if (sizeof(T) == sizeof(double))
        CUSOLVER_TRY(call->why,
                     cusolver->dpotrf(cusolver->handle, DUEL_CUSOLVER_UPPER, static_cast<int>(n),
                                      reinterpret_cast<double *>(l), static_cast<int>(ldl),
                                      static_cast<double *>(cusolver->buffer), cusolver->length, cusolver->info));
    else
        CUSOLVER_TRY(call->why,
                     cusolver->spotrf(cusolver->handle, DUEL_CUSOLVER_UPPER, static_cast<int>(n),
                                      reinterpret_cast<float *>(l), static_cast<int>(ldl),
                                      static_cast<float *>(cusolver->buffer), cusolver->length, cusolver->info));
    DUEL_LAUNCH(mark<T>, duel_grid(n, TILE, n, TILE), dim3(TILE, TILE), 0, call->queue, n, cusolver->info, l, ldl);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *, struct duel_why *why)
{
    return duel_cusolver_supports(p->ld[L], why); /* at least n */
}

static enum duel_status open(struct duel_call *call)
{
    return duel_cusolver_open(call, static_cast<int>(call->problem->n), static_cast<int>(call->problem->ld[L]));
}

DUEL_IMPL(gpu_cholesky_cusolver) = {
    .name = "gpu/cholesky/cusolver",
    .builds_on = "gpu/cholesky/blocked",
    .doc = "This row calls NVIDIA's library and is the mark that the hand-written kernels are measured against. "
           "It works in panels too, wider ones, and factors the next panel while the rest is still being updated. "
           "Its info argument stays on the GPU; a small kernel turns it into NaN in L, as all rows do.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .library = duel_cusolver_library,
    .open = open,
    .run = run,
    .close = duel_cusolver_close,
};
