/* cpu/transpose/openblas: the library, so that a GPU is compared with what a CPU can really do.
 * Needs: openblas
 *
 * Idea     cblas_somatcopy and cblas_domatcopy: an extension of BLAS that copies a matrix, scaled and transposed.
 * Mapping  Versions up to now use one thread, whatever the size.
 * Traffic  8 bytes per element in FP32, and the lines of B are fetched before they are overwritten.
 * Limits   One core, and no streaming stores. Sizes and leading dimensions are int.
 */
#include <cblas.h>

#include "cpu/openblas.h"

enum { A = 0, B = 1 };

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    const int64_t extent[] = {p->m, p->n, p->ld[A], p->ld[B]};
    return cpu_openblas_counts(extent, sizeof extent / sizeof extent[0], "cpu/transpose/simd", why);
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int m = (int)p->m, n = (int)p->n, lda = (int)p->ld[A], ldb = (int)p->ld[B];
    if (p->types.in == DUEL_FP64)
        cblas_domatcopy(CblasRowMajor, CblasTrans, m, n, 1, call->operand[A], lda, call->operand[B], ldb);
    else
        cblas_somatcopy(CblasRowMajor, CblasTrans, m, n, 1, call->operand[A], lda, call->operand[B], ldb);
    return DUEL_OK;
}

DUEL_IMPL(cpu_transpose_openblas) = {
    .name = "cpu/transpose/openblas",
    .builds_on = "cpu/transpose/blocked",
    .doc = "One call of the OpenBLAS library, which copies a matrix and transposes it on the way. "
           "It is written for one core and for matrices that fit the caches; nobody needed it to be more.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .threads = cpu_openblas_threads,
    .library = cpu_openblas_library,
    .run = run,
};
