/* cpu/softmax/openmp: the rows of cpu/softmax/vectorised, shared out to all cores.
 * Needs: openmp
 *
 * Idea     No row needs another: each core takes its own, and nothing has to be combined.
 * Mapping  One stretch of neighbouring rows for each thread, the same at every call, so that what fits a core's caches
 *          is still there.
 * Traffic  As the rung below it. L1 and L2 belong to a core, memory to all of them.
 * Limits   Memory, from a few cores on. Fewer rows than cores leave cores idle; starting a team takes microseconds.
 */
#include <omp.h>

#include "bench/duel.h"
#include "cpu/softmax/micro/micro.h"

enum { IN = 0, OUT = 1 };

/* Elements from which a team pays for itself. */
enum { TEAM_FROM = 8192 };

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const struct softmax_micro *micro = call->state;
    const bool wide = p->types.in == DUEL_FP64;
    const size_t size = wide ? sizeof(double) : sizeof(float);
    const char *x = call->operand[IN]; /* m x n */
    char *y = call->operand[OUT];      /* m x n */
#pragma omp parallel for schedule(static) if (p->m * p->n >= TEAM_FROM)
    for (int64_t i = 0; i < p->m; i++)
        micro->rows(1, p->n, x + (size_t)(i * p->ld[IN]) * size, p->ld[IN], y + (size_t)(i * p->ld[OUT]) * size,
                    p->ld[OUT]);
    return DUEL_OK;
}

/* Sets the size of the team and asks a team how many came: a limit such as OMP_THREAD_LIMIT shows here. */
static int threads(int wanted)
{
    int came = 1;
    omp_set_num_threads(wanted);
#pragma omp parallel
#pragma omp single
    came = omp_get_num_threads();
    return came;
}

DUEL_IMPL(cpu_softmax_openmp) = {
    .name = "cpu/softmax/openmp",
    .builds_on = "cpu/softmax/vectorised",
    .doc = "The vectorised rows, shared out to all cores. "
           "Rows do not need each other, so the cores never wait, except for memory.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = softmax_supports,
    .threads = threads,
    .library = softmax_library,
    .open = softmax_open,
    .run = run,
};
