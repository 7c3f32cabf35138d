/* cpu/softmax/online: largest number and sum in one pass, corrected on the way.
 *
 * Idea     Milakov and Gimelshein (2018): keep the sum of exp(x - largest) for the largest number so far. When a
 *          larger one comes, multiply the sum by exp(old - new), and it is as if the new one had been known from the
 *          start.
 * Mapping  One thread, one row after the other. Two such pairs, of parts of a row, combine in the same way, which is
 *          what makes it the softmax of GPUs and of attention in pieces.
 * Traffic  A row of X is read twice and written once, never read back: for rows beyond the caches 12 bytes per element
 *          in FP32 instead of 20.
 * Limits   Two calls of exp() for each element again, and a chain of operations from each element to the next. Rows
 *          that fit the L1 cache gain nothing. Next rung: cpu/softmax/vectorised.
 */
#include <math.h>

#include "bench/duel.h"

enum { IN = 0, OUT = 1 };

/* A row of nothing but -infinity gives NaN, as -inf - -inf does; one with NaN or +infinity too. A single -infinity adds
 * nothing and must not be subtracted from itself before a finite number has come. */
#define DEFINE_SOFTMAX(name, real, exp_of)                                    \
    static void name(const struct duel_problem *p, const real *X, real *Y)    \
    {                                                                         \
        for (int64_t i = 0; i < p->m; i++) {                                  \
            const real *x = X + i * p->ld[IN]; /* m x n */                    \
            real *y = Y + i * p->ld[OUT];      /* m x n */                    \
            real largest = -INFINITY, sum = 0;                                \
            for (int64_t j = 0; j < p->n; j++) {                              \
                if (x[j] > largest) {                                         \
                    sum = sum * exp_of(largest - x[j]) + exp_of(x[j] - x[j]); \
                    largest = x[j];                                           \
                } else if (!(x[j] == -INFINITY)) {                            \
                    sum += exp_of(x[j] - largest);                            \
                }                                                             \
            }                                                                 \
            const real share = 1 / sum;                                       \
            for (int64_t j = 0; j < p->n; j++)                                \
                y[j] = exp_of(x[j] - largest) * share;                        \
        }                                                                     \
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

DUEL_IMPL(cpu_softmax_online) = {
    .name = "cpu/softmax/online",
    .builds_on = "cpu/softmax/three_pass",
    .doc = "One pass finds the largest number and the sum together: when a larger number comes, the sum so far is "
           "scaled down to it. "
           "A second pass writes the shares, so X is read twice and Y never. "
           "That pays where rows are too long for the cache; where they fit, the second exponential costs more than "
           "the pass that it saves. "
           "Partial results combine, and attention in pieces is built on that.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
