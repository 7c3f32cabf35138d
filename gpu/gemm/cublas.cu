/* gpu/gemm/cublas: NVIDIA's own library, in the precision of the problem: cublasSgemm or cublasDgemm.
 * Needs: cublas_v2.h
 *
 * Idea     What the vendor's engineers reach is the mark for every rung. The library picks one of many kernels by the
 *          shape of the problem; each has large tiles in shared memory, 8 x 8 or more elements of C per thread in
 *          registers, and fetches the next tile while it computes this one.
 * Mapping  The library's secret; a profiler shows the name of the kernel that was chosen.
 * Traffic  A tile of 128 x 128 in FP32 does 32 FLOP per byte from global memory, against 8 in tiled, and with 8 x 8
 *          elements per thread 4 multiply-adds per value from shared memory, against half of one.
 * Limits   The arithmetic itself, if the matrix is large enough to fill the GPU. TF32 is off here, and read back:
 *          FP32 rows must be FP32. Next rung: cublas_fp16, which leaves the precision.
 */
#include "gpu/device/cublas.cuh"

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_cublas *cublas = static_cast<const struct duel_cublas *>(call->state);
    const struct duel_problem *p = call->problem;
    const int m = static_cast<int>(p->m), n = static_cast<int>(p->n), k = static_cast<int>(p->k);
    const void *A = call->operand[DUEL_A], *B = call->operand[DUEL_B];
    void *C = call->operand[DUEL_C];
    const int lda = duel_cublas_ld(p, DUEL_A), ldb = duel_cublas_ld(p, DUEL_B), ldc = duel_cublas_ld(p, DUEL_C);
    const double alpha = p->alpha, beta = p->beta;
    const float alpha_f = static_cast<float>(alpha), beta_f = static_cast<float>(beta);

    /* cuBLAS is column-major, our matrices are row-major. A row-major m x n matrix with leading dimension ld has its
     * elements where a column-major n x m matrix with the same ld has them: what cuBLAS sees in our memory is the
     * transpose. So it sees A as A^T (k x m) and B as B^T (n x k), and must leave C^T (n x m) where we want C:
     *     C = alpha A B + beta C   is the same as   C^T = alpha B^T A^T + beta C^T.
     * Hence B goes first, m and n change places, and nothing is transposed (OP_N). */
    if (p->types.in == DUEL_FP64)
        CUBLAS_TRY(call->why, cublas,
                   cublas->dgemm(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha,
                                 static_cast<const double *>(B), ldb, static_cast<const double *>(A), lda, &beta,
                                 static_cast<double *>(C), ldc));
    else
        CUBLAS_TRY(call->why, cublas,
                   cublas->sgemm(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha_f,
                                 static_cast<const float *>(B), ldb, static_cast<const float *>(A), lda, &beta_f,
                                 static_cast<float *>(C), ldc));
    return DUEL_OK;
}

DUEL_IMPL(gpu_gemm_cublas) = {
    .name = "gpu/gemm/cublas",
    .builds_on = "gpu/gemm/pipelined",
    .doc =
        "This row calls NVIDIA's library and is the mark that the hand-written kernels are measured against. "
        "The library uses the ideas of pipelined: large tiles, dozens of elements of C per thread kept in registers, "
        "and the next tile on its way while this one is computed. "
        "It chooses among many kernels by the shape of the matrices. "
        "TF32 is switched off, so that FP32 here means the same as on the CPU.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = duel_cublas_supports,
    .workspace = duel_cublas_workspace,
    .library = duel_cublas_library,
    .open = duel_cublas_open,
    .run = run,
    .close = duel_cublas_close,
};
