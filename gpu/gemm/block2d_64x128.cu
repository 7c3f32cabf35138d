/* gpu/gemm/block2d_64x128: block2d with another tile shape, for `duel run --tune` to choose.
 *
 * Idea     Half the block, with half of the sums per thread: two such blocks fit where one of 128 x 128 does.
 * Mapping  A block of 256 threads owns 64 x 128 of C, a thread 4 x 8 of it.
 * Traffic  Values of A serve 128 multiply-adds and values of B 64.
 * Limits   12 loads from shared memory for 32 multiply-adds, where 8 x 8 needs 16 for 64.
 */
#include "gpu/kernel.cuh"

#define DUEL_TILE
constexpr int BM = 64, BN = 128; /* tile of C that a block owns */
constexpr int TM = 4, TN = 8;    /* elements of C that a thread owns: 32 registers in FP32 */
#include "gpu/gemm/block2d.cu"

DUEL_IMPL(gpu_gemm_block2d_64x128) = {
    .name = "gpu/gemm/block2d_64x128",
    .doc = "block2d with blocks of 64 x 128 and 4 x 8 elements of C per thread. "
           "Half the sums leave room for twice as many threads, which can compute while others wait. "
           "Which is better depends on the GPU and the size, so it is measured: `duel run --tune`.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .traffic = traffic,
    .traffic_model = "A is read for each 128 columns of C and B for each 64 rows, unless the cache still holds them.",
    .run = run,
};
