/* gpu/gemv/cublas: NVIDIA's own library: cublasSgemv or cublasDgemv.
 * Needs: cublas_v2.h
 *
 * Idea     What the vendor's engineers reach is the mark for every rung.
 * Mapping  The library's secret; a profiler shows the name of the kernel that was chosen.
 * Traffic  A moves once; x and y stay in the caches.
 * Limits   Memory, for it as for warp_per_row.
 */
#include "gpu/device/cublas.cuh"

enum { A = 0, X = 1, Y = 2 };

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_cublas *cublas = static_cast<const struct duel_cublas *>(call->state);
    const struct duel_problem *p = call->problem;
    const int m = static_cast<int>(p->m), k = static_cast<int>(p->k);
    const int lda = duel_cublas_ld(p, A), incx = duel_cublas_ld(p, X), incy = duel_cublas_ld(p, Y);
    const void *a = call->operand[A], *x = call->operand[X];
    const double alpha = p->alpha, beta = p->beta;
    const float alpha_f = static_cast<float>(alpha), beta_f = static_cast<float>(beta);

    /* cuBLAS is column-major: in our memory it sees A^T, with k rows and m columns. What it shall multiply is that,
     * transposed once more (OP_T); k and m are the extents as it sees them. */
    if (p->types.in == DUEL_FP64)
        CUBLAS_TRY(call->why, cublas,
                   cublas->dgemv(cublas->handle, CUBLAS_OP_T, k, m, &alpha, static_cast<const double *>(a), lda,
                                 static_cast<const double *>(x), incx, &beta, static_cast<double *>(call->operand[Y]),
                                 incy));
    else
        CUBLAS_TRY(call->why, cublas,
                   cublas->sgemv(cublas->handle, CUBLAS_OP_T, k, m, &alpha_f, static_cast<const float *>(a), lda,
                                 static_cast<const float *>(x), incx, &beta_f, static_cast<float *>(call->operand[Y]),
                                 incy));
    return DUEL_OK;
}

DUEL_IMPL(gpu_gemv_cublas) = {
    .name = "gpu/gemv/cublas",
    .builds_on = "gpu/gemv/warp_per_row",
    .doc = "This row calls NVIDIA's library and is the mark that the hand-written kernels are measured against. "
           "Our row-major matrix is a transposed one to the library, so it is told to transpose it back; nothing is "
           "moved for that.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = duel_cublas_supports,
    .workspace = duel_cublas_workspace,
    .library = duel_cublas_library,
    .open = duel_cublas_open,
    .run = run,
    .close = duel_cublas_close,
};
