/* cpu/softmax/vectorised: the three passes in vectors, with an exp() of its own.
 *
 * Idea     libm's exp() takes one number at a time. cpu/softmax/micro/kernel.c has one without branches or tables,
 *          which works on all lanes of a vector at once, and is worth reading first.
 * Mapping  One thread, one row after the other.
 * Traffic  As cpu/softmax/three_pass: for rows that stay in the L1 cache memory moves 8 bytes per element in FP32.
 * Limits   One core: exp() in vectors takes about as long as one core needs to fetch and store the row. Next rung:
 *          cpu/softmax/openmp.
 */
#include "bench/duel.h"
#include "cpu/softmax/micro/micro.h"

enum { IN = 0, OUT = 1 };

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const struct softmax_micro *micro = call->state;
    micro->rows(p->m, p->n, call->operand[IN], p->ld[IN], call->operand[OUT], p->ld[OUT]);
    return DUEL_OK;
}

DUEL_IMPL(cpu_softmax_vectorised) = {
    .name = "cpu/softmax/vectorised",
    .builds_on = "cpu/softmax/three_pass",
    .doc = "The three passes in vector registers. "
           "exp() is a short polynomial and a power of two that is put together from bits: no branch, no table, so all "
           "lanes do it at once. "
           "It is as exact as libm's but for the last bit, and numbers below the smallest normal one become 0.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = softmax_supports,
    .library = softmax_library,
    .open = softmax_open,
    .run = run,
};
