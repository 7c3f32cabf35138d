/* gpu/conv2d/shared: naive, with a tile of the image and its rim (halo) in shared memory.
 *
 * Idea     The 1024 output pixels of a tile need only (31 + k) x (31 + k) pixels of a channel between them: the tile
 *          and the k - 1 rows and columns beyond it, which the neighbouring tile needs as well. The block fetches them
 *          once, and all reuse happens in shared memory.
 * Mapping  A block of 32 x 8 threads owns 32 x 32 pixels of one output; a thread has four, eight rows apart. One
 *          channel after the other goes through shared memory, with its filter.
 * Traffic  With 3 x 3 a block loads 1156 pixels for 1024 outputs, against nine for each. Shared memory serves four
 *          pixels and one weight for four multiply-adds, without bank conflicts: a warp reads 32 neighbours.
 * Limits   Those shared loads: more than one for each multiply-add. Next rung: constant, which takes weights from
 *          another memory and pixels from registers.
 *
 * Counted  global sectors = c * m * n / 1024 * (c * (6 * k + 155) + 128),
 *          shared requests = c * m * n / 1024 * c * (2 * k + 63 + 40 * k * k)
 */
#include "gpu/kernel.cuh"

constexpr int TILE = 32, DOWN = 8;   /* threads: one row of them is one warp */
constexpr int ROWS = TILE / DOWN;    /* pixels of a thread */
constexpr int THREADS = TILE * DOWN; /* eight warps */

enum { IN = 0, WEIGHTS = 1, OUT = 2 };

/* All row-major; index * ld is computed in 64 bits. Planes and filters stand one below the other. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    shared(int64_t m, int64_t n, int k, int64_t count, const T *X, int64_t ldx, /* X: count (m + k - 1) x n + k - 1 */
           const T *W, int64_t ldw,                                             /* W: count count k x k */
           T *Y, int64_t ldy)                                                   /* Y: count m x n */
{
    /* One array for both types: a name may be declared with one type only. */
    DUEL_DYNAMIC_SHARED(double, room);
    T *pixels = reinterpret_cast<T *>(room); /* side x side of one channel, and behind them its filter, k x k */
    const int side = TILE + k - 1, x = threadIdx.x, y = threadIdx.y;
    T *weights = pixels + side * side;
    const int64_t down = (m + TILE - 1) / TILE, output = duel_block_y() / down;
    const int64_t row = duel_block_y() % down * TILE, column = duel_block_x() * TILE;
    T sum[ROWS] = {};
    if (output >= count) /* the whole block leaves: nobody waits for it */
        return;
    for (int64_t c = 0; c < count; c++) {
        const T *plane = X + c * (m + k - 1) * ldx;
        /* Beyond X, where tiles hang over the edge, there are zeros: nobody's result depends on them. */
        for (int i = y; i < side; i += DOWN)
            for (int j = x; j < side; j += TILE)
                pixels[i * side + j] =
                    row + i < m + k - 1 && column + j < n + k - 1 ? plane[(row + i) * ldx + column + j] : T(0);
        for (int i = y * TILE + x; i < k * k; i += THREADS)
            weights[i] = W[((output * count + c) * k + i / k) * ldw + i % k];
        __syncthreads(); /* nobody reads the tile before everybody has written its part */
        for (int u = 0; u < k; u++)
            for (int v = 0; v < k; v++) {
                const T weight = weights[u * k + v];
                DUEL_UNROLL
                for (int r = 0; r < ROWS; r++)
                    sum[r] += weight * pixels[(y + r * DOWN + u) * side + x + v];
            }
        __syncthreads(); /* nobody overwrites the tile while somebody still reads it */
    }
    DUEL_UNROLL
    for (int r = 0; r < ROWS; r++)
        /* False for the threads that hang over the last row or column. */
        if (row + y + r * DOWN < m && column + x < n)
            Y[(output * m + row + y + r * DOWN) * ldy + column + x] = sum[r];
}

/* Elements of shared memory; in 64 bits, because k is anybody's. */
static int64_t tile_elements(int64_t k)
{
    return (TILE + k - 1) * (TILE + k - 1) + k * k;
}

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *, struct duel_why *why)
{
    const int64_t most = 48 * 1024 / static_cast<int64_t>(duel_element_bytes(p->types.in));
    if (p->k < most && tile_elements(p->k) <= most)
        return DUEL_OK;
    return duel_fail(why, DUEL_SKIP, "a tile and its rim must fit the 48 KiB that every block may have",
                     "use gpu/conv2d/naive", "a filter of %lld x %lld", static_cast<long long>(p->k),
                     static_cast<long long>(p->k));
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    if (p->m == 0 || p->n == 0) /* no grid may be empty */
        return DUEL_OK;
    DUEL_LAUNCH(shared<T>, duel_grid(p->n, TILE, p->count * duel_blocks(p->m, TILE), 1), dim3(TILE, DOWN),
                static_cast<size_t>(tile_elements(p->k)) * sizeof(T), call->queue, p->m, p->n, static_cast<int>(p->k),
                p->count, static_cast<const T *>(call->operand[IN]), p->ld[IN],
                static_cast<const T *>(call->operand[WEIGHTS]), p->ld[WEIGHTS], static_cast<T *>(call->operand[OUT]),
                p->ld[OUT]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

DUEL_IMPL(gpu_conv2d_shared) = {
    .name = "gpu/conv2d/shared",
    .builds_on = "gpu/conv2d/naive",
    .doc = "A block fetches a tile of the image into shared memory, together with the rim that its filter reaches over "
           "the edge, and then reads every pixel from there. "
           "Global memory delivers each pixel little more than once instead of nine times. "
           "The rim is the price: neighbouring tiles fetch it twice, the more so the smaller the tile. "
           "Shared memory is the limit now, and the next rung, constant, asks less of it.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .run = run,
};
