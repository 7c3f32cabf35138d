/* gpu/batched_gemm/cublas: NVIDIA's own library, one call for the whole batch: cublasSgemmStridedBatched.
 * Needs: cublas_v2.h
 *
 * Idea     One call, one launch: the library is told where the first matrices are and how far apart the others.
 * Mapping  The library's secret; a profiler shows the name of the kernel that was chosen. Small sizes get kernels with
 *          several matrices to a block.
 * Traffic  Each matrix once, if it is small enough for a block.
 * Limits   Memory for small matrices: at 32 x 32 in FP32 there are 5 FLOP for each byte that has to move. TF32 is off
 *          here, and read back.
 */
#include <limits.h>

#include "gpu/device/cublas.cuh"

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    if (p->count > INT_MAX)
        return duel_fail(why, DUEL_SKIP, "cuBLAS counts matrices in int", "give fewer than 2 147 483 648 matrices",
                         "%lld matrices", static_cast<long long>(p->count));
    return duel_cublas_supports(p, device, why);
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_cublas *cublas = static_cast<const struct duel_cublas *>(call->state);
    const struct duel_problem *p = call->problem;
    const int m = static_cast<int>(p->m), n = static_cast<int>(p->n), k = static_cast<int>(p->k);
    const int count = static_cast<int>(p->count);
    const void *A = call->operand[DUEL_A], *B = call->operand[DUEL_B];
    void *C = call->operand[DUEL_C];
    const int lda = duel_cublas_ld(p, DUEL_A), ldb = duel_cublas_ld(p, DUEL_B), ldc = duel_cublas_ld(p, DUEL_C);
    /* From one matrix to the next, in elements. */
    const long long next_a = p->m * p->ld[DUEL_A], next_b = p->k * p->ld[DUEL_B], next_c = p->m * p->ld[DUEL_C];
    const double alpha = p->alpha, beta = p->beta;
    const float alpha_f = static_cast<float>(alpha), beta_f = static_cast<float>(beta);

    /* Row-major C = A B is column-major C^T = B^T A^T in the same memory, hence B first and m and n exchanged;
     * gpu/gemm/cublas.cu derives it. */
    if (p->types.in == DUEL_FP64)
        CUBLAS_TRY(call->why, cublas,
                   cublas->dgemm_batched(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha,
                                         static_cast<const double *>(B), ldb, next_b, static_cast<const double *>(A),
                                         lda, next_a, &beta, static_cast<double *>(C), ldc, next_c, count));
    else
        CUBLAS_TRY(call->why, cublas,
                   cublas->sgemm_batched(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha_f,
                                         static_cast<const float *>(B), ldb, next_b, static_cast<const float *>(A), lda,
                                         next_a, &beta_f, static_cast<float *>(C), ldc, next_c, count));
    return DUEL_OK;
}

DUEL_IMPL(gpu_batched_gemm_cublas) = {
    .name = "gpu/batched_gemm/cublas",
    .builds_on = "gpu/batched_gemm/block",
    .doc = "NVIDIA's library with one call for the whole batch. "
           "It knows the distance from one matrix to the next, so one launch finds them all, and it has kernels of its "
           "own for small sizes. "
           "It is the mark for the hand-written rungs.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .workspace = duel_cublas_workspace,
    .library = duel_cublas_library,
    .open = duel_cublas_open,
    .run = run,
    .close = duel_cublas_close,
};
