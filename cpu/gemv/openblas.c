/* cpu/gemv/openblas: the library, so that a GPU is compared with what a CPU can really do.
 * Needs: openblas
 *
 * Idea     One call of cblas_sgemv or cblas_dgemv: an assembly loop over several rows at once.
 * Mapping  The library shares out the rows to its own threads.
 * Traffic  A moves once; x and y stay in the caches.
 * Limits   Sizes, leading dimensions and increments are int. Memory sets the pace of all good versions alike.
 *
 * BLAS was born column-major. Read column by column, our row-major A is its transpose, so the library works on A^T with
 * "transposed" set: the C interface does that for CblasRowMajor, and the arguments stand here as they are.
 */
#include <cblas.h>

#include "cpu/openblas.h"

enum { A = 0, X = 1, Y = 2 };

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    const int64_t extent[] = {p->m, p->k, p->ld[A], p->ld[X], p->ld[Y]};
    if (p->k == 0) /* "quick return": y is not even multiplied with beta */
        return duel_fail(why, DUEL_SKIP, "BLAS leaves y as it is when there are no products",
                         "give k of at least 1, or use cpu/gemv/simd", "k = 0");
    return cpu_openblas_counts(extent, sizeof extent / sizeof extent[0], "cpu/gemv/simd", why);
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int m = (int)p->m, k = (int)p->k, lda = (int)p->ld[A], incx = (int)p->ld[X], incy = (int)p->ld[Y];
    const void *a = call->operand[A], *x = call->operand[X]; /* A is m x k, x has k elements */
    void *y = call->operand[Y];                              /* y has m */
    if (p->types.in == DUEL_FP64)
        cblas_dgemv(CblasRowMajor, CblasNoTrans, m, k, p->alpha, a, lda, x, incx, p->beta, y, incy);
    else
        cblas_sgemv(CblasRowMajor, CblasNoTrans, m, k, (float)p->alpha, a, lda, x, incx, (float)p->beta, y, incy);
    return DUEL_OK;
}

DUEL_IMPL(cpu_gemv_openblas) = {
    .name = "cpu/gemv/openblas",
    .builds_on = "cpu/gemv/simd",
    .doc = "One call of the OpenBLAS library, which experts tuned for each processor. "
           "It reads several rows at once, as cpu/gemv/simd. "
           "Both come close to what memory can deliver, so there is little left to win.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .threads = cpu_openblas_threads,
    .library = cpu_openblas_library,
    .run = run,
};
