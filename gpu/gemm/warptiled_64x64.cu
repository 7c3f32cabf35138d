/* gpu/gemm/warptiled_64x64: warptiled with another tile shape, for `duel run --tune` to choose.
 *
 * Idea     Four times as many blocks of a quarter of the size. A matrix that has fewer large blocks than a GPU has
 *          multiprocessors leaves some of them idle.
 * Mapping  A block of 4 warps owns 64 x 64 of C, a warp 32 x 32, a thread two squares of 4 x 4.
 * Traffic  Each value from global memory serves 64 multiply-adds instead of 128.
 * Limits   More bytes from global memory than warptiled.
 */
#include "gpu/kernel.cuh"

#define DUEL_TILE
constexpr int BM = 64, BN = 64; /* tile of C that a block owns */
constexpr int TM = 8, TN = 4;   /* elements of C that a thread owns: 32 registers */
constexpr int WM = 32, WN = 32; /* tile of C that a warp owns */
#include "gpu/gemm/warptiled.cu"

DUEL_IMPL(gpu_gemm_warptiled_64x64) = {
    .name = "gpu/gemm/warptiled_64x64",
    .doc = "warptiled with blocks of 64 x 64 in four warps. "
           "On a small matrix more blocks keep more multiprocessors busy, on a large one they only fetch more. "
           "Which is better depends on the GPU and the size, so it is measured: `duel run --tune`.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}},
    .traffic = traffic,
    .traffic_model = "A is read for each 64 columns of C and B for each 64 rows, unless the cache still holds them.",
    .run = run,
};
