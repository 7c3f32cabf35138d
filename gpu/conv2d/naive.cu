/* gpu/conv2d/naive: one thread for each pixel of each output, all loads from global memory.
 *
 * Idea     The loops over outputs, rows and columns become threads; each adds up its own k x k pixels of all channels.
 * Mapping  A block of 32 x 8 threads owns 32 columns of 8 rows of one output; a warp is 32 pixels of a row.
 * Traffic  Two loads for each multiply-add. A warp reads 32 neighbours: 4 sectors of 32 bytes in FP32, or 5 where they
 *          begin in the middle of one, as they do for all filter columns but the first. The weight is one sector for
 *          all 32 threads. Each pixel is asked for k k times; the caches answer most of it.
 * Limits   The load units. Next rungs: shared fetches each pixel once for the whole block; im2col makes a matrix
 *          product of it.
 *
 * Counted  global sectors = c * m * n / 32 * (c * k * (6 * k - 1) + 4), shared requests = 0
 */
#include "gpu/kernel.cuh"

constexpr int ACROSS = 32, DOWN = 8; /* threads: one row of them is one warp */

enum { IN = 0, WEIGHTS = 1, OUT = 2 };

/* All row-major; index * ld is computed in 64 bits. Planes and filters stand one below the other. */
template <typename T>
static __global__ void __launch_bounds__(ACROSS *DOWN) naive(int64_t m, int64_t n, int64_t k, int64_t count, const T *X,
                                                             int64_t ldx, /* X: count (m + k - 1) x n + k - 1 */
                                                             const T *W, int64_t ldw, /* W: count count k x k */
                                                             T *Y, int64_t ldy)       /* Y: count m x n */
{
    const int64_t down = (m + DOWN - 1) / DOWN, output = duel_block_y() / down;
    const int64_t row = duel_block_y() % down * DOWN + threadIdx.y, column = duel_block_x() * ACROSS + threadIdx.x;
    /* False for the threads that hang over the last row or column, and for blocks behind the last output. */
    if (output < count && row < m && column < n) {
        T sum = 0;
        for (int64_t c = 0; c < count; c++)
            for (int64_t u = 0; u < k; u++) {
                const T *x = X + (c * (m + k - 1) + row + u) * ldx + column,
                        *w = W + ((output * count + c) * k + u) * ldw;
                for (int64_t v = 0; v < k; v++)
                    sum += w[v] * x[v];
            }
        Y[(output * m + row) * ldy + column] = sum;
    }
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    if (p->m == 0 || p->n == 0) /* no grid may be empty */
        return DUEL_OK;
    DUEL_LAUNCH(naive<T>, duel_grid(p->n, ACROSS, p->count * duel_blocks(p->m, DOWN), 1), dim3(ACROSS, DOWN), 0,
                call->queue, p->m, p->n, p->k, p->count, static_cast<const T *>(call->operand[IN]), p->ld[IN],
                static_cast<const T *>(call->operand[WEIGHTS]), p->ld[WEIGHTS], static_cast<T *>(call->operand[OUT]),
                p->ld[OUT]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_conv2d_naive) = {
    .name = "gpu/conv2d/naive",
    .doc = "One thread for each output pixel, which loads all pixels and weights that it needs itself. "
           "Neighbouring threads load nearly the same pixels, so the same bytes are asked for nine times with a 3 x 3 "
           "filter. "
           "The caches answer most of that, but every answer costs a load. "
           "The next rung, shared, lets a block fetch each pixel once.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
