/* gpu/gemv/naive: y = alpha A x + beta y, one thread per row.
 *
 * Idea     The loop over rows becomes m threads; each computes one dot product.
 * Mapping  Thread i has row i. At each step of the loop the 32 threads of a warp read one column of 32 rows: addresses
 *          that lie a whole row apart.
 * Traffic  Each of those 32 reads touches a sector of its own, 32 bytes for 4 that are used in FP32; the others are of
 *          use only if the caches keep all those sectors for eight steps. All threads read the same element of x.
 * Limits   Memory moves up to eight times what is needed, and m rows are few threads for a GPU that wants a hundred
 *          thousand. Next rung: warp_per_row turns the reading around.
 *
 * Counted  global requests = m / 32 * (2 * k + 1), global sectors = m / 32 * (33 * k + 4)
 */
#include "gpu/kernel.cuh"

constexpr int THREADS = 256; /* a few warps to hide latency behind; every GPU can hold several such blocks */
constexpr int SECTOR = 32;   /* bytes that memory moves at least */

enum { A = 0, X = 1, Y = 2 };

/* index * lda is computed in 64 bits: in int it overflows from 46 341 rows of as many elements. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
    gemv(int64_t m, int64_t k, T alpha, const T *a, int64_t lda, /* A: m x k, row-major */
         const T *x, int64_t incx, T beta,                       /* x: k elements */
         T *y, int64_t incy)                                     /* y: m elements */
{
    const int64_t row = duel_block_x() * THREADS + threadIdx.x;
    if (row >= m) /* the last threads of the last block */
        return;
    T sum = 0;
    for (int64_t j = 0; j < k; j++)
        sum += a[row * lda + j] * x[j * incx];
    /* beta == 0 must not read y: it may hold NaN, and 0 * NaN is NaN. */
    T *to = &y[row * incy];
    *to = beta == T(0) ? alpha * sum : alpha * sum + beta * *to;
}

template <typename T> static enum duel_status launch(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    DUEL_LAUNCH(gemv<T>, dim3(duel_blocks(p->m, THREADS)), dim3(THREADS), 0, call->queue, p->m, p->k,
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
    const duel_bytes size = duel_element_bytes(p->types.in), least = k < SECTOR / size ? k : SECTOR / size;
    const duel_bytes a_times = m * SECTOR <= cache_bytes ? 1 : least;
    const duel_bytes x_times = k * size <= cache_bytes ? 1 : static_cast<duel_bytes>((p->m + 31) / 32);
    return a_times * m * k * size + x_times * k * size + (p->beta == 0 ? 1 : 2) * m * size;
}

DUEL_IMPL(gpu_gemv_naive) = {
    .name = "gpu/gemv/naive",
    .doc = "One thread computes one element of y: a whole row of the matrix times x. "
           "The threads of a warp read 32 different rows at a time, so memory delivers 32 bytes for each number of 4 "
           "that is asked for. "
           "With one thread per row there are also too few threads to keep the memory busy.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .traffic = traffic,
    .traffic_model =
        "Each element of A brings a sector of 32 bytes of its own unless the cache holds one for each row, "
        "and x is read for each 32 rows unless the cache holds it.",
    .run = run,
};
