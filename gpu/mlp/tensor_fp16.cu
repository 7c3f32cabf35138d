/* gpu/mlp/tensor_fp16: the layers of tiled on Tensor Cores: FP16 numbers, FP32 sums, and a hidden layer kept in FP16.
 *
 * Idea     A warp multiplies fragments of 16 x 16 with one WMMA operation, as gpu/gemm/tensor_fp16 does. The sums are
 *          FP32 until bias and max are done; only then the hidden layer is rounded to FP16, for the second layer needs
 *          it as an input.
 * Mapping  A block of 4 warps owns 64 samples x 64 units; each warp 32 x 32 of them as 2 x 2 fragments of sums. It
 *          walks along the inputs in steps of 32, staging both tiles in shared memory.
 * Traffic  32 FLOP per byte, and half the bytes of tiled for inputs, weights and the hidden layer.
 * Limits   Inputs and weights keep 11 significant bits, so this is another problem than FP32. The Tensor Cores idle
 *          while the block fetches.
 *
 * PTX      wmma.mma.sync ld.global.v4
 * SASS     HMMA LDG.E.128
 */
#include <mma.h>

#include "gpu/kernel.cuh"

namespace wmma = nvcuda::wmma;

enum { X = 0, W = 1, Y = 2 };

constexpr int BM = 64, BN = 64;                       /* samples and units of a block */
constexpr int BK = 32;                                /* inputs of one step */
constexpr int WM = 32, WN = 32;                       /* of a warp: 4 fragments of sums, 32 registers a thread */
constexpr int FRAGMENT = 16;                          /* WMMA multiplies 16 x 16 x 16 */
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

static __device__ inline void put(half *to, float value)
{
    *to = __float2half(value);
}

static __device__ inline void put(float *to, float value)
{
    *to = value;
}

/* out = in M + bias, and where BEND what is below 0 becomes 0. `in` is m x k, M is k x n, `out` m x n, all row-major;
 * index * ld is computed in 64 bits: in int it overflows from n = 46 341. At least four blocks for a multiprocessor
 * leave 128 registers for a thread; the compiler's own choice, six, spills. */
template <typename OUT, bool BEND>
static __global__ void __launch_bounds__(THREADS, 4) layer(int64_t m, int64_t n, int64_t k, const half *A, int64_t lda,
                                                           const half *B, const half *bias, OUT *C, int64_t ldc)
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
        stage<BK, BN>(Bs, B + step * n + block_column, n, k - step, n - block_column);
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
            if (row < m && column < n) { /* false for what hangs over the last row or column */
                const float value = Cs[warp][e] + __half2float(bias[column]);
                put(&C[row * ldc + column], BEND && value < 0.0f ? 0.0f : value);
            }
        }
        __syncwarp(); /* the next fragment waits until this one has been read */
    }
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int64_t m = p->m, n = p->n, k = p->k, c = p->count;
    const half *x = static_cast<const half *>(call->operand[X]), *w = static_cast<const half *>(call->operand[W]);
    const half *b1 = w + k * n, *w2 = b1 + n, *b2 = w2 + n * c;
    half *h = static_cast<half *>(call->workspace);
    DUEL_LAUNCH((layer<half, true>), duel_grid(n, BN, m, BM), dim3(THREADS), 0, call->queue, m, n, k, x, p->ld[X], w,
                b1, h, n);
    DUEL_LAUNCH((layer<float, false>), duel_grid(c, BN, m, BM), dim3(THREADS), 0, call->queue, m, c, n, h, n, w2, b2,
                static_cast<float *>(call->operand[Y]), p->ld[Y]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

/* The hidden layer in FP16, m x n. */
static size_t workspace(const struct duel_problem *p)
{
    return static_cast<size_t>(p->m) * static_cast<size_t>(p->n) * sizeof(half);
}

DUEL_IMPL(gpu_mlp_tensor_fp16) = {
    .name = "gpu/mlp/tensor_fp16",
    .builds_on = "gpu/mlp/tiled",
    .doc =
        "The layers of tiled with Tensor Cores for the products: samples, weights and the hidden layer are FP16, the "
        "sums FP32. "
        "Bias and max work on the FP32 sums, and only the finished hidden layer is rounded. "
        "This is how networks are run in practice: half the bytes, a multiple of the arithmetic, and about three "
        "decimal digits, which trained weights tolerate. "
        "Compare it with other FP16 rows and not with FP32.",
    .types = {{DUEL_FP16, DUEL_FP32, DUEL_FP32}},
    .workspace = workspace,
    .run = run,
};
