/* gpu/mlp_train/tensor_fp16: mixed precision: Tensor Cores for the two large products, FP32 for all that is summed up.
 *
 * Idea     The products with the samples, X W1 and X^T E, are nearly all of the work, and Tensor Cores do them from
 *          FP16 numbers with FP32 sums. The weights live in FP32: a step is often smaller than the last place of an
 *          FP16 weight and would be lost. So the master copy is rounded on its way into shared memory, for the product
 *          alone, and the step goes into the master copy.
 * Mapping  As in gpu/mlp/tensor_fp16: a block of 4 warps owns 64 x 64 numbers, a warp 2 x 2 fragments of sums. X^T
 *          needs no transposing: a fragment can be loaded by columns. The second layer is small and stays as in naive.
 * Traffic  32 FLOP per byte in X^T E, whose factors are FP16; 21 in X W1, because W1 is read in FP32.
 * Limits   What comes back to the hidden units, E, is rounded to FP16 as well: below 6e-5 it loses digits, below 6e-8
 *          it is 0. Real training scales the loss up to stay above that; here d is kept before the division by m.
 *
 * PTX      wmma.mma.sync
 * SASS     HMMA
 */
#include <mma.h>
#include <type_traits>

#include "gpu/kernel.cuh"

namespace wmma = nvcuda::wmma;

enum { X = 0, T = 1, W = 2 };

constexpr int BM = 64, BN = 64; /* rows and columns of a block */
constexpr int BK = 32;          /* products of one step */
constexpr int WM = 32, WN = 32; /* of a warp: 4 fragments of sums, 32 registers a thread */
constexpr int FRAGMENT = 16;    /* WMMA multiplies 16 x 16 x 16 */
constexpr int FM = WM / FRAGMENT, FN = WN / FRAGMENT;
constexpr int WARPS = (BM / WM) * (BN / WN);
constexpr int THREADS = 32 * WARPS;
constexpr int CHUNK = 8; /* numbers that a thread fetches together: 16 bytes of FP16 */
constexpr int PAD = 8;   /* spare halfs at the end of each row of a tile, so that rows start in different banks */
constexpr int ACROSS = 32, DOWN = 4; /* threads of a block of the small kernels: one row of threads is one warp */
static_assert(BM == BN, "a tile of X is as wide as it is high, whichever way round it is used");
static_assert(BK * BN % (CHUNK * THREADS) == 0, "all threads stage equally much");
static_assert(ACROSS * DOWN == THREADS, "all kernels have blocks of one size");

static __device__ inline half to_half(half value)
{
    return value;
}

static __device__ inline half to_half(float value)
{
    return __float2half(value);
}

/* Copies a tile of a row-major matrix into shared memory, rounding it to FP16. `from` is the tile's first element;
 * `rows` and `columns` are how much of the matrix is left from there. What is outside becomes 0. */
template <int ROWS, int COLUMNS, typename S>
static __device__ void stage(half *tile, const S *from, int64_t ld, int64_t rows, int64_t columns)
{
    for (int i = threadIdx.x * CHUNK; i < ROWS * COLUMNS; i += THREADS * CHUNK) {
        const int row = i / COLUMNS, column = i % COLUMNS;
        const S *source = from + row * ld + column;
        half *target = tile + row * (COLUMNS + PAD) + column;
        const int64_t left = row < rows ? columns - column : 0;
        /* One wide load where 8 values of FP16 are left and ld keeps them aligned; else one by one. */
        if (sizeof(S) == sizeof(half) && left >= CHUNK && reinterpret_cast<uintptr_t>(source) % sizeof(uint4) == 0)
            *reinterpret_cast<uint4 *>(target) = *reinterpret_cast<const uint4 *>(source);
        else
            for (int j = 0; j < CHUNK; j++)
                target[j] = j < left ? to_half(source[j]) : __float2half(0.0f);
    }
}

/* A (rows x depth, or TURNED: stored as depth x rows) times B (depth x columns). Not TURNED it is the hidden layer:
 * out = max(0, A B + bias). TURNED it is the step: out -= rate A B. All row-major; index * ld is computed in 64 bits:
 * in int it overflows from n = 46 341. At least four blocks for a multiprocessor leave 128 registers for a thread. */
