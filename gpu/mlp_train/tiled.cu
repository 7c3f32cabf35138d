/* gpu/mlp_train/tiled: the five products of naive in tiles, with what comes behind each product fused into it.
 *
 * Idea     Forward, backward and step are products of two matrices, some of them transposed: H = X W1, Y = H W2,
 *          E = D W2^T, W1 -= rate X^T E, W2 -= rate H^T D. A tile is fetched into shared memory either way round; what
 *          differs is a few lines at the end: bias and max, the mask of units that are off, or the step.
 * Mapping  A block of 256 threads owns 64 x 64 numbers of a product, a thread 4 x 4 of them, 16 apart each way. Softmax
 *          has a thread for each sample.
 * Traffic  A number from global memory serves 64 multiply-adds: 16 FLOP per byte in FP32, 64 times naive.
 * Limits   Few classes fill few columns of a tile, and the first step (k x n) may have too few tiles for a large GPU,
 *          however many samples it sums over. Next rung: tensor_fp16, or cublas.
 */
#include "gpu/kernel.cuh"

enum { X = 0, T = 1, W = 2 };

constexpr int BM = 64, BN = 64; /* rows and columns of a block */
constexpr int BK = 16;          /* products at a time: two tiles of 4 KiB in FP32 */
constexpr int TM = 4, TN = 4;   /* of a thread: 16 sums in registers */
constexpr int DOWN = BM / TM, ACROSS = BN / TN;
constexpr int THREADS = DOWN * ACROSS;
static_assert(BM * BK % THREADS == 0 && BK * BN % THREADS == 0, "all threads fetch equally much");

/* What becomes of a finished sum; see apply(). */
enum { BEND, ANSWER, MASK, STEP };

/* A (rows x depth) times B (depth x columns), either of them stored transposed: then its element (i, j) stands at
 * (j, i). All row-major; index * ld is computed in 64 bits: in int it overflows from n = 46 341. */
template <typename R> struct product {
    int64_t rows, columns, depth;
    const R *A, *B;
    int64_t lda, ldb;
    const R *extra; /* bias, or the hidden layer for its mask */
    R rate;         /* of STEP, else unused */
    R *out;         /* rows x columns, without gaps */
};

template <int END, typename R>
static __device__ inline void apply(const product<R> &p, int64_t row, int64_t column, R sum)
{
    R *out = &p.out[row * p.columns + column];
    if (END == BEND)
        *out = sum + p.extra[column] > R(0) ? sum + p.extra[column] : R(0);
    else if (END == ANSWER)
        *out = sum + p.extra[column];
    else if (END == MASK) /* a unit that is off passes nothing back */
        *out = p.extra[row * p.columns + column] > R(0) ? sum : R(0);
    else
        *out -= p.rate * sum;
}

/* At least two blocks for a multiprocessor leave 128 registers for a thread; the compiler's own choice spills. */
template <int END, bool A_TURNED, bool B_TURNED, typename R>
static __global__ void __launch_bounds__(THREADS, 2) multiply(product<R> p)
{
    __shared__ R As[BM][BK + 1]; /* one column more: a warp that walks down a column meets different banks */
    __shared__ R Bs[BK][BN + 1];
    const int t = threadIdx.x, y = t / ACROSS, x = t % ACROSS;
    const int64_t top = duel_block_y() * BM, left = duel_block_x() * BN;
    R sum[TM][TN] = {};
    /* Every thread of the block stays in this loop, also those outside: they help to fetch, and all must arrive at the
     * barriers. Neighbours fetch neighbours of memory, which are a row of the tile or, turned, a column of it. */
    for (int64_t step = 0; step < p.depth; step += BK) {
        for (int i = t; i < BM * BK; i += THREADS) {
            const int r = A_TURNED ? i % BM : i / BK, q = A_TURNED ? i / BM : i % BK;
            const int64_t row = top + r, deep = step + q;
            /* Outside the matrices a tile holds 0, which adds nothing. */
            const bool inside = row < p.rows && deep < p.depth;
            As[r][q] = inside ? p.A[A_TURNED ? deep * p.lda + row : row * p.lda + deep] : R(0);
        }
        for (int i = t; i < BK * BN; i += THREADS) {
            const int q = B_TURNED ? i % BK : i / BN, r = B_TURNED ? i / BK : i % BN;
            const int64_t deep = step + q, column = left + r;
            const bool inside = deep < p.depth && column < p.columns;
            Bs[q][r] = inside ? p.B[B_TURNED ? column * p.ldb + deep : deep * p.ldb + column] : R(0);
        }
        __syncthreads(); /* nobody reads the tiles before everybody has written its part */
        DUEL_UNROLL
        for (int q = 0; q < BK; q++) {
            R a[TM], b[TN];
            DUEL_UNROLL
            for (int i = 0; i < TM; i++)
                a[i] = As[y + i * DOWN][q];
            DUEL_UNROLL
            for (int j = 0; j < TN; j++)
                b[j] = Bs[q][x + j * ACROSS];
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
            const int64_t row = top + y + i * DOWN, column = left + x + j * ACROSS;
            if (row < p.rows && column < p.columns) /* false for what hangs over the last row or column */
                apply<END>(p, row, column, sum[i][j]);
        }
    }
}

