/* cpu/softmax/three_pass: the loops of cpu/softmax/serial, with each exponential calculated once and kept.
 *
 * Idea     exp() is the dearest step by far. Y is there to be written anyway: it holds the exponentials until their
 *          sum is known, and a third pass multiplies each by one over the sum.
 * Mapping  One thread, one row after the other.
 * Traffic  A row of X is read twice; a row of Y is written, read and written again. Rows that stay in the L1 cache
 *          cost memory no more than 8 bytes per element in FP32; longer ones up to 20.
 * Limits   exp() of libm, one element at a time: a call each, and no vector instructions. Next rungs:
 *          cpu/softmax/online for long rows, and cpu/softmax/vectorised for exp().
 */
#include <math.h>

#include "bench/duel.h"

enum { IN = 0, OUT = 1 };

/* A row of nothing but -infinity gives NaN: -inf - -inf is NaN. So does a row that holds NaN or +infinity. */
#define DEFINE_SOFTMAX(name, real, exp_of)                                          \
    static void name(const struct duel_problem *p, const real *X, real *restrict Y) \
    {                                                                               \
        for (int64_t i = 0; i < p->m; i++) {                                        \
            const real *x = X + i * p->ld[IN];     /* m x n */                      \
            real *restrict y = Y + i * p->ld[OUT]; /* m x n */                      \
            real largest = -INFINITY, sum = 0;                                      \
            for (int64_t j = 0; j < p->n; j++)                                      \
                if (x[j] > largest)                                                 \
                    largest = x[j];                                                 \
            for (int64_t j = 0; j < p->n; j++) {                                    \
                y[j] = exp_of(x[j] - largest);                                      \
                sum += y[j];                                                        \
            }                                                                       \
            const real share = 1 / sum;                                             \
            for (int64_t j = 0; j < p->n; j++)                                      \
                y[j] *= share;                                                      \
        }                                                                           \
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

DUEL_IMPL(cpu_softmax_three_pass) = {
    .name = "cpu/softmax/three_pass",
    .builds_on = "cpu/softmax/serial",
    .doc = "Three passes over each row: the largest number, the exponentials and their sum, the shares. "
           "The exponentials wait in the output, so that each is calculated once. "
           "For rows that fit the cache nothing more can be saved on memory; the time goes into exp().",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
