/* cpu/axpy/openblas: the library, so that a GPU is compared with what a CPU can really do.
 * Needs: openblas
 *
 * Idea     One call of cblas_saxpy or cblas_daxpy: an assembly loop of multiply-adds on vectors.
 * Mapping  The library shares out the vectors to its own threads once they are long enough.
 * Traffic  12 bytes per element in FP32, as in every version.
 * Limits   Lengths and increments are int. Memory sets the pace of all good versions alike.
 */
#include <cblas.h>

#include "cpu/openblas.h"

enum { X = 0, Y = 1 };

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    const int64_t extent[] = {p->m, p->ld[X], p->ld[Y]};
    return cpu_openblas_counts(extent, sizeof extent / sizeof extent[0], "cpu/axpy/openmp", why);
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int m = (int)p->m, incx = (int)p->ld[X], incy = (int)p->ld[Y];
    if (p->types.in == DUEL_FP64)
        cblas_daxpy(m, p->alpha, call->operand[X], incx, call->operand[Y], incy);
    else
        cblas_saxpy(m, (float)p->alpha, call->operand[X], incx, call->operand[Y], incy);
    return DUEL_OK;
}

DUEL_IMPL(cpu_axpy_openblas) = {
    .name = "cpu/axpy/openblas",
    .builds_on = "cpu/axpy/openmp",
    .doc = "One call of the OpenBLAS library. "
           "It cannot do better than two lines of C here: the compiler makes the same vector instructions of them, and "
           "both wait for memory.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .threads = cpu_openblas_threads,
    .library = cpu_openblas_library,
    .run = run,
};
