/* cpu/softmax/serial: the formula as it stands, one row after the other on one thread.
 *
 * Idea     The largest number of a row is taken off all of them before exp(), so that nothing overflows: the quotient
 *          stays the same. Three loops: the largest, the sum of the exponentials, the shares.
 * Mapping  One thread walks along each row three times.
 * Traffic  A row is read three times and written once. Up to some thousand numbers it stays in the L1 cache, so memory
 *          sees it once each way: 8 bytes per element in FP32.
 * Limits   Two calls of exp() for each element, some 20 instructions each, one element at a time. Next rung:
 *          cpu/softmax/three_pass keeps the exponentials instead of calculating them twice.
 */
#include <math.h>

#include "bench/duel.h"

enum { IN = 0, OUT = 1 };

/* A row of nothing but -infinity gives NaN: -inf - -inf is NaN. So does a row that holds NaN or +infinity. */
#define DEFINE_SOFTMAX(name, real, exp_of)                                 \
    static void name(const struct duel_problem *p, const real *X, real *Y) \
    {                                                                      \
        for (int64_t i = 0; i < p->m; i++) {                               \
            const real *x = X + i * p->ld[IN]; /* m x n */                 \
            real *y = Y + i * p->ld[OUT];      /* m x n */                 \
            real largest = -INFINITY, sum = 0;                             \
            for (int64_t j = 0; j < p->n; j++)                             \
                if (x[j] > largest)                                        \
                    largest = x[j];                                        \
            for (int64_t j = 0; j < p->n; j++)                             \
                sum += exp_of(x[j] - largest);                             \
            for (int64_t j = 0; j < p->n; j++)                             \
                y[j] = exp_of(x[j] - largest) / sum;                       \
        }                                                                  \
    }

DEFINE_SOFTMAX(softmax_fp32, float, expf)
DEFINE_SOFTMAX(softmax_fp64, double, exp)

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        softmax_fp64(call->problem, call->operand[IN], call->operand[OUT]);
    else
        softmax_fp32(call->problem, call->operand[IN], call->operand[OUT]);
    return DUEL_OK;
}

DUEL_IMPL(cpu_softmax_serial) = {
    .name = "cpu/softmax/serial",
    .doc =
        "The formula, row by row: find the largest number, add up the exponentials of the distances from it, divide. "
        "Without taking off the largest number exp() would overflow in FP32 from 89 on, and the answer would be NaN. "
        "Each exponential is calculated twice, because nobody kept it.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
