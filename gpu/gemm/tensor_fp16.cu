/* gpu/gemm/tensor_fp16: tiled, with Tensor Cores doing the inner product: FP16 in, FP32 accumulate and out.
 *
 * Idea     Tensor Cores multiply two 16 x 16 matrices of FP16 values and add to a 16 x 16 matrix of FP32 sums in one
 *          WMMA operation, which the 32 threads of a warp do together. Each matrix is a fragment: it lies spread over
 *          the registers of the warp. Which thread holds what is not specified, and not needed.
 * Mapping  A block of 4 warps owns 64 x 64 of C; each warp owns 32 x 32 of it as 2 x 2 fragments of sums. Along k the
 *          block walks in steps of 32, staging 64 x 32 of A and 32 x 64 of B in shared memory as tiled does.
 * Traffic  Per step 8 KiB from global memory for 131 072 multiply-adds: 32 FLOP per byte. A value loaded from shared
 *          memory serves 32 multiply-adds (16 in its fragment's product, and two products), against one in tiled.
 * Limits   Inputs keep 11 significant bits, so this is another problem than FP32. The Tensor Cores idle while the block
 *          fetches: the next rungs overlap the two and enlarge the tile. Hopper and the data-centre GPUs after it reach
 *          their full rate only with newer instructions than WMMA; cublas_fp16 shows what all that adds up to.
 *
 * Counted  global sectors = m * n * k / 512 + m * n / 8
 * PTX      wmma.mma.sync ld.global.v4
 * SASS     HMMA LDG.E.128
 */
#include <mma.h>

#include "gpu/kernel.cuh"

namespace wmma = nvcuda::wmma;

constexpr int BM = 64, BN = 64; /* tile of C that a block owns */
constexpr int BK = 32;          /* depth of one step along k */
constexpr int WM = 32, WN = 32; /* tile of C that a warp owns: 4 fragments of sums, 32 registers a thread */
constexpr int FRAGMENT = 16;    /* WMMA multiplies 16 x 16 x 16 */
constexpr int FM = WM / FRAGMENT, FN = WN / FRAGMENT; /* fragments of sums that a warp owns, down and across */
constexpr int WARPS = (BM / WM) * (BN / WN);
constexpr int THREADS = 32 * WARPS;
constexpr int CHUNK = 8; /* halfs in 16 bytes, the widest load a thread can do */
/* Spare halfs at the end of each row of a tile. Rows of 64 or 128 bytes would start in the same few of the 32 banks;
 * 16 bytes more, and any 8 rows that are read together start in 8 different groups of 4 banks. */
constexpr int PAD = 8;
static_assert(WM % FRAGMENT == 0 && WN % FRAGMENT == 0 && BK % FRAGMENT == 0, "tiles consist of whole fragments");
static_assert(BM * BK % (CHUNK * THREADS) == 0 && BK * BN % (CHUNK * THREADS) == 0, "all threads stage equally much");
static_assert(PAD % CHUNK == 0, "each row of a tile must start at a multiple of 16 bytes, for wide stores and WMMA");
static_assert(2 * (BM * (BK + PAD) + BK * (BN + PAD)) + 4 * WARPS * FRAGMENT * FRAGMENT <= 16 * 1024,
              "16 KiB a block lets the 64 KiB of the smallest multiprocessor hold four blocks");

/* Copies a tile of a row-major matrix into shared memory. `from` is the tile's first element; `rows` and `columns` are
 * how much of the matrix is left from there, perhaps less than a tile, perhaps nothing. What is outside becomes 0. */
template <int ROWS, int COLUMNS>
static __device__ void stage(half (&tile)[ROWS][COLUMNS + PAD], const half *from, int64_t ld, int64_t rows,
                             int64_t columns)
{
    for (int i = threadIdx.x * CHUNK; i < ROWS * COLUMNS; i += THREADS * CHUNK) {
        const int row = i / COLUMNS, column = i % COLUMNS;
        const half *source = from + row * ld + column;
        half *target = &tile[row][column];
        const int64_t left = row < rows ? columns - column : 0;
        /* One wide load where 8 values are left and ld keeps them aligned; at the edges and for odd ld one by one. */
        if (left >= CHUNK && reinterpret_cast<uintptr_t>(source) % sizeof(uint4) == 0)
            *reinterpret_cast<uint4 *>(target) = *reinterpret_cast<const uint4 *>(source);
        else
            for (int j = 0; j < CHUNK; j++)
                target[j] = j < left ? source[j] : __float2half(0.0f);
    }
}

