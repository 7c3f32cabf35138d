/* cpu/mlp/fused: bias, max and the second layer in one pass over what the first product leaves.
 * Needs: openblas
 *
 * Idea     The first product is one call for all samples, because the library packs W1 once for all of them. Then a
 *          chunk of samples at a time is bent into a buffer that stays in the cache, and multiplied from there.
 * Mapping  The library shares out the first product to its own threads. Chunks go to the threads in turn, and the
 *          library works on each with that thread alone.
 * Traffic  The first product writes the hidden layer (m x n) and the chunks read it once, as the two products alone
 *          would; what is bent never leaves the cache. openblas reads and writes the layer once more.
 * Limits   The arithmetic of the products.
 */
#include <cblas.h>

#include "cpu/openblas.h"
#include "cpu/team.h"

enum { X = 0, W = 1, Y = 2 };

/* Samples of a chunk: 64 x 1024 hidden units in FP32 are 256 KiB, half an L2 cache. */
enum { CHUNK = 64 };

/* Another build of the library has threads of its own, which two callers at once would fight for. */
#ifdef _OPENMP
#define SHARED_OUT _Pragma("omp parallel for schedule(static, 1) if (openblas_get_parallel() == OPENBLAS_OPENMP)")
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

/* C has no templates: the macro writes everything once for float and once for double; `s` is the library's letter. X is
 * m x k, Y is m x c, and W holds W1 (k x n), b1, W2 (n x c), b2 one after the other. h is m x n, and behind it a buffer
 * of CHUNK x n for each thread. */
#define DEFINE_MLP(name, real, s)                                                                                      \
    static void chunk_##name(const struct duel_problem *p, const real *h, const real *b1, real *restrict y,            \
                             real *restrict bent, int m)                                                               \
    {                                                                                                                  \
        const int n = (int)p->n, c = (int)p->count, ldy = (int)p->ld[Y];                                               \
        const real *w2 = b1 + n, *b2 = w2 + p->n * p->count;                                                           \
        for (int64_t i = 0; i < m; i++)                                                                                \
            for (int64_t l = 0; l < n; l++)                                                                            \
                bent[i * n + l] = h[i * n + l] + b1[l] > 0 ? h[i * n + l] + b1[l] : 0;                                 \
        cblas_##s##gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, c, n, 1, bent, n, w2, c, 0, y, ldy);             \
        for (int64_t i = 0; i < m; i++)                                                                                \
            for (int64_t j = 0; j < c; j++)                                                                            \
                y[i * ldy + j] += b2[j];                                                                               \
    }                                                                                                                  \
    static void name(const struct duel_problem *p, const real *x, const real *w, real *y, real *h)                     \
    {                                                                                                                  \
        const int m = (int)p->m, n = (int)p->n, k = (int)p->k, ldx = p->ld[X] > 0 ? (int)p->ld[X] : 1;                 \
        const real *b1 = w + p->k * p->n;                                                                              \
        real *bent = h + p->m * p->n;                                                                                  \
        cblas_##s##gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, x, ldx, w, n, 0, h, n);                 \
        SHARED_OUT for (int64_t i = 0; i < p->m; i += CHUNK) chunk_##name(                                             \
            p, h + i * p->n, b1, y + i * p->ld[Y], bent + own_number() * CHUNK * p->n, (int)smaller(CHUNK, p->m - i)); \
    }

DEFINE_MLP(mlp_fp32, float, s)
DEFINE_MLP(mlp_fp64, double, d)

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    const int64_t extent[] = {p->m, p->n, p->k, p->count, p->ld[X], p->ld[Y]};
    return cpu_openblas_counts(extent, sizeof extent / sizeof extent[0], "cpu/mlp/openmp", why);
}

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        mlp_fp64(call->problem, call->operand[X], call->operand[W], call->operand[Y], call->workspace);
    else
        mlp_fp32(call->problem, call->operand[X], call->operand[W], call->operand[Y], call->workspace);
    return DUEL_OK;
}

/* The hidden layer, and a buffer for each thread that has a chunk: at most as many as there are chunks. */
static size_t workspace(const struct duel_problem *p)
{
    return (size_t)(2 * p->m + CHUNK) * (size_t)p->n * (size_t)duel_element_bytes(p->types.in);
}

/* As many for the chunks as the library has for its product. */
static int threads(int wanted)
{
    return cpu_team(cpu_openblas_threads(wanted));
}

DUEL_IMPL(cpu_mlp_fused) = {
    .name = "cpu/mlp/fused",
    .builds_on = "cpu/mlp/openblas",
    .doc = "The first multiplication by the OpenBLAS library, then everything else chunk by chunk: bias and maximum "
           "go into a buffer inside the core's cache, and the second multiplication reads them there. "
           "The hidden layer is written once and read once, as the multiplications alone would do: bending it costs "
           "no traffic, and that is what fusing means. "
           "What is left is the time of the multiplications.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .workspace = workspace,
    .threads = threads,
    .library = cpu_openblas_library,
    .run = run,
};
