/* gpu/gemm/cublas_fp16: NVIDIA's own library on the Tensor Cores: FP16 in, FP32 accumulate and out.
 * Needs: cublas_v2.h
 *
 * Idea     cublasGemmEx names the type of each matrix and of the sum separately. CUBLAS_COMPUTE_32F keeps the sums in
 *          FP32; the shorter cublasHgemm would sum in FP16, which is another result and on some GPUs another speed.
 * Mapping  The library's secret; a profiler shows the name of the kernel that was chosen.
 * Traffic  FP16 halves the bytes of A and B; C stays FP32. For square matrices that is 8 n^2 bytes against 12 n^2.
 * Limits   The Tensor Cores, if the matrix is large enough to fill the GPU, and on most cards the power limit. The
 *          inputs keep 11 significant bits: compare with mma_fp16, not with FP32 rows.
 */
#include "gpu/device/cublas.cuh"

static enum duel_status run(const struct duel_call *call)
{
    return duel_cublas_multiply(call, CUDA_R_16F, CUBLAS_COMPUTE_32F);
}

DUEL_IMPL(gpu_gemm_cublas_fp16) = {
    .name = "gpu/gemm/cublas_fp16",
    .builds_on = "gpu/gemm/mma_fp16",
    .doc = "NVIDIA's library on the Tensor Cores: the inputs are FP16, the sums and the result FP32. "
           "It is the mark for tensor_fp16 and mma_fp16, which have the same types. "
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
