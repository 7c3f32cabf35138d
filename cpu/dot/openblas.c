/* cpu/dot/openblas: the library, so that a GPU is compared with what a CPU can really do.
 * Needs: openblas
 *
 * Idea     One call of cblas_sdot or cblas_ddot: an assembly loop with several sums in vector registers.
 * Mapping  The library decides whether a vector is long enough for more than one of its threads; for this function
 *          several versions use one thread whatever the length. The table of a run with --threads 1,2 shows it.
 * Traffic  8 bytes per product in FP32, each read once.
 * Limits   Lengths and increments are int. One core alone cannot take all the bandwidth of most memories.
 */
#include <cblas.h>

#include "cpu/openblas.h"

enum { X = 0, Y = 1, R = 2 };

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    const int64_t extent[] = {p->k, p->ld[X], p->ld[Y]};
    return cpu_openblas_counts(extent, sizeof extent / sizeof extent[0], "cpu/dot/simd", why);
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const void *x = call->operand[X], *y = call->operand[Y];
    const int k = (int)p->k, incx = (int)p->ld[X], incy = (int)p->ld[Y];
    if (p->types.in == DUEL_FP64)
        *(double *)call->operand[R] = cblas_ddot(k, x, incx, y, incy);
    else
        *(float *)call->operand[R] = cblas_sdot(k, x, incx, y, incy);
    return DUEL_OK;
}

DUEL_IMPL(cpu_dot_openblas) = {
    .name = "cpu/dot/openblas",
    .builds_on = "cpu/dot/simd",
    .doc = "One call of the OpenBLAS library. "
           "It has several sums in vector registers, as cpu/dot/simd, written in assembly for this core. "
           "Many versions use one thread for it however long the vectors are.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .threads = cpu_openblas_threads,
    .library = cpu_openblas_library,
    .run = run,
};
