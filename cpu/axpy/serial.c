/* cpu/axpy/serial: y = alpha x + y, one element after the other.
 *
 * Idea     One loop. The compiler turns it into vector instructions by itself: no element depends on another.
 * Mapping  One thread walks along both vectors.
 * Traffic  12 bytes per element in FP32: x and y are read, y is written. Nothing is used twice, so no cache helps once
 *          the vectors are larger than it.
 * Limits   Two operations per 12 bytes: one core waits for memory nearly all of the time. Next rung: cpu/axpy/openmp.
 */
#include "bench/duel.h"

enum { X = 0, Y = 1 };

/* An increment of 1 has a loop of its own: only that can be vectorised. */
#define DEFINE_AXPY(name, real)                                                                                   \
    static void name(int64_t m, real alpha, const real *restrict x, int64_t incx, real *restrict y, int64_t incy) \
    {                                                                                                             \
        if (incx == 1 && incy == 1)                                                                               \
            for (int64_t i = 0; i < m; i++)                                                                       \
                y[i] += alpha * x[i];                                                                             \
        else                                                                                                      \
            for (int64_t i = 0; i < m; i++)                                                                       \
                y[i * incy] += alpha * x[i * incx];                                                               \
    }

DEFINE_AXPY(axpy_fp32, float)
DEFINE_AXPY(axpy_fp64, double)

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    if (p->types.in == DUEL_FP64)
        axpy_fp64(p->m, p->alpha, call->operand[X], p->ld[X], call->operand[Y], p->ld[Y]);
    else
        axpy_fp32(p->m, (float)p->alpha, call->operand[X], p->ld[X], call->operand[Y], p->ld[Y]);
    return DUEL_OK;
}

DUEL_IMPL(cpu_axpy_serial) = {
    .name = "cpu/axpy/serial",
    .doc = "One loop over both vectors, on one core. "
           "Each element costs two operations and moves 12 bytes in FP32, so the core waits for memory.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
