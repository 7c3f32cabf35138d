/* gpu/gemm/cublas_bf16: NVIDIA's own library on the Tensor Cores: BF16 in, FP32 accumulate and out.
 * Needs: cublas_v2.h
 *
 * Idea     As cublas_fp16, with the type that networks are trained in: the range of FP32 and 8 significant bits.
 * Mapping  The library's secret; a profiler shows the name of the kernel that was chosen.
 * Traffic  As cublas_fp16: 8 n^2 bytes for square matrices, against 12 n^2 in FP32.
 * Limits   The Tensor Cores. The inputs keep 8 significant bits: compare with mma_bf16, not with FP16 or FP32 rows.
 */
#include "gpu/device/cublas.cuh"

static enum duel_status run(const struct duel_call *call)
{
    return duel_cublas_multiply(call, CUDA_R_16BF, CUBLAS_COMPUTE_32F);
}

static enum duel_status supports(const struct duel_problem *problem, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    return duel_cublas_supports_from(80, problem, device, why);
}

DUEL_IMPL(gpu_gemm_cublas_bf16) = {
    .name = "gpu/gemm/cublas_bf16",
    .builds_on = "gpu/gemm/mma_bf16",
    .doc = "NVIDIA's library on the Tensor Cores with BF16 inputs; sums and result are FP32. "
           "It is the mark for mma_bf16, which has the same types. "
           "It runs as fast as cublas_fp16 and its errors are eight times as large, but nothing that FP32 can hold "
           "overflows.",
    .types = {{DUEL_BF16, DUEL_FP32, DUEL_FP32}},
    .supports = supports,
    .workspace = duel_cublas_workspace,
    .library = duel_cublas_library,
    .open = duel_cublas_open,
    .run = run,
    .close = duel_cublas_close,
};
