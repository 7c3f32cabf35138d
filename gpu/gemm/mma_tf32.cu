/* gpu/gemm/mma_tf32: mma_fp16 with TF32 inputs: FP32 in memory, of which the Tensor Cores read the first 19 bits.
 *
 * Idea     TF32 has the range of FP32 and the 11 significant bits of FP16, and lies in memory as FP32: programs keep
 *          their data as they are. duel rounds the inputs to TF32 beforehand, so that nothing is cut off unseen.
 * Mapping  As in mma_fp16, with steps of 16 along k instead of 32, so that the tiles have the same bytes. B cannot be
 *          transposed by ldmatrix, which moves 16 bits: each thread loads its own values, also without bank conflict.
 * Traffic  Twice the bytes of mma_fp16 for the same sums: 32 FLOP per byte of global memory, against 64.
 * Limits   Half the rate of FP16. Compare with cublas_tf32 for speed and with pipelined for errors.
 *
 * Counted  global sectors = m * n * k / 512 + m * n / 8, shared requests = m * n * k / 16384 * 12
 * PTX      cp.async.cg ldmatrix mma.sync
 * SASS     LDGSTS LDSM HMMA.1688.F32.TF32
 */
#include "gpu/gemm/mma.cuh"

struct tf32 {
    typedef uint32_t T; /* the bits of a float; never calculated with outside mma.sync */
    static __device__ void multiply(float (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
    {
        ptx_mma_tf32(sum, a, b);
    }
};

DUEL_IMPL(gpu_gemm_mma_tf32) = {
    .name = "gpu/gemm/mma_tf32",
    .builds_on = "gpu/gemm/mma_fp16",
    .doc = "The kernel of mma_fp16 with TF32 inputs: numbers that lie in memory as FP32 and are multiplied with 11 of "
           "their 24 significant bits. "
           "Tensor Cores do that at half their FP16 rate, still many times the rate of FP32. "
           "It is what a library does when it is allowed to speed FP32 up, and the errors are those of FP16: a row "
           "labelled FP32 must not do it. "
           "Here it has its own label.",
    .types = {{DUEL_TF32, DUEL_FP32, DUEL_FP32}},
    .traffic = traffic,
    .traffic_model = "A is read for each 128 columns of C and B for each 128 rows, unless the cache still holds them.",
    .supports = duel_ampere_supports,
    .open = open<tf32>,
    .run = launch<tf32>,
};
