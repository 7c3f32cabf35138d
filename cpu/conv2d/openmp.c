/* cpu/conv2d/openmp: the strips of cpu/conv2d/direct, shared out to all cores.
 * Needs: openmp
 *
 * Idea     No strip needs another's results, only the same pixels.
 * Mapping  Neighbouring strips of an output stay with one thread, so the k - 1 rows that two strips share are in its
 *          caches already.
 * Traffic  As the rung below it; each core has caches of its own, memory belongs to all.
 * Limits   Memory with one channel, from a few cores on. Starting a team takes microseconds: small images stay with
 *          one thread.
 */
#include <omp.h>

#include "bench/duel.h"
#include "cpu/conv2d/micro/micro.h"

/* Multiplications from which a team pays for itself. */
#define TEAM_FROM 200000.0

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int64_t strips = conv2d_strips(call);
    const double outputs = (double)p->count, products = outputs * outputs * (double)p->m * (double)p->n;
#pragma omp parallel for collapse(2) schedule(static) if (products * (double)p->k * (double)p->k >= TEAM_FROM)
    for (int64_t o = 0; o < p->count; o++)
        for (int64_t s = 0; s < strips; s++)
            conv2d_run_strip(call, o, s);
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

DUEL_IMPL(cpu_conv2d_openmp) = {
    .name = "cpu/conv2d/openmp",
    .builds_on = "cpu/conv2d/direct",
    .doc = "The strips of the direct convolution, shared out to all cores. "
           "They need no results of each other, only pixels that lie side by side, so a stretch of neighbouring strips "
           "goes to each core.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = conv2d_supports,
    .threads = threads,
    .library = conv2d_library,
    .open = conv2d_open,
    .run = run,
};