template <bool TURNED, typename S>
static __global__ void __launch_bounds__(THREADS, 4)
    multiply(int64_t rows, int64_t columns, int64_t depth, const half *A, int64_t lda, const S *B, const float *bias,
             float rate, float *out)
{
    constexpr int LDA = (TURNED ? BM : BK) + PAD;
    alignas(32) __shared__ half As[BM * (BK + PAD)];             /* a tile of A either way round; 5 KiB */
    alignas(32) __shared__ half Bs[BK * (BN + PAD)];             /* part of depth x columns of this block */
    alignas(32) __shared__ float Cs[WARPS][FRAGMENT * FRAGMENT]; /* one fragment of sums per warp, on its way out */
    typedef typename std::conditional<TURNED, wmma::col_major, wmma::row_major>::type layout;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int warp_row = warp / (BN / WN) * WM, warp_column = warp % (BN / WN) * WN; /* inside the block's tile */
    const int64_t top = duel_block_y() * BM, left = duel_block_x() * BN;

    wmma::fragment<wmma::accumulator, FRAGMENT, FRAGMENT, FRAGMENT, float> sum[FM][FN];
    for (int i = 0; i < FM; i++)
        for (int j = 0; j < FN; j++)
            wmma::fill_fragment(sum[i][j], 0.0f);

    /* Every thread stays in this loop: all fetch, all arrive at the barriers, and WMMA needs whole warps. */
    for (int64_t step = 0; step < depth; step += BK) {
        if (TURNED)
            stage<BK, BM>(As, A + step * lda + top, lda, depth - step, rows - top);
        else
            stage<BM, BK>(As, A + top * lda + step, lda, rows - top, depth - step);
        stage<BK, BN>(Bs, B + step * columns + left, columns, depth - step, columns - left);
        __syncthreads(); /* nobody reads the tiles before everybody has written its part */
        for (int kk = 0; kk < BK; kk += FRAGMENT) {
            wmma::fragment<wmma::matrix_a, FRAGMENT, FRAGMENT, FRAGMENT, half, layout> a[FM];
            wmma::fragment<wmma::matrix_b, FRAGMENT, FRAGMENT, FRAGMENT, half, wmma::row_major> b[FN];
            for (int i = 0; i < FM; i++) {
                const int row = warp_row + i * FRAGMENT;
                wmma::load_matrix_sync(a[i], &As[TURNED ? kk * LDA + row : row * LDA + kk], LDA);
            }
            for (int j = 0; j < FN; j++)
                wmma::load_matrix_sync(b[j], &Bs[kk * (BN + PAD) + warp_column + j * FRAGMENT], BN + PAD);
            for (int i = 0; i < FM; i++)
                for (int j = 0; j < FN; j++)
                    wmma::mma_sync(sum[i][j], a[i], b[j], sum[i][j]);
        }
        __syncthreads(); /* nobody overwrites the tiles while somebody still reads them */
    }

    /* A fragment can only be stored whole, so each goes through shared memory. */
    DUEL_UNROLL
    for (int f = 0; f < FM * FN; f++) {
        wmma::store_matrix_sync(Cs[warp], sum[f / FN][f % FN], FRAGMENT, wmma::mem_row_major);
        __syncwarp(); /* the warp's fragment is complete before its threads read each other's part */
        for (int e = lane; e < FRAGMENT * FRAGMENT; e += 32) {
            const int64_t row = top + warp_row + f / FN * FRAGMENT + e / FRAGMENT;
            const int64_t column = left + warp_column + f % FN * FRAGMENT + e % FRAGMENT;
            if (row < rows && column < columns) { /* false for what hangs over the last row or column */
                const float value =
                    TURNED ? out[row * columns + column] - rate * Cs[warp][e] : Cs[warp][e] + bias[column];
                out[row * columns + column] = TURNED || value > 0.0f ? value : 0.0f;
            }
        }
        __syncwarp(); /* the next fragment waits until this one has been read */
    }
}

/* ---- the second layer, as in naive; the `if` of each kernel is false beyond the edges ------------------------------
 */

/* A row of d, m x c, becomes softmax(h W2 + b2), less 1 at the label: a thread for each sample. */
static __global__ void __launch_bounds__(THREADS)
    answer(int64_t m, int64_t n, int64_t c, const float *h, const float *w2, const float *b2, const float *label,
           int64_t ld, float *d)
{
    const int64_t row = duel_block_x() * THREADS + threadIdx.x;
    if (row >= m)
        return;
    float most = 0.0f, sum = 0.0f;
    for (int64_t j = 0; j < c; j++) {
        float y = b2[j];
        for (int64_t l = 0; l < n; l++)
            y += h[row * n + l] * w2[l * c + j];
        d[row * c + j] = y;
        most = j == 0 || y > most ? y : most;
    }
    for (int64_t j = 0; j < c; j++) { /* without the largest answer exp could overflow */
        d[row * c + j] = expf(d[row * c + j] - most);
        sum += d[row * c + j];
    }
    for (int64_t j = 0; j < c; j++)
        d[row * c + j] = d[row * c + j] / sum - (static_cast<float>(j) == label[row * ld] ? 1.0f : 0.0f);
}

