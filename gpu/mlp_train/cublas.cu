/* gpu/mlp_train/cublas: the five products of a step by NVIDIA's library, small kernels of our own between them.
 * Needs: cublas_v2.h
 *
 * Idea     Each product of tiled is one call, transposed where it has to be; a call can add to what is there, so the
 *          gradient needs no memory and the step is the product itself. Bias and max, softmax, and the mask of units
 *          that are off are launches of their own, because the library knows nothing of them.
 * Mapping  The products are the library's secret. Of our kernels a thread has one number; of softmax one sample, and of
 *          a bias one column.
 * Traffic  The hidden layer and what comes back to it (m x n each) are read and written once more for bias and mask.
 * Limits   The arithmetic, if batch and layers are large enough to fill the GPU. TF32 is off here.
 */
#include "gpu/device/cublas.cuh"

enum { X = 0, T = 1, W = 2 };

constexpr int THREADS = 256;

/* h = max(0, h + bias); m x n, row-major, indices in 64 bits. The `if` of each kernel is false beyond the edges. */
template <typename R> static __global__ void __launch_bounds__(THREADS) bend(int64_t m, int64_t n, const R *bias, R *h)
{
    const int64_t row = duel_block_y(), column = duel_block_x() * THREADS + threadIdx.x;
    if (row < m && column < n) {
        const R value = h[row * n + column] + bias[column];
        h[row * n + column] = value > R(0) ? value : R(0);
    }
}

/* Each row of d, m x c, becomes softmax(d + b2), less 1 at the label. Without the largest answer exp could overflow. */
template <typename R>
static __global__ void __launch_bounds__(THREADS)
    blame(int64_t m, int64_t c, const R *b2, const R *label, int64_t ld, R *d)
{
    const int64_t row = duel_block_x() * THREADS + threadIdx.x;
    if (row < m) {
        R most = d[row * c] + b2[0], sum = 0;
        for (int64_t j = 0; j < c; j++) {
            d[row * c + j] += b2[j];
            most = d[row * c + j] > most ? d[row * c + j] : most;
        }
        for (int64_t j = 0; j < c; j++) {
            d[row * c + j] = exp(d[row * c + j] - most);
            sum += d[row * c + j];
        }
        for (int64_t j = 0; j < c; j++)
            d[row * c + j] = d[row * c + j] / sum - (R(j) == label[row * ld] ? R(1) : R(0));
    }
}

/* A unit that is off passes nothing back. */
template <typename R> static __global__ void __launch_bounds__(THREADS) mask(int64_t m, int64_t n, const R *h, R *e)
{
    const int64_t row = duel_block_y(), column = duel_block_x() * THREADS + threadIdx.x;
    if (row < m && column < n && !(h[row * n + column] > R(0)))
        e[row * n + column] = R(0);
}

/* bias -= rate times the sums of the columns of B, m x n. */
template <typename R>
static __global__ void __launch_bounds__(THREADS) bias_step(int64_t m, int64_t n, R rate, const R *B, R *bias)
{
    const int64_t column = duel_block_x() * THREADS + threadIdx.x;
    if (column < n) {
        R sum = 0;
        for (int64_t i = 0; i < m; i++)
            sum += B[i * n + column];
        bias[column] -= rate * sum;
    }
}

/* cuBLAS is column-major: it sees each of our matrices transposed. So factors change places, and what we transpose is
 * what it does not. Y = H W2 is Y^T = W2^T H^T: W2 and H as they are. E = D W2^T is E^T = W2 D^T: OP_T on W2.
 * W1 -= rate X^T E is W1^T -= rate E^T X: OP_T on X. */
template <typename R, typename Gemm> static enum duel_status launch(const struct duel_call *call, Gemm *gemm)
{
    const struct duel_cublas *cublas = static_cast<const struct duel_cublas *>(call->state);
    const struct duel_problem *p = call->problem;
    const int m = static_cast<int>(p->m), n = static_cast<int>(p->n), k = static_cast<int>(p->k);
    const int c = static_cast<int>(p->count), ldx = duel_cublas_ld(p, X);
    const R *x = static_cast<const R *>(call->operand[X]), *t = static_cast<const R *>(call->operand[T]);
    R *w1 = static_cast<R *>(call->operand[W]), *b1 = w1 + p->k * p->n, *w2 = b1 + n, *b2 = w2 + p->n * p->count;
    R *h = static_cast<R *>(call->workspace), *e = h + p->m * p->n, *d = e + p->m * p->n;
    const R one = 1, zero = 0, rate = static_cast<R>(p->alpha / static_cast<duel_bytes>(m)), down = -rate;
    const dim3 units = duel_grid(n, THREADS, m, 1), block(THREADS);
    CUBLAS_TRY(call->why, cublas,
               gemm(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, w1, n, x, ldx, &zero, h, n));
    DUEL_LAUNCH(bend<R>, units, block, 0, call->queue, p->m, p->n, b1, h);
    CUBLAS_TRY(call->why, cublas,
               gemm(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, c, m, n, &one, w2, c, h, n, &zero, d, c));
    DUEL_LAUNCH(blame<R>, dim3(duel_blocks(m, THREADS)), block, 0, call->queue, p->m, p->count, b2, t, p->ld[T], d);
    CUBLAS_TRY(call->why, cublas,
               gemm(cublas->handle, CUBLAS_OP_T, CUBLAS_OP_N, n, m, c, &one, w2, c, d, c, &zero, e, n));
    DUEL_LAUNCH(mask<R>, units, block, 0, call->queue, p->m, p->n, h, e);
    CUBLAS_TRY(call->why, cublas,
               gemm(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_T, n, k, m, &down, e, n, x, ldx, &one, w1, n));
    CUBLAS_TRY(call->why, cublas,
               gemm(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_T, c, n, m, &down, d, c, h, n, &one, w2, c));
    DUEL_LAUNCH(bias_step<R>, dim3(duel_blocks(n, THREADS)), block, 0, call->queue, p->m, p->n, rate, e, b1);
    DUEL_LAUNCH(bias_step<R>, dim3(duel_blocks(c, THREADS)), block, 0, call->queue, p->m, p->count, rate, d, b2);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_cublas *cublas = static_cast<const struct duel_cublas *>(call->state);
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call, cublas->dgemm)
                                                : launch<float>(call, cublas->sgemm);
}

/* The hidden layer, what comes back to it, and what was wrong with the answers. */
static size_t workspace(const struct duel_problem *p)
{
    return static_cast<size_t>(p->m) * static_cast<size_t>(2 * p->n + p->count) * (p->types.in == DUEL_FP64 ? 8 : 4);
}

/* duel_cublas_open() would give all of call->workspace to the library; without one it uses its own. */
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

DUEL_IMPL(gpu_mlp_train_cublas) = {
    .name = "gpu/mlp_train/cublas",
    .builds_on = "gpu/mlp_train/tiled",
    .doc = "The multiplications of a step by NVIDIA's library, five of them: this row is the mark for the hand-written "
           "ones. "
           "The last two add their product to the weights, so the gradient is never stored. "
           "Bias, softmax and the mask of units that are off are small kernels in between, which read and write the "
           "layers once more.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = duel_cublas_supports,
    .workspace = workspace,
    .library = duel_cublas_library,
    .open = open,
    .run = run,
    .close = duel_cublas_close,
};
