/* gpu/gemv/warp_per_row: the 32 lanes of a warp share a row.
 *
 * Idea     Neighbouring threads must read neighbouring memory. So a warp walks along one row together and adds its 32
 *          sums up at the end with shuffles, as gpu/dot/warp_shuffle does.
 * Mapping  A block of 8 warps has 8 rows. In each round a lane takes four elements that are 32 apart, so that a warp
 *          has 512 bytes of A under way in FP32.
 * Traffic  A moves once, 4 sectors for 32 elements in FP32: nothing is fetched that is not used. Every warp reads all
 *          of x, which comes from the caches.
 * Limits   Memory: A has to be read, and each element takes part in one multiply-add. Only fewer bytes for each element
 *          help. Next rung: warp_fp16.
 *
 * Counted  global requests = m * k / 16 + m, global sectors = m * k / 4 + m
 */
#include "gpu/kernel.cuh"

constexpr int WARPS = 8; /* rows of a block */
constexpr int THREADS = WARPS * 32;
constexpr int EACH = 4; /* elements of a lane in one round: as many loads of A under way */

enum { A = 0, X = 1, Y = 2 };

/* The sum over the warp, in lane 0: each step adds the upper half of what is left to the lower one. */
template <typename T> static __device__ T warp_sum(T mine)
{
    for (int half = 16; half > 0; half /= 2)
        mine += __shfl_down_sync(0xffffffffU, mine, half);
    return mine;
}

/* index * lda is computed in 64 bits: in int it overflows from 46 341 rows of as many elements. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    gemv(int64_t m, int64_t k, T alpha, const T *a, int64_t lda, /* A: m x k, row-major */
         const T *x, int64_t incx, T beta,                       /* x: k elements */
         T *y, int64_t incy)                                     /* y: m elements */
{
    const int lane = threadIdx.x % 32;
    const int64_t row = duel_block_x() * WARPS + threadIdx.x / 32;
    if (row >= m) /* the last warps of the last block, as a whole: a shuffle needs every lane */
        return;
    T sum[EACH] = {};
    for (int64_t start = lane; start < k; start += EACH * 32) {
        DUEL_UNROLL
        for (int e = 0; e < EACH; e++) {
            const int64_t j = start + e * 32;
            if (j < k) /* false beyond the end of the row */
                sum[e] += a[row * lda + j] * x[j * incx];
        }
    }
    const T all = warp_sum((sum[0] + sum[1]) + (sum[2] + sum[3]));
    if (lane == 0) {
        /* beta == 0 must not read y: it may hold NaN, and 0 * NaN is NaN. */
        T *to = &y[row * incy];
        *to = beta == T(0) ? alpha * all : alpha * all + beta * *to;
    }
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(gemv<T>, dim3(duel_blocks(p->m, WARPS)), dim3(THREADS), 0, call->queue, p->m, p->k,
                static_cast<T>(p->alpha), static_cast<const T *>(call->operand[A]), p->ld[A],
                static_cast<const T *>(call->operand[X]), p->ld[X], static_cast<T>(p->beta),
                static_cast<T *>(call->operand[Y]), p->ld[Y]);
    CUDA_TRY(call->why, cudaGetLastError()); /* a launch returns nothing: its own errors wait here */
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    return call->problem->types.in == DUEL_FP64 ? launch<double>(call) : launch<float>(call);
}

static duel_bytes traffic(const struct duel_problem *p, duel_bytes cache_bytes)
{
    const duel_bytes m = static_cast<duel_bytes>(p->m), k = static_cast<duel_bytes>(p->k);
    const duel_bytes size = duel_element_bytes(p->types.in);
    return m * k * size + (k * size <= cache_bytes ? 1 : m) * k * size + (p->beta == 0 ? 1 : 2) * m * size;
}

DUEL_IMPL(gpu_gemv_warp_per_row) = {
    .name = "gpu/gemv/warp_per_row",
    .builds_on = "gpu/gemv/naive",
    .doc = "The 32 threads of a warp walk along one row together, so what they read lies side by side and every byte "
           "that memory moves is used. "
           "Their 32 sums are added with shuffles. "
           "One row now occupies 32 threads, so there are enough of them as well. "
           "The kernel is limited by reading the matrix once, and no arithmetic can change that.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .traffic = traffic,
    .traffic_model = "A is read once, and x for each row unless the cache holds it.",
    .run = run,
};