/* e = d W2^T, where the unit is on, rounded to FP16 for the product that follows. */
static __global__ void __launch_bounds__(THREADS)
    backward(int64_t m, int64_t n, int64_t c, const float *d, const float *w2, const float *h, half *e)
{
    const int64_t row = duel_block_y() * DOWN + threadIdx.y, column = duel_block_x() * ACROSS + threadIdx.x;
    if (row < m && column < n) {
        float sum = 0.0f;
        for (int64_t j = 0; j < c; j++)
            sum += d[row * c + j] * w2[column * c + j];
        e[row * n + column] = __float2half(h[row * n + column] > 0.0f ? sum : 0.0f);
    }
}

/* M -= rate A^T B for A (m x rows) and B (m x columns). Behind the last row of M stands the bias, for which A is 1. */
template <typename S>
static __global__ void __launch_bounds__(THREADS)
    small_step(int64_t m, int64_t rows, int64_t columns, float rate, const float *A, const S *B, float *M)
{
    const int64_t row = duel_block_y() * DOWN + threadIdx.y, column = duel_block_x() * ACROSS + threadIdx.x;
    if (row <= rows && column < columns) {
        float sum = 0.0f;
        for (int64_t i = 0; i < m; i++)
            sum += (row < rows ? A[i * rows + row] : 1.0f) * static_cast<float>(B[i * columns + column]);
        M[row * columns + column] -= rate * sum;
    }
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int64_t m = p->m, n = p->n, k = p->k, c = p->count;
    const half *x = static_cast<const half *>(call->operand[X]);
    const float *t = static_cast<const float *>(call->operand[T]);
    float *w1 = static_cast<float *>(call->operand[W]), *b1 = w1 + k * n, *w2 = b1 + n, *b2 = w2 + n * c;
    float *h = static_cast<float *>(call->workspace), *d = h + m * n;
    half *e = reinterpret_cast<half *>(d + m * c);
    const float rate = static_cast<float>(p->alpha / static_cast<duel_bytes>(m));
    const dim3 block(ACROSS, DOWN);
    DUEL_LAUNCH((multiply<false, float>), duel_grid(n, BN, m, BM), dim3(THREADS), 0, call->queue, m, n, k, x, p->ld[X],
                w1, b1, rate, h);
    DUEL_LAUNCH(answer, dim3(duel_blocks(m, THREADS)), dim3(THREADS), 0, call->queue, m, n, c, h, w2, b2, t, p->ld[T],
                d);
    DUEL_LAUNCH(backward, duel_grid(n, ACROSS, m, DOWN), block, 0, call->queue, m, n, c, d, w2, h, e);
    if (k > 0)
        DUEL_LAUNCH((multiply<true, half>), duel_grid(n, BN, k, BM), dim3(THREADS), 0, call->queue, k, n, m, x,
                    p->ld[X], e, b1, rate, w1);
    DUEL_LAUNCH(small_step<half>, duel_grid(n, ACROSS, 1, DOWN), block, 0, call->queue, m, 0, n, rate, h, e, b1);
    DUEL_LAUNCH(small_step<float>, duel_grid(c, ACROSS, n + 1, DOWN), block, 0, call->queue, m, n, c, rate, h, d, w2);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

/* The hidden layer and what was wrong with the answers in FP32, what comes back to the units in FP16. */
static size_t workspace(const struct duel_problem *p)
{
    return static_cast<size_t>(p->m) *
           (static_cast<size_t>(p->n + p->count) * sizeof(float) + static_cast<size_t>(p->n) * sizeof(half));
}

DUEL_IMPL(gpu_mlp_train_tensor_fp16) = {
    .name = "gpu/mlp_train/tensor_fp16",
    .builds_on = "gpu/mlp_train/tiled",
    .doc = "A training step in mixed precision: Tensor Cores multiply FP16 numbers, and everything that is summed up "
           "stays in FP32. "
           "The weights have a master copy in FP32, which is rounded only on its way into the product, because a step "
           "is often smaller than the last digit of an FP16 weight and would vanish. "
           "What comes back to the hidden units is rounded too, so its small numbers must not sink below what FP16 can "
           "hold. "
           "Its loss falls as in FP32: compare the curves of `duel train`.",
    .types = {{DUEL_FP16, DUEL_FP32, DUEL_FP32}},
    .workspace = workspace,
    .run = run,
};
