/* gpu/mlp/tiled: each layer a tiled matrix multiplication that adds the bias and bends before it writes.
 *
 * Idea     A layer is a matrix multiplication, so it takes a multiplication's tiles: 64 x 64 units, 16 inputs at a time
 *          in shared memory. Bias and max need the finished sum, and that is still in a register: applied there they
 *          cost nothing, while a launch of their own would read and write the whole layer again.
 * Mapping  A block of 256 threads owns 64 samples x 64 units, a thread 4 x 4 of them, 16 apart each way: so the threads
 *          of a warp read neighbours and write neighbours.
 * Traffic  A number from global memory serves 64 multiply-adds: 16 FLOP per byte in FP32, 64 times naive. The hidden
 *          layer is written once and read once.
 * Limits   The second layer has few columns: 10 classes fill a sixth of a tile. Next rung: tensor_fp16, or cublas.
 *
 * Counted  global sectors = m * n / 4096 * (16 * k + 768) + m * c / 4096 * (16 * n + 768),
 *          shared requests = 68 * m * n / 4096 * (k + c), shared rounds = 68 * m * n / 4096 * (k + c)
 */
#include "gpu/kernel.cuh"

enum { X = 0, W = 1, Y = 2 };

constexpr int BM = 64, BN = 64; /* samples and units of a block */
constexpr int BK = 16;          /* inputs at a time: two tiles of 4 KiB in FP32 */
constexpr int TM = 4, TN = 4;   /* of a thread: 16 sums in registers */
constexpr int DOWN = BM / TM, ACROSS = BN / TN;
constexpr int THREADS = DOWN * ACROSS;
static_assert(BM * BK % THREADS == 0 && BK * BN % THREADS == 0, "all threads fetch equally much");
static_assert(ACROSS % 16 == 0, "at least 16 threads side by side, or a warp would write less than whole sectors");

/* out = in M + bias, and where BEND what is below 0 becomes 0. `in` is m x k, M is k x n, `out` m x n, all row-major;
 * index * ld is computed in 64 bits: in int it overflows from n = 46 341. At least two blocks for a multiprocessor
 * leave 128 registers for a thread; the compiler's own choice spills in FP64. */
template <typename T, bool BEND>
static __global__ void __launch_bounds__(THREADS, 2) layer(int64_t m, int64_t n, int64_t k, const T *in, int64_t ld_in,
                                                           const T *M, const T *bias, T *out, int64_t ld_out)
{
    __shared__ T As[BM][BK]; /* the two rows that a warp reads at a time lie in different banks, so no padding */
    __shared__ T Bs[BK][BN];
    const int t = threadIdx.x, y = t / ACROSS, x = t % ACROSS;
    const int64_t block_row = duel_block_y() * BM, block_column = duel_block_x() * BN;
    T sum[TM][TN] = {};
    /* Every thread of the block stays in this loop, also those outside: they help to fetch, and all must arrive at the
     * barriers. */
    for (int64_t step = 0; step < k; step += BK) {
        /* Outside the matrices a tile holds 0, which adds nothing. */
        for (int i = t; i < BM * BK; i += THREADS) {
            const int64_t row = block_row + i / BK, column = step + i % BK;
            As[i / BK][i % BK] = row < m && column < k ? in[row * ld_in + column] : T(0);
        }
        for (int i = t; i < BK * BN; i += THREADS) {
            const int64_t row = step + i / BN, column = block_column + i % BN;
            Bs[i / BN][i % BN] = row < k && column < n ? M[row * n + column] : T(0);
        }
        __syncthreads(); /* nobody reads the tiles before everybody has written its part */
        DUEL_UNROLL
        for (int kk = 0; kk < BK; kk++) {
            T a[TM], b[TN];
            DUEL_UNROLL
            for (int i = 0; i < TM; i++)
                a[i] = As[y + i * DOWN][kk];
            DUEL_UNROLL
            for (int j = 0; j < TN; j++)
                b[j] = Bs[kk][x + j * ACROSS];
            DUEL_UNROLL
            for (int i = 0; i < TM; i++) {
                DUEL_UNROLL
                for (int j = 0; j < TN; j++)
                    sum[i][j] += a[i] * b[j];
            }
        }
        __syncthreads(); /* nobody overwrites the tiles while somebody still reads them */
    }
    DUEL_UNROLL
    for (int i = 0; i < TM; i++) {
        DUEL_UNROLL
        for (int j = 0; j < TN; j++) {
            const int64_t row = block_row + y + i * DOWN, column = block_column + x + j * ACROSS;
            /* False for what hangs over the last row or column in the blocks along these edges. */
            if (row < m && column < n) {
                const T value = sum[i][j] + bias[column];
                out[row * ld_out + column] = BEND && value < T(0) ? T(0) : value;
            }
        }
    }
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int64_t m = p->m, n = p->n, k = p->k, c = p->count;
    const T *x = static_cast<const T *>(call->operand[X]), *w = static_cast<const T *>(call->operand[W]);
    const T *b1 = w + k * n, *w2 = b1 + n, *b2 = w2 + n * c;
    T *y = static_cast<T *>(call->operand[Y]), *h = static_cast<T *>(call->workspace);
    DUEL_LAUNCH((layer<T, true>), duel_grid(n, BN, m, BM), dim3(THREADS), 0, call->queue, m, n, k, x, p->ld[X], w, b1,
                h, n);
    DUEL_LAUNCH((layer<T, false>), duel_grid(c, BN, m, BM), dim3(THREADS), 0, call->queue, m, c, n, h, n, w2, b2, y,
                p->ld[Y]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

/* The hidden layer, m x n. */
static size_t workspace(const struct duel_problem *p)
{
    return static_cast<size_t>(p->m) * static_cast<size_t>(p->n) * (p->types.in == DUEL_FP64 ? 8 : 4);
}

DUEL_IMPL(gpu_mlp_tiled) = {
    .name = "gpu/mlp/tiled",
    .builds_on = "gpu/mlp/naive",
    .doc =
        "Each layer is a matrix multiplication in tiles: a block of threads shares 64 samples and 64 units, and each "
        "number it fetches serves 64 multiplications. "
        "The bias is added and negative numbers are cut off while the sum is still in a register, just before it is "
        "written: the fused epilogue of the libraries for AI. "
        "A launch of its own for that would read and write the whole layer once more.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .workspace = workspace,
    .run = run,
};
