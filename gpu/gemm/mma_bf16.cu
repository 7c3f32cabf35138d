/* gpu/gemm/mma_bf16: mma_fp16 with BF16 inputs: FP32's range of exponents, 8 significant bits.
 *
 * Idea     BF16 is FP32 cut in half. Nothing that FP32 can hold overflows in it, which is why networks are trained in
 *          it; but it keeps 8 bits where FP16 keeps 11, and the errors are eight times as large.
 * Mapping  As in mma_fp16: the kernel is the same, only another mma.sync reads the registers.
 * Traffic  As in mma_fp16: the values are as wide.
 * Limits   As in mma_fp16. Compare with cublas_bf16 for speed, and with mma_fp16 for errors.
 *
 * Counted  global sectors = m * n * k / 1024 + m * n / 8, shared requests = m * n * k / 16384 * 3
 * PTX      cp.async.cg ldmatrix mma.sync
 * SASS     LDGSTS LDSM HMMA.16816.F32.BF16
 */
#include "gpu/gemm/mma.cuh"

struct bf16 {
    typedef uint16_t T; /* never calculated with outside mma.sync */
    static __device__ void multiply(float (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
    {
        ptx_mma_bf16(sum, a, b);
    }
};

DUEL_IMPL(gpu_gemm_mma_bf16) = {
    .name = "gpu/gemm/mma_bf16",
    .builds_on = "gpu/gemm/mma_fp16",
    .doc = "The kernel of mma_fp16 with BF16 inputs, one other instruction and nothing else. "
           "BF16 has the range of FP32 and 8 significant bits; FP16 has 11 bits and ends at 65 504. "
           "Both run at the same rate. "
           "So the choice is about errors and overflow, and the error columns show the price.",
    .types = {{DUEL_BF16, DUEL_FP32, DUEL_FP32}},
    .traffic = traffic,
    .traffic_model = "A is read for each 128 columns of C and B for each 128 rows, unless the cache still holds them.",
    .supports = duel_ampere_supports,
    .open = open<bf16>,
    .run = launch<bf16>,
};
