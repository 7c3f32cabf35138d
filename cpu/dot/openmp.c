/* cpu/dot/openmp: the loop of cpu/dot/serial, cut into one piece per core.
 * Needs: openmp
 *
 * Idea     reduction(+: sum) gives each thread a sum of its own, and adds those sums up at the end. Whoever writes that
 *          allows another order of additions: the last bits may now depend on the number of threads.
 * Mapping  schedule(static): each thread has the same piece at every call, so its part of a vector that fits the caches
 *          is still in its own.
 * Traffic  As below it.
 * Limits   Within its piece each thread still has one chain of additions. Starting a team takes microseconds: below
 * some ten thousand products one core is faster. Next rung: cpu/dot/simd has many sums in each thread.
 */
#include "bench/duel.h"
#include "cpu/team.h"

enum { X = 0, Y = 1, R = 2 };

/* Products from which a team pays for itself. */
enum { TEAM_FROM = 16384 };

#define SHARED_OUT _Pragma("omp parallel for reduction(+ : sum) schedule(static) if (k >= TEAM_FROM)")

#define DEFINE_DOT(name, real)                                                            \
    static real name(int64_t k, const real *x, int64_t incx, const real *y, int64_t incy) \
    {                                                                                     \
        real sum = 0;                                                                     \
        SHARED_OUT for (int64_t i = 0; i < k; i++) sum += x[i * incx] * y[i * incy];      \
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

DUEL_IMPL(cpu_dot_openmp) = {
    .name = "cpu/dot/openmp",
    .builds_on = "cpu/dot/serial",
    .doc = "Each core sums a piece of its own, and the sums of all cores are added at the end. "
           "That is another order of additions than the serial loop's, so the last bits of the result may differ, and "
           "differ again with another number of threads. "
           "Neither result is wrong: each lies within the same bound of the exact one.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .threads = cpu_team,
    .run = run,
};
