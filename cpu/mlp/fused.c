/* cpu/mlp/fused: the library's products for a chunk of samples at a time, so that the hidden layer stays in the cache.
 * Needs: openblas
 *
 * Idea     A chunk of samples goes through the first product, bias and max, and the second product before the next one
 *          begins. Its hidden layer is as large as a cache, and no larger: it is written, changed and read there.
 * Mapping  Chunks go to the threads in turn; inside a chunk the library works with that thread alone, so there is no
 *          meeting before the end. Each sum stays inside one thread.
 * Traffic  X and the weights are read and Y is written; the hidden layer does not reach memory. The weights are packed
 *          again for each chunk, which 128 samples or more make cheap.
 * Limits   The arithmetic of the products. With fewer samples than 128 for each core, packing weighs more.
 */
#include <cblas.h>

#include "cpu/openblas.h"
#include "cpu/team.h"

enum { X = 0, W = 1, Y = 2 };

/* Samples of a chunk: 256 x 1024 hidden units in FP32 are 1 MiB, about an L2 cache. At least CHUNK_LEAST, or the
 * library packs weights for too little work. */
enum { CHUNK = 256, CHUNK_LEAST = 32 };

/* Without OpenMP one thread does all chunks. */
#ifdef _OPENMP
#define SHARED_OUT _Pragma("omp parallel for schedule(static, 1)")
#else
#define SHARED_OUT
#endif

static inline int own_number(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

static inline int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Equal chunks for all threads, in multiples of CHUNK_LEAST. */
static int64_t chunk_of(const struct duel_call *call)
{
    const int64_t share = (call->problem->m + call->threads - 1) / call->threads;
    const int64_t whole = (share + CHUNK_LEAST - 1) / CHUNK_LEAST * CHUNK_LEAST;
    return smaller(whole, CHUNK);
}

/* C has no templates: the macro writes everything once for float and once for double; `s` is the library's letter. X is
 * m x k, Y is m x c, and W holds W1 (k x n), b1, W2 (n x c), b2 one after the other; h is the thread's own, chunk x n.
 */
#define DEFINE_MLP(name, real, s)                                                                                      \
    static void chunk_##name(const struct duel_problem *p, const real *x, const real *w, real *restrict y,             \
                             real *restrict h, int m)                                                                  \
    {                                                                                                                  \
        const int n = (int)p->n, k = (int)p->k, c = (int)p->count;                                                     \
        const int ldx = p->ld[X] > 0 ? (int)p->ld[X] : 1, ldy = (int)p->ld[Y];                                         \
        const real *b1 = w + p->k * p->n, *w2 = b1 + n, *b2 = w2 + p->n * p->count;                                    \
        cblas_##s##gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, x, ldx, w, n, 0, h, n);                 \
        for (int64_t i = 0; i < m; i++)                                                                                \
            for (int64_t l = 0; l < n; l++)                                                                            \
                h[i * n + l] = h[i * n + l] + b1[l] > 0 ? h[i * n + l] + b1[l] : 0;                                    \
        cblas_##s##gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, c, n, 1, h, n, w2, c, 0, y, ldy);                \
        for (int64_t i = 0; i < m; i++)                                                                                \
            for (int64_t j = 0; j < c; j++)                                                                            \
                y[i * ldy + j] += b2[j];                                                                               \
    }                                                                                                                  \
    static void name(const struct duel_call *call, const real *x, const real *w, real *y, real *h)                     \
    {                                                                                                                  \
        const struct duel_problem *p = call->problem;                                                                  \
        const int64_t chunk = chunk_of(call);                                                                          \
        SHARED_OUT for (int64_t i = 0; i < p->m; i += chunk) chunk_##name(                                             \
            p, x + i * p->ld[X], w, y + i * p->ld[Y], h + own_number() * chunk * p->n, (int)smaller(chunk, p->m - i)); \
    }

DEFINE_MLP(mlp_fp32, float, s)
DEFINE_MLP(mlp_fp64, double, d)

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    const int64_t extent[] = {p->n, p->k, p->count, p->ld[X], p->ld[Y]};
    return cpu_openblas_counts(extent, sizeof extent / sizeof extent[0], "cpu/mlp/openmp", why);
}

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        mlp_fp64(call, call->operand[X], call->operand[W], call->operand[Y], call->workspace);
    else
        mlp_fp32(call, call->operand[X], call->operand[W], call->operand[Y], call->workspace);
    return DUEL_OK;
}

/* A chunk of the hidden layer for each thread that has one: at most as many as there are chunks. */
static size_t workspace(const struct duel_problem *p)
{
    return (size_t)(p->m + CHUNK) * (size_t)p->n * (size_t)duel_element_bytes(p->types.in);
}

/* One thread for the library, all for the chunks. In this order: the OpenMP build of the library sets the team too. */
static int threads(int wanted)
{
    openblas_set_num_threads(1);
#ifdef _OPENMP
    omp_set_dynamic(0);
#endif
    return cpu_team(wanted);
}

DUEL_IMPL(cpu_mlp_fused) = {
    .name = "cpu/mlp/fused",
    .builds_on = "cpu/mlp/openblas",
    .doc = "Chunks of samples go through both layers before the next chunk begins, each core with chunks of its own. "
           "The hidden layer of a chunk is written, bent and read again inside the core's cache, and never reaches "
           "memory: that is what fusing means. "
           "The cores meet only at the end, not after each layer. "
           "What is left is the time of the multiplications.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .workspace = workspace,
    .threads = threads,
    .library = cpu_openblas_library,
    .run = run,
};
