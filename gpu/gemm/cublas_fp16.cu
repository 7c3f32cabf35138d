/* gpu/gemm/cublas_fp16: NVIDIA's own library on the Tensor Cores: FP16 in, FP32 accumulate and out.
 * Needs: cublas_v2.h
 *
 * Idea     cublasGemmEx names the type of each matrix and of the sum separately. CUBLAS_COMPUTE_32F keeps the sums in
 *          FP32; the shorter cublasHgemm would sum in FP16, which is another result and on some GPUs another speed.
 * Mapping  The library's secret; a profiler shows the name of the kernel that was chosen.
 * Traffic  FP16 halves the bytes of A and B; C stays FP32. For square matrices that is 8 n^2 bytes against 12 n^2.
 * Limits   The Tensor Cores, if the matrix is large enough to fill the GPU, and on most cards the power limit. The
 *          inputs keep 11 significant bits: compare with tensor_fp16, not with FP32 rows.
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
    const float alpha = static_cast<float>(p->alpha), beta = static_cast<float>(p->beta);

    /* Row-major C = A B is column-major C^T = B^T A^T in the same memory, hence B first and m and n exchanged;
     * cublas.cu derives it. alpha and beta have the type of the sums. */
    CUBLAS_TRY(call->why, cublas,
               cublas->gemm_ex(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha, B, CUDA_R_16F, ldb, A,
                               CUDA_R_16F, lda, &beta, C, CUDA_R_32F, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    return DUEL_OK;
}

DUEL_IMPL(gpu_gemm_cublas_fp16) = {
    .name = "gpu/gemm/cublas_fp16",
    .builds_on = "gpu/gemm/tensor_fp16",
    .doc = "NVIDIA's library on the Tensor Cores: the inputs are FP16, the sums and the result FP32. "
           "It is the mark for tensor_fp16, which has the same types. "
           "It is no substitute for an FP32 multiplication, because the inputs lose all but 11 bits before the work "
           "begins. "
           "Whether that matters is a question about your data, and the error columns answer it.",
    .types = {{DUEL_FP16, DUEL_FP32, DUEL_FP32}},
    .supports = duel_cublas_supports,
    .workspace = duel_cublas_workspace,
    .library = duel_cublas_library,
    .open = duel_cublas_open,
    .run = run,
    .close = duel_cublas_close,
};
