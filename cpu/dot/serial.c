/* cpu/dot/serial: r = x . y, one product after the other.
 *
 * Idea     One loop and one sum.
 * Mapping  One thread walks along both vectors.
 * Traffic  8 bytes per product in FP32, each read once: nothing is used twice.
 * Limits   Addition in floating point is not associative: another order gives other last bits, so the compiler must add
 *          in the order that is written. Each addition waits some four cycles for the one before, with the vector units
 *          and most of the memory's bandwidth idle. Next rung: cpu/dot/openmp, where each core has a sum of its own.
 */
#include "bench/duel.h"

enum { X = 0, Y = 1, R = 2 };

#define DEFINE_DOT(name, real)                                                            \
    static real name(int64_t k, const real *x, int64_t incx, const real *y, int64_t incy) \
    {                                                                                     \
        real sum = 0;                                                                     \
        for (int64_t i = 0; i < k; i++)                                                   \
            sum += x[i * incx] * y[i * incy];                                             \
        return sum;                                                                       \
    }

DEFINE_DOT(dot_fp32, float)
DEFINE_DOT(dot_fp64, double)

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const void *x = call->operand[X], *y = call->operand[Y];
    if (p->types.in == DUEL_FP64)
        *(double *)call->operand[R] = dot_fp64(p->k, x, p->ld[X], y, p->ld[Y]);
    else
        *(float *)call->operand[R] = dot_fp32(p->k, x, p->ld[X], y, p->ld[Y]);
    return DUEL_OK;
}

DUEL_IMPL(cpu_dot_serial) = {
    .name = "cpu/dot/serial",
    .doc = "One loop and one sum, on one core. "
           "Every addition has to wait for the one before it, because a computer's addition is not associative: in "
           "another order the last bits come out differently, so the compiler may not change it. "
           "The core therefore waits for itself more than for memory.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
