/* gpu/gemm/cublaslt_fp8: NVIDIA's cuBLASLt on the Tensor Cores: FP8 (E4M3) in, FP32 accumulate and out.
 * Needs: cublas_v2.h
 *
 * Idea     One byte per number: half the memory traffic of FP16 and twice its rate on the Tensor Cores, for 4
 *          significant bits. Networks bear that, with their tensors scaled; numerical work does not.
 * Mapping  The library's secret. It wants k contiguous in both inputs, so B is transposed first by a small kernel, and
 *          that is part of the time shown here.
 * Traffic  2 n^2 bytes for A and B and 4 n^2 for C; the transposition moves 2 n^2 more.
 * Limits   The Tensor Cores, and the sums: they keep 13 bits of fraction between the times they are added in FP32.
 */
#include "gpu/device/cublaslt.cuh"

static enum duel_status supports(const struct duel_problem *problem, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    const enum duel_status status = duel_cublas_supports_from(89, problem, device, why);
    return status == DUEL_OK ? duel_cublaslt_supports(problem, device, why) : status;
}

DUEL_IMPL(gpu_gemm_cublaslt_fp8) = {
    .name = "gpu/gemm/cublaslt_fp8",
    .builds_on = "gpu/gemm/cublas_fp16",
    .doc = "NVIDIA's library with one-byte numbers of 4 significant bits (E4M3); results are FP32. "
           "The Tensor Cores of compute capability 8.9 and later multiply them twice as fast as FP16, and keep fewer "
           "bits in their sums than the FP32 they are called. "
           "The library wants B transposed; a small kernel does that first, and its time is counted. "
           "Look at the error columns before you look at the speed.",
    .types = {{DUEL_FP8, DUEL_FP32, DUEL_FP32}},
    .supports = supports,
    .workspace = duel_cublaslt_workspace,
    .library = duel_cublaslt_library,
    .open = duel_cublaslt_open,
    .run = duel_cublaslt_run,
    .close = duel_cublaslt_close,
};
