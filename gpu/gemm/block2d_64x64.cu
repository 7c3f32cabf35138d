/* gpu/gemm/block2d_64x64: block2d with another tile shape, for `duel run --tune` to choose.
 *
 * Idea     Four times as many blocks of a quarter of the size. A matrix that has fewer large blocks than a GPU has
 *          multiprocessors leaves some of them idle.
 * Mapping  A block of 256 threads owns 64 x 64 of C, a thread 4 x 4 of it.
 * Traffic  Each value from global memory serves 64 multiply-adds instead of 128.
 * Limits   8 loads from shared memory for 16 multiply-adds, where 8 x 8 needs 16 for 64: slower where blocks abound.
 */
#include "gpu/kernel.cuh"

#define DUEL_TILE
constexpr int BM = 64, BN = 64; /* tile of C that a block owns */
constexpr int TM = 4, TN = 4;   /* elements of C that a thread owns: 16 registers in FP32 */
#include "gpu/gemm/block2d.cu"

DUEL_IMPL(gpu_gemm_block2d_64x64) = {
    .name = "gpu/gemm/block2d_64x64",
    .doc = "block2d with blocks of 64 x 64 and 4 x 4 elements of C per thread. "
           "On a small matrix more blocks keep more multiprocessors busy, on a large one they only fetch more. "
           "Which is better depends on the GPU and the size, so it is measured: `duel run --tune`.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .traffic = traffic,
    .traffic_model = "A is read for each 64 columns of C and B for each 64 rows, unless the cache still holds them.",
    .run = run,
};
