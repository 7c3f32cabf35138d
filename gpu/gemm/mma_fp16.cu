/* gpu/gemm/mma_fp16: pipelined, with Tensor Cores doing the inner product: FP16 in, FP32 accumulate and out.
 *
 * Idea     WMMA, in tensor_fp16, hides which thread holds what, and pays with plain loads and padding. Here the warp
 *          speaks to its Tensor Cores directly: ldmatrix loads four matrices of 8 x 8 values of 16 bits in the layout
 *          that mma.sync multiplies. Tiles arrive by cp.async as in pipelined, two pairs ahead. The kernel is in
 *          mma.cuh and mma_tiles.cuh; mma_bf16 and mma_tf32 are made from the same.
 * Mapping  A block of 4 warps owns 128 x 128 of C; a warp owns 64 x 64 of it as 4 x 8 pieces of 16 x 8. In a piece
 *          lane l holds columns 2 (l % 4) and the next of rows l / 4 and l / 4 + 8.
 * Traffic  A value from global memory serves 128 multiply-adds, twice tensor_fp16, and one from shared memory 64. No
 *          load has a bank conflict and no byte is spent on padding: the 16-byte chunks of a row trade places by the
 *          number of the row (swizzled), so that the 8 that ldmatrix reads together lie in different banks.
 * Limits   mma.sync is what Ampere and Ada compute with at full rate. Hopper and the data-centre Blackwells need wgmma
 *          and tcgen05 for that, which are not portable: there mma.sync stays below two thirds of the library.
 *
 * Counted  global sectors = m * n * k / 1024 + m * n / 8, shared requests = m * n * k / 16384 * 3
 * PTX      cp.async.cg ldmatrix mma.sync
 * SASS     LDGSTS LDSM HMMA.16816.F32
 */
#include "gpu/gemm/mma.cuh"

struct fp16 {
    typedef uint16_t T; /* never calculated with outside mma.sync */
    static __device__ void multiply(float (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
    {
        ptx_mma_fp16(sum, a, b);
    }
};

DUEL_IMPL(gpu_gemm_mma_fp16) = {
    .name = "gpu/gemm/mma_fp16",
    .builds_on = "gpu/gemm/tensor_fp16",
    .doc = "This kernel speaks to the Tensor Cores in their own instructions, ldmatrix and mma.sync, where tensor_fp16 "
           "leaves the layout of registers to the compiler. "
           "Tiles arrive by cp.async, two steps ahead of the arithmetic, as in pipelined. "
           "They lie in shared memory with their 16-byte chunks exchanged, so that no load waits for a bank. "
           "It takes compute capability 8.0; on 9.0 and 10.x even a perfect mma.sync stays below two thirds of "
           "cublas_fp16, because only wgmma and tcgen05, which are not portable, reach the full rate.",
    .types = {{DUEL_FP16, DUEL_FP32, DUEL_FP32}},
    .traffic = traffic,
    .traffic_model = "A is read for each 128 columns of C and B for each 128 rows, unless the cache still holds them.",
    .supports = duel_ampere_supports,
    .open = open<fp16>,
    .run = launch<fp16>,
};
