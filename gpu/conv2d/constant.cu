/* gpu/conv2d/constant: shared, with the weights in constant memory and each pixel used for several rows.
 *
 * Idea     All threads want the same weight at the same time: that is what constant memory is for. Its cache hands one
 *          value to all 32 threads of a warp, as an operand of the multiply-add, so weights cost no loads. And a
 *          thread with four rows below each other reads a pixel once for all of them that need it.
 * Mapping  A block of 32 x 8 threads owns 32 x 32 pixels of one output; a thread has four, one below the other.
 * Traffic  Global memory as in shared. Of shared memory a thread reads k (k + 3) pixels for 4 k k multiply-adds: 18
 *          for 36 with 3 x 3, where shared reads 45. No bank conflicts: a warp reads 32 neighbours.
 * Limits   64 KiB of constant memory hold 42 channels of 3 x 3 in FP32; more have no room. For many channels im2col
 *          and the library reuse each pixel for several outputs, which this does not.
 *
 * Counted  global sectors = c * m * n / 1024 * (c * (5 * k + 155) + 128),
 *          shared requests = c * m * n / 1024 * c * (2 * k + 62 + 8 * k * (k + 3))
 */
#include "gpu/kernel.cuh"

constexpr int TILE = 32, DOWN = 8;          /* threads: one row of them is one warp */
constexpr int ROWS = TILE / DOWN;           /* pixels of a thread */
constexpr int64_t CONSTANT_BYTES = 1 << 16; /* all that there is */

enum { IN = 0, WEIGHTS = 1, OUT = 2 };

/* The filters of the call that runs, without gaps: count count k x k of float or double. */
static __constant__ __align__(16) unsigned char filters[CONSTANT_BYTES];

/* All row-major; index * ld is computed in 64 bits. Planes and filters stand one below the other. */
template <typename T>
static __global__ void __launch_bounds__(TILE *DOWN)
    constant(int64_t m, int64_t n, int k, int64_t count, const T *X, int64_t ldx, /* X: count (m + k - 1) x n + k - 1 */
             T *Y, int64_t ldy)                                                   /* Y: count m x n */
{
    /* One array for both types: a name may be declared with one type only. */
    DUEL_DYNAMIC_SHARED(double, room);
    T *pixels = reinterpret_cast<T *>(room); /* side x side of one channel */
    const int side = TILE + k - 1, x = threadIdx.x, y = threadIdx.y;
    const int64_t down = (m + TILE - 1) / TILE, output = duel_block_y() / down;
    const int64_t row = duel_block_y() % down * TILE, column = duel_block_x() * TILE;
    T sum[ROWS] = {};
    if (output >= count) /* the whole block leaves: nobody waits for it */
        return;
    for (int64_t c = 0; c < count; c++) {
        const T *plane = X + c * (m + k - 1) * ldx;
        const T *weights = reinterpret_cast<const T *>(filters) + (output * count + c) * k * k;
        /* Beyond X, where tiles hang over the edge, there are zeros: nobody's result depends on them. */
        for (int i = y; i < side; i += DOWN)
            for (int j = x; j < side; j += TILE)
                pixels[i * side + j] =
                    row + i < m + k - 1 && column + j < n + k - 1 ? plane[(row + i) * ldx + column + j] : T(0);
        __syncthreads(); /* nobody reads the tile before everybody has written its part */
        for (int v = 0; v < k; v++)
            for (int t = 0; t < k + ROWS - 1; t++) { /* down the column of the tile that four sums need */
                const T pixel = pixels[(y * ROWS + t) * side + x + v];
                DUEL_UNROLL
                for (int r = 0; r < ROWS; r++)
                    if (t >= r && t - r < k) /* the same for all threads */
                        sum[r] += weights[(t - r) * k + v] * pixel;
            }
        __syncthreads(); /* nobody overwrites the tile while somebody still reads it */
    }
    DUEL_UNROLL
    for (int r = 0; r < ROWS; r++)
        /* False for the threads that hang over the last row or column. */
        if (row + y * ROWS + r < m && column + x < n)
            Y[(output * m + row + y * ROWS + r) * ldy + column + x] = sum[r];
}

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *, struct duel_why *why)
{
    const duel_bytes bytes = duel_element_bytes(p->types.in), k = static_cast<duel_bytes>(p->k);
    const duel_bytes weights = static_cast<duel_bytes>(p->count) * static_cast<duel_bytes>(p->count) * k * k * bytes;
    const duel_bytes pixels = (TILE + k - 1) * (TILE + k - 1) * bytes;
    if (weights <= static_cast<duel_bytes>(CONSTANT_BYTES) && pixels <= 48 * 1024)
        return DUEL_OK;
    return duel_fail(why, DUEL_SKIP, "constant memory has 64 KiB for all filters, and shared memory 48 for a tile",
                     "use gpu/conv2d/im2col", "filters of %.0f bytes and a tile of %.0f", weights, pixels);
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const size_t side = static_cast<size_t>(TILE + p->k - 1), row = static_cast<size_t>(p->k) * sizeof(T);
    const size_t rows = static_cast<size_t>(p->count * p->count * p->k);
    void *constants = NULL;
    if (p->m == 0 || p->n == 0) /* no grid may be empty */
        return DUEL_OK;
    /* From device memory to device memory, in the queue: rows of W lose the gaps between them. */
    CUDA_TRY(call->why, cudaGetSymbolAddress(&constants, filters));
    CUDA_TRY(call->why,
             cudaMemcpy2DAsync(constants, row, call->operand[WEIGHTS], static_cast<size_t>(p->ld[WEIGHTS]) * sizeof(T),
                               row, rows, cudaMemcpyDeviceToDevice, static_cast<cudaStream_t>(call->queue)));
    DUEL_LAUNCH(constant<T>, duel_grid(p->n, TILE, p->count * duel_blocks(p->m, TILE), 1), dim3(TILE, DOWN),
                side * side * sizeof(T), call->queue, p->m, p->n, static_cast<int>(p->k), p->count,
                static_cast<const T *>(call->operand[IN]), p->ld[IN], static_cast<T *>(call->operand[OUT]), p->ld[OUT]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_conv2d_constant) = {
    .name = "gpu/conv2d/constant",
    .builds_on = "gpu/conv2d/shared",
    .doc = "The weights lie in constant memory, which hands one value to all threads of a warp at once without a load. "
           "Each thread computes four rows below each other, so with 3 x 3 filters a pixel that it has read serves up "
           "to three of them. "
           "Shared memory is asked less than half as often as in the rung below. "
           "That is right for the few weights of an image filter; the layers of a large network have no room there.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .run = run,
};
