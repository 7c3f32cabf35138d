/* gpu/gemm/cublas_tf32: NVIDIA's own library, allowed to multiply FP32 numbers as TF32 on the Tensor Cores.
 * Needs: cublas_v2.h
 *
 * Idea     This is what many programs do without saying so: FP32 in memory, 11 significant bits in the multiplier. Here
 *          it has its own row. The inputs are rounded to TF32 beforehand, so that the errors are those of the sums.
 * Mapping  The library's secret; a profiler shows the name of the kernel that was chosen.
 * Traffic  As cublas: the matrices are FP32 in memory.
 * Limits   The Tensor Cores at half their FP16 rate. Compare with mma_tf32; next to cublas it shows what giving up 13
 *          bits buys.
 */
#include "gpu/device/cublas.cuh"

static enum duel_status run(const struct duel_call *call)
{
    return duel_cublas_multiply(call, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
}

static enum duel_status supports(const struct duel_problem *problem, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    return duel_cublas_supports_from(80, problem, device, why);
}

DUEL_IMPL(gpu_gemm_cublas_tf32) = {
    .name = "gpu/gemm/cublas_tf32",
    .builds_on = "gpu/gemm/mma_tf32",
    .doc = "NVIDIA's library with TF32 switched on: the matrices are FP32 in memory, and the Tensor Cores multiply the "
           "first 11 of their 24 significant bits. "
           "Several times faster than FP32, with the errors of FP16 and the range of FP32. "
           "Libraries switch it on by a global setting, which is why the FP32 row proves that it is off. "
           "It is the mark for mma_tf32.",
    .types = {{DUEL_TF32, DUEL_FP32, DUEL_FP32}},
    .supports = supports,
    .workspace = duel_cublas_workspace,
    .library = duel_cublas_library_tf32,
    .open = duel_cublas_open,
    .run = run,
    .close = duel_cublas_close,
};
