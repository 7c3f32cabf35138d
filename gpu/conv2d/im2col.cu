/* gpu/conv2d/im2col: the convolution as a matrix product: one kernel copies, another multiplies.
 *
 * Idea     Write the pixels that each output pixel needs into a column of a matrix: count k k rows, a column for each
 *          pixel. The filters are a matrix already, a row for each output. Their product is the convolution.
 * Mapping  Copying: one thread per element. Multiplying: a block of 32 x 8 threads owns 8 outputs x 128 pixels; a
 *          thread has four pixels of one output, and goes along the products in steps of 8 through shared memory.
 * Traffic  Each pixel is written k k times and read again for each 8 outputs. With many channels the product is so
 *          much larger that this does not matter; with one channel nearly all is copying, and 7 of 8 warps multiply
 *          nothing.
 * Limits   Memory for the matrix: nine times the image with 3 x 3. Libraries make its tiles on the fly instead
 *          (implicit GEMM). The numbers below are for filters of 3 x 3.
 *
 * Counted  global sectors = m * n / 32 * c * k * (9 * k - 1) + c * m * n / 1024 * (16 * c * k * k + 10 * c * k + 128),
 *          shared requests = c * m * n / 1024 * c * k * k / 8 * 354
 */
#include "gpu/kernel.cuh"

constexpr int ACROSS = 32, BM = 8;   /* threads: one row of them is one warp, and has one output */
constexpr int BN = 128;              /* pixels of a block */
constexpr int TN = BN / ACROSS;      /* pixels of a thread, 32 apart */
constexpr int BK = 8;                /* products at a time */
constexpr int THREADS = ACROSS * BM; /* eight warps */
static_assert(BM == BK, "as many rows of threads fetch rows of the matrix");

enum { IN = 0, WEIGHTS = 1, OUT = 2 };

/* Row (c, u, v) of the matrix, count k k x m n: the image of channel c, u rows down and v pixels right. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    copy(int64_t m, int64_t n, int64_t k, int64_t count, const T *X, int64_t ldx, T *matrix)
{
    const int64_t pixel = duel_block_x() * THREADS + threadIdx.x, row = duel_block_y();
    if (pixel < m * n && row < count * k * k) { /* false in the last block of pixels, and past the last row */
        const int64_t c = row / (k * k), u = row / k % k, v = row % k;
        matrix[row * m * n + pixel] = X[(c * (m + k - 1) + pixel / n + u) * ldx + pixel % n + v];
    }
}

template <typename T>
static __global__ void __launch_bounds__(THREADS)
    multiply(int64_t m, int64_t n, int64_t k, int64_t count, const T *W, int64_t ldw, /* W: count count k x k */
             const T *matrix, T *Y, int64_t ldy)                                      /* Y: count m x n */
{
    __shared__ T As[BM][BK]; /* outputs of this block x part of the products */
    __shared__ T Bs[BK][BN]; /* part of the products x pixels of this block */
    const int x = threadIdx.x, y = threadIdx.y, t = y * ACROSS + x;
    const int64_t products = count * k * k, pixels = m * n, output = duel_block_y() * BM, pixel = duel_block_x() * BN;
    T sum[TN] = {};
    for (int64_t step = 0; step < products; step += BK) {
        /* Outside of either matrix there are zeros, which add nothing. Product p of an output stands in row p / k of
         * its filters. */
        if (t < BM * BK) {
            const int64_t o = output + t / BK, p = step + t % BK;
            As[t / BK][t % BK] = o < count && p < products ? W[(o * count * k + p / k) * ldw + p % k] : T(0);
        }
        DUEL_UNROLL
        for (int i = 0; i < TN; i++) {
            const int64_t q = pixel + x + i * ACROSS;
            Bs[y][x + i * ACROSS] = step + y < products && q < pixels ? matrix[(step + y) * pixels + q] : T(0);
        }
        __syncthreads(); /* nobody reads the tiles before everybody has written its part */
        for (int j = 0; j < BK; j++) {
            const T weight = As[y][j];
            DUEL_UNROLL
            for (int i = 0; i < TN; i++)
                sum[i] += weight * Bs[j][x + i * ACROSS];
        }
        __syncthreads(); /* nobody overwrites the tiles while somebody still reads them */
    }
    DUEL_UNROLL
    for (int i = 0; i < TN; i++) {
        const int64_t q = pixel + x + i * ACROSS;
        /* False for what hangs over the last output or the last pixel. */
        if (output + y < count && q < pixels)
            Y[((output + y) * m + q / n) * ldy + q % n] = sum[i];
    }
}

static duel_bytes matrix_bytes(const struct duel_problem *p)
{
    return static_cast<duel_bytes>(p->count) * static_cast<duel_bytes>(p->k) * static_cast<duel_bytes>(p->k) *
           static_cast<duel_bytes>(p->m) * static_cast<duel_bytes>(p->n) * duel_element_bytes(p->types.in);
}

constexpr duel_bytes MOST_BYTES = 0x1p40; /* more than any GPU has */

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *, struct duel_why *why)
{
    if (matrix_bytes(p) <= MOST_BYTES)
        return DUEL_OK;
    return duel_fail(why, DUEL_SKIP, "no GPU has memory for it", "use gpu/conv2d/naive", "a matrix of %.3g bytes",
                     matrix_bytes(p));
}

static size_t workspace(const struct duel_problem *p)
{
    return matrix_bytes(p) <= MOST_BYTES ? static_cast<size_t>(matrix_bytes(p)) : 0;
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    T *matrix = static_cast<T *>(call->workspace);
    if (p->m == 0 || p->n == 0) /* no grid may be empty */
        return DUEL_OK;
    DUEL_LAUNCH(copy<T>, duel_grid(p->m * p->n, THREADS, p->count * p->k * p->k, 1), dim3(THREADS), 0, call->queue,
                p->m, p->n, p->k, p->count, static_cast<const T *>(call->operand[IN]), p->ld[IN], matrix);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    DUEL_LAUNCH(multiply<T>, duel_grid(p->m * p->n, BN, p->count, BM), dim3(ACROSS, BM), 0, call->queue, p->m, p->n,
                p->k, p->count, static_cast<const T *>(call->operand[WEIGHTS]), p->ld[WEIGHTS],
                static_cast<const T *>(matrix), static_cast<T *>(call->operand[OUT]), p->ld[OUT]);
    CUDA_TRY(call->why, cudaGetLastError());
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_conv2d_im2col) = {
    .name = "gpu/conv2d/im2col",
    .builds_on = "gpu/conv2d/naive",
    .doc = "One kernel copies the pixels that each sum needs into a column of a matrix, and another multiplies it with "
           "the filters. "
           "The copy is nine times as large as the image with 3 x 3 filters. "
           "With many channels the product outweighs it by far, and all that is known of fast matrix products applies. "
           "With a single channel it is the wrong tool, and the numbers show it.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .workspace = workspace,
    .run = run,
};
