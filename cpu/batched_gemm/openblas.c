/* cpu/batched_gemm/openblas: a call of the library for each small matrix.
 * Needs: openblas
 *
 * Idea     The library multiplies matrices; a batch is a loop. It has a price of its own for each call: checking,
 *          choosing a kernel, packing, buffers. Large matrices hide it, small ones show it.
 * Mapping  The loop is shared out to the cores, and each call runs on the core that makes it: inside a parallel region
 *          the OpenMP build of OpenBLAS starts no team of its own.
 * Traffic  Memory moves each matrix once; packing copies A and B a second time within the caches.
 * Limits   The cost of a call. Some libraries have a batched call for this; OpenBLAS 0.3.21 has none.
 */
#include <cblas.h>
#include <limits.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "bench/duel.h"

/* The library counts in int. Larger problems are another row's work, not a wrong answer. */
static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    const int64_t extent[] = {p->m, p->n, p->k, p->ld[DUEL_A], p->ld[DUEL_B], p->ld[DUEL_C]};
    for (size_t i = 0; i < sizeof extent / sizeof extent[0]; i++)
        if (extent[i] > INT_MAX)
            return duel_fail(why, DUEL_SKIP, "this OpenBLAS counts rows and columns in 32 bits",
                             "use cpu/batched_gemm/simd for this size", "an extent or leading dimension of %lld",
                             (long long)extent[i]);
    return DUEL_OK;
}

/* The library refuses a leading dimension of 0, which an operand without columns (k == 0) may have. */
static int at_least_one(int64_t ld)
{
    return ld > 0 ? (int)ld : 1;
}

/* Matrix b begins m or k rows further down than the one before it. */
static void multiply(const struct duel_call *call, int64_t b)
{
    const struct duel_problem *p = call->problem;
    const int m = (int)p->m, n = (int)p->n, k = (int)p->k;
    const int lda = at_least_one(p->ld[DUEL_A]), ldb = at_least_one(p->ld[DUEL_B]), ldc = at_least_one(p->ld[DUEL_C]);
    const int64_t at_a = b * m * lda, at_b = b * k * ldb, at_c = b * m * ldc;
    if (p->types.in == DUEL_FP64)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, p->alpha,
                    (const double *)call->operand[DUEL_A] + at_a, lda, (const double *)call->operand[DUEL_B] + at_b,
                    ldb, p->beta, (double *)call->operand[DUEL_C] + at_c, ldc);
    else
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, (float)p->alpha,
                    (const float *)call->operand[DUEL_A] + at_a, lda, (const float *)call->operand[DUEL_B] + at_b, ldb,
                    (float)p->beta, (float *)call->operand[DUEL_C] + at_c, ldc);
}

static enum duel_status run(const struct duel_call *call)
{
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int64_t b = 0; b < call->problem->count; b++)
        multiply(call, b);
    return DUEL_OK;
}

/* A team around the calls and none inside them; without OpenMP the library's own threads. */
static int threads(int wanted)
{
#ifdef _OPENMP
    int came = 1;
    omp_set_num_threads(wanted);
#pragma omp parallel
#pragma omp single
    came = omp_get_num_threads();
    openblas_set_num_threads(1);
    omp_set_num_threads(wanted); /* the OpenMP build of the library sets the size of everybody's teams */
    return came;
#else
    openblas_set_num_threads(wanted);
    return openblas_get_num_threads();
#endif
}

static const char *library(void)
{
    static char text[128];                       /* the same on every call */
    const char *version = openblas_get_config(); /* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...": two words of it */
    int length = 0;
    for (int spaces = 0; version[length] && (spaces += version[length] == ' ') < 2;)
        length++;
    snprintf(text, sizeof text, "%.*s, %s kernels, one call for each matrix", length, version, openblas_get_corename());
    return text;
}

DUEL_IMPL(cpu_batched_gemm_openblas) = {
    .name = "cpu/batched_gemm/openblas",
    .builds_on = "cpu/batched_gemm/simd",
    .doc = "One call of the library for each matrix, shared out to all cores. "
           "Every call checks, chooses and packs before it multiplies, which a large matrix hides and a small one does "
           "not. "
           "On a GPU the same lesson is the cost of a launch.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .threads = threads,
    .library = library,
    .run = run,
};
