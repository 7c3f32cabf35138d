/* gpu/gemm/cublaslt_int8: NVIDIA's cuBLASLt on the Tensor Cores: INT8 in, INT32 accumulate and out.
 * Needs: cublas_v2.h
 *
 * Idea     Quantised numbers: -127 .. 127 stand for -1 .. 1. What is computed with them is exact, so the result has no
 *          error at all; what was lost was lost when the numbers were quantised.
 * Mapping  As cublaslt_fp8: k contiguous in both inputs, B transposed first, and that is part of the time.
 * Traffic  As cublaslt_fp8.
 * Limits   The Tensor Cores. k stays below 133 000, or a sum could pass 2^31.
 */
#include "gpu/device/cublaslt.cuh"

static enum duel_status supports(const struct duel_problem *problem, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    const enum duel_status status = duel_cublas_supports_from(75, problem, device, why);
    return status == DUEL_OK ? duel_cublaslt_supports(problem, device, why) : status;
}

DUEL_IMPL(gpu_gemm_cublaslt_int8) = {
    .name = "gpu/gemm/cublaslt_int8",
    .builds_on = "gpu/gemm/cublas_fp16",
    .doc = "NVIDIA's library with whole numbers of one byte; sums and results are whole numbers too, and exact. "
           "Networks are quantised to them when they only answer and no longer learn. "
           "The library wants B transposed; a small kernel does that first, and its time is counted. "
           "GFLOP/s means operations on whole numbers here.",
    .types = {{DUEL_INT8, DUEL_INT32, DUEL_INT32}},
    .supports = supports,
    .workspace = duel_cublaslt_workspace,
    .library = duel_cublaslt_library,
    .open = duel_cublaslt_open,
    .run = duel_cublaslt_run,
    .close = duel_cublaslt_close,
};