/* Each row of d, m x c, becomes its softmax, less 1 at the label. Without the largest answer exp could overflow. */
template <typename R>
static __global__ void __launch_bounds__(THREADS) blame(int64_t m, int64_t c, const R *label, int64_t ld, R *d)
{
    const int64_t row = duel_block_x() * THREADS + threadIdx.x;
    if (row < m) { /* false for the threads behind the last sample */
        R most = d[row * c], sum = 0;
        for (int64_t j = 1; j < c; j++)
            most = d[row * c + j] > most ? d[row * c + j] : most;
        for (int64_t j = 0; j < c; j++) {
            d[row * c + j] = exp(d[row * c + j] - most);
            sum += d[row * c + j];
        }
        for (int64_t j = 0; j < c; j++)
            d[row * c + j] = d[row * c + j] / sum - (R(j) == label[row * ld] ? R(1) : R(0));
    }
}

/* bias -= rate times the sums of the columns of B, m x n: a thread for each. */
template <typename R>
static __global__ void __launch_bounds__(THREADS) bias_step(int64_t m, int64_t n, R rate, const R *B, R *bias)
{
    const int64_t column = duel_block_x() * THREADS + threadIdx.x;
    if (column < n) { /* false for the threads behind the last column */
        R sum = 0;
        for (int64_t i = 0; i < m; i++)
            sum += B[i * n + column];
        bias[column] -= rate * sum;
    }
}

template <int END, bool A_TURNED, bool B_TURNED, typename R>
static void start(const struct duel_call *call, const product<R> &p)
{
    if (p.rows > 0)
        DUEL_LAUNCH((multiply<END, A_TURNED, B_TURNED, R>), duel_grid(p.columns, BN, p.rows, BM), dim3(THREADS), 0,
                    call->queue, p);
}

template <typename R> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int64_t m = p->m, n = p->n, k = p->k, c = p->count, ldx = p->ld[X];
    const R *x = static_cast<const R *>(call->operand[X]), *t = static_cast<const R *>(call->operand[T]);
    R *w1 = static_cast<R *>(call->operand[W]), *b1 = w1 + k * n, *w2 = b1 + n, *b2 = w2 + n * c;
    R *h = static_cast<R *>(call->workspace), *e = h + m * n, *d = e + m * n;
    const R rate = static_cast<R>(p->alpha / static_cast<duel_bytes>(m));
    start<BEND, false, false>(call, product<R>{m, n, k, x, w1, ldx, n, b1, R(0), h});
    start<ANSWER, false, false>(call, product<R>{m, c, n, h, w2, n, c, b2, R(0), d});
    DUEL_LAUNCH(blame<R>, dim3(duel_blocks(m, THREADS)), dim3(THREADS), 0, call->queue, m, c, t, p->ld[T], d);
    start<MASK, false, true>(call, product<R>{m, n, c, d, w2, c, c, h, R(0), e});
    start<STEP, true, false>(call, product<R>{k, n, m, x, e, ldx, n, nullptr, rate, w1});
    start<STEP, true, false>(call, product<R>{n, c, m, h, d, n, c, nullptr, rate, w2});
    DUEL_LAUNCH(bias_step<R>, dim3(duel_blocks(n, THREADS)), dim3(THREADS), 0, call->queue, m, n, rate, e, b1);
    DUEL_LAUNCH(bias_step<R>, dim3(duel_blocks(c, THREADS)), dim3(THREADS), 0, call->queue, m, c, rate, d, b2);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

/* The hidden layer, what comes back to it, and what was wrong with the answers. */
static size_t workspace(const struct duel_problem *p)
{
    return static_cast<size_t>(p->m) * static_cast<size_t>(2 * p->n + p->count) * (p->types.in == DUEL_FP64 ? 8 : 4);
}

DUEL_IMPL(gpu_mlp_train_tiled) = {
    .name = "gpu/mlp_train/tiled",
    .builds_on = "gpu/mlp_train/naive",
    .doc = "The step as five tiled matrix multiplications, forward, backward and for the weights; for the last ones a "
           "tile is fetched transposed, which costs nothing. "
           "Bias and max, the mask of units that are off, and the step itself happen while the sum is in a register. "
           "So neither the gradient nor anything that waits for a bias is ever written to memory.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .workspace = workspace,
    .run = run,
};