/* All matrices are row-major. index * ld is computed in 64 bits: in int it overflows from n = 46 341. */
static __global__ void __launch_bounds__(THREADS)
    tensor_fp16(int64_t m, int64_t n, int64_t k, float alpha, const half *A, int64_t lda, /* A: m x k */
                const half *B, int64_t ldb, float beta,                                   /* B: k x n */
                float *C, int64_t ldc)                                                    /* C: m x n */
{
    alignas(32) __shared__ half As[BM][BK + PAD];                /* rows of this block x part of k */
    alignas(32) __shared__ half Bs[BK][BN + PAD];                /* part of k x columns of this block */
    alignas(32) __shared__ float Cs[WARPS][FRAGMENT * FRAGMENT]; /* one fragment of sums per warp, on its way out */
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int warp_row = warp / (BN / WN) * WM, warp_column = warp % (BN / WN) * WN; /* inside the block's tile */
    const int64_t block_row = duel_block_y() * BM, block_column = duel_block_x() * BN;

    wmma::fragment<wmma::accumulator, FRAGMENT, FRAGMENT, FRAGMENT, float> sum[FM][FN];
    for (int i = 0; i < FM; i++)
        for (int j = 0; j < FN; j++)
            wmma::fill_fragment(sum[i][j], 0.0f);

    /* Every thread stays in this loop: all fetch, all arrive at the barriers, and WMMA needs whole warps. */
    for (int64_t step = 0; step < k; step += BK) {
        stage<BM, BK>(As, A + block_row * lda + step, lda, m - block_row, k - step);
        stage<BK, BN>(Bs, B + step * ldb + block_column, ldb, k - step, n - block_column);
        __syncthreads(); /* nobody reads the tiles before everybody has written its part */
        for (int kk = 0; kk < BK; kk += FRAGMENT) {
            wmma::fragment<wmma::matrix_a, FRAGMENT, FRAGMENT, FRAGMENT, half, wmma::row_major> a[FM];
            wmma::fragment<wmma::matrix_b, FRAGMENT, FRAGMENT, FRAGMENT, half, wmma::row_major> b[FN];
            for (int i = 0; i < FM; i++)
                wmma::load_matrix_sync(a[i], &As[warp_row + i * FRAGMENT][kk], BK + PAD);
            for (int j = 0; j < FN; j++)
                wmma::load_matrix_sync(b[j], &Bs[kk][warp_column + j * FRAGMENT], BN + PAD);
            for (int i = 0; i < FM; i++)
                for (int j = 0; j < FN; j++)
                    wmma::mma_sync(sum[i][j], a[i], b[j], sum[i][j]);
        }
        __syncthreads(); /* nobody overwrites the tiles while somebody still reads them */
    }

    /* A fragment can only be stored whole, but C may end inside it and start at any address: so each goes through
     * shared memory, and from there 16 threads side by side write each row of it. */
    DUEL_UNROLL
    for (int f = 0; f < FM * FN; f++) {
        const int64_t top = block_row + warp_row + f / FN * FRAGMENT;
        const int64_t left = block_column + warp_column + f % FN * FRAGMENT;
        wmma::store_matrix_sync(Cs[warp], sum[f / FN][f % FN], FRAGMENT, wmma::mem_row_major);
        __syncwarp(); /* the warp's fragment is complete before its threads read each other's part */
        for (int e = lane; e < FRAGMENT * FRAGMENT; e += 32) {
            const int64_t row = top + e / FRAGMENT, column = left + e % FRAGMENT;
            if (row < m && column < n) { /* false for what hangs over the last row or column of C */
                /* beta == 0 must not read C: it may hold NaN, and 0 * NaN is NaN. */
                float *c = &C[row * ldc + column];
                *c = beta == 0.0f ? alpha * Cs[warp][e] : alpha * Cs[warp][e] + beta * *c;
            }
        }
        __syncwarp(); /* the next fragment waits until this one has been read */
    }
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(tensor_fp16, duel_grid(p->n, BN, p->m, BM), dim3(THREADS), 0, call->queue, p->m, p->n, p->k,
                static_cast<float>(p->alpha), static_cast<const half *>(call->operand[DUEL_A]), p->ld[DUEL_A],
                static_cast<const half *>(call->operand[DUEL_B]), p->ld[DUEL_B], static_cast<float>(p->beta),
                static_cast<float *>(call->operand[DUEL_C]), p->ld[DUEL_C]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static duel_bytes traffic(const struct duel_problem *p, duel_bytes cache_bytes)
{
    return duel_tile_traffic(p, cache_bytes, BM, BN);
}

DUEL_IMPL(gpu_gemm_tensor_fp16) = {
    .name = "gpu/gemm/tensor_fp16",
    .builds_on = "gpu/gemm/tiled",
    .doc = "Tiles travel through shared memory as in tiled, but Tensor Cores do the multiplication: one operation of a "
           "warp multiplies two 16 x 16 matrices. "
           "The inputs are rounded to FP16, about 3 decimal digits, and the sums stay in FP32; compare this row with "
           "other FP16 rows and not with FP32. "
           "Sizes that are no multiple of a tile are filled up with zeros in shared memory. "
           "Hopper and the data-centre GPUs after it reach their full rate only with newer instructions than these, "
           "and cublas_fp16 shows the difference.",
    .types = {{DUEL_FP16, DUEL_FP32, DUEL_FP32}},
    .traffic = traffic,
    .traffic_model = "A is read for each 64 columns of C and B for each 64 rows, unless the cache still holds "
                     "them.",
    .run = run,
};
