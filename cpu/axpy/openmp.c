/* cpu/axpy/openmp: the loop of cpu/axpy/serial, cut into one piece per core.
 * Needs: openmp
 *
 * Idea     Several cores have more loads under way than one, and memory can serve them.
 * Mapping  schedule(static): each thread has the same piece at every call, so its part of a vector that fits the caches
 *          is still in its own.
 * Traffic  As below it. Two or four cores take all the bandwidth that the memory of a desktop has; more add nothing.
 * Limits   Memory. Starting a team takes microseconds: below some ten thousand elements one core is faster, so small
 *          vectors stay with it.
 */
#include "bench/duel.h"
#include "cpu/team.h"

enum { X = 0, Y = 1 };

/* Elements from which a team pays for itself. */
enum { TEAM_FROM = 16384 };

#define DEFINE_AXPY(name, real)                                                                                   \
    static void name(int64_t m, real alpha, const real *restrict x, int64_t incx, real *restrict y, int64_t incy) \
    {                                                                                                             \
        if (incx == 1 && incy == 1) {                                                                             \
            _Pragma("omp parallel for simd schedule(static) if (m >= TEAM_FROM)") for (int64_t i = 0; i < m; i++) \
                y[i] += alpha * x[i];                                                                             \
        } else {                                                                                                  \
            _Pragma("omp parallel for schedule(static) if (m >= TEAM_FROM)") for (int64_t i = 0; i < m; i++)      \
                y[i * incy] += alpha * x[i * incx];                                                               \
        }                                                                                                         \
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

DUEL_IMPL(cpu_axpy_openmp) = {
    .name = "cpu/axpy/openmp",
    .builds_on = "cpu/axpy/serial",
    .doc = "The same loop, shared out to all cores. "
           "They can have more loads under way than one core, until the memory itself is busy all of the time.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .threads = cpu_team,
    .run = run,
};
