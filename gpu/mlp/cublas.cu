/* gpu/mlp/cublas: the products by NVIDIA's library, bias and max by a kernel of our own behind each.
 * Needs: cublas_v2.h
 *
 * Idea     What the vendor's engineers reach is the mark for every product. cuBLAS itself knows nothing of biases: a
 *          kernel after each product adds them and cuts off what is below 0, in place.
 * Mapping  The products are the library's secret; of the kernel behind them, a thread has one number, and a warp 32
 *          neighbours of a row.
 * Traffic  That kernel reads and writes the whole layer once more: 8 bytes for each hidden unit in FP32, which tiled
 *          does not need. With many inputs for each unit it hardly matters, with few it decides.
 * Limits   The arithmetic, if there are enough samples to fill the GPU. TF32 is off here: FP32 rows must be FP32.
 */
#include "gpu/device/cublas.cuh"

enum { X = 0, W = 1, Y = 2 };

constexpr int THREADS = 256;

/* out += bias, and where BEND what is below 0 becomes 0; m x n, row-major, indices in 64 bits. */
template <typename T, bool BEND>
static __global__ void __launch_bounds__(THREADS) finish(int64_t m, int64_t n, const T *bias, T *out, int64_t ld_out)
{
    const int64_t row = duel_block_y(), column = duel_block_x() * THREADS + threadIdx.x;
    if (row < m && column < n) { /* false beyond the last row and column */
        const T value = out[row * ld_out + column] + bias[column];
        out[row * ld_out + column] = BEND && value < T(0) ? T(0) : value;
    }
}

/* cuBLAS is column-major, so the factors change places and so do rows and columns; gpu/gemm/cublas.cu derives it. */
template <typename T, typename Gemm> static enum duel_status launch(const struct duel_call *call, Gemm *gemm)
{
    const struct duel_cublas *cublas = static_cast<const struct duel_cublas *>(call->state);
    const struct duel_problem *p = call->problem;
    const int m = static_cast<int>(p->m), n = static_cast<int>(p->n), k = static_cast<int>(p->k);
    const int c = static_cast<int>(p->count), ldx = static_cast<int>(p->ld[X]), ldy = static_cast<int>(p->ld[Y]);
    const T one = 1, zero = 0;
    const T *x = static_cast<const T *>(call->operand[X]), *w = static_cast<const T *>(call->operand[W]);
    const T *b1 = w + p->k * p->n, *w2 = b1 + n, *b2 = w2 + p->n * p->count;
    T *y = static_cast<T *>(call->operand[Y]), *h = static_cast<T *>(call->workspace);
    CUBLAS_TRY(call->why, cublas,
               gemm(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, w, n, x, ldx, &zero, h, n));
    DUEL_LAUNCH((finish<T, true>), duel_grid(n, THREADS, m, 1), dim3(THREADS), 0, call->queue, p->m, p->n, b1, h, p->n);
    CUBLAS_TRY(call->why, cublas,
               gemm(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, c, m, n, &one, w2, c, h, n, &zero, y, ldy));
    DUEL_LAUNCH((finish<T, false>), duel_grid(c, THREADS, m, 1), dim3(THREADS), 0, call->queue, p->m, p->count, b2, y,
                p->ld[Y]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_cublas *cublas = static_cast<const struct duel_cublas *>(call->state);
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call, cublas->dgemm)
                                                : launch<float>(call, cublas->sgemm);
}

/* The hidden layer, m x n. The library keeps a workspace of its own, allocated with its handle. */
static size_t workspace(const struct duel_problem *p)
{
    return static_cast<size_t>(p->m) * static_cast<size_t>(p->n) * (p->types.in == DUEL_FP64 ? 8 : 4);
}

/* duel_cublas_open() would give all of call->workspace to the library. */
static enum duel_status open(struct duel_call *call)
{
#ifdef DUEL_EMULATED
    return duel_cublas_supports(call->problem, NULL, call->why);
#else
    struct duel_call without = *call;
    without.workspace = NULL;
    const enum duel_status status = duel_cublas_open(&without);
    call->state = without.state;
    return status;
#endif
}

DUEL_IMPL(gpu_mlp_cublas) = {
    .name = "gpu/mlp/cublas",
    .builds_on = "gpu/mlp/tiled",
    .doc = "The multiplications of both layers by NVIDIA's library, and small kernels of our own behind them for bias "
           "and max. "
           "Those kernels read and write each layer once more, because the library knows nothing of what comes after "
           "it. "
           "With thousands of inputs that is little beside the multiplication, with few it is most of the time: the "
           "reason for fused epilogues.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = duel_cublas_supports,
    .workspace = workspace,
    .library = duel_cublas_library,
    .open = open,
    .run = run,
    .close = duel_cublas_close,
};
