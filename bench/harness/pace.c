/* pace.c: a run that would outlast the whole time limit is not started. Its pace is known from the last smaller size of
 * the same run, or from one try at a small size: a textbook loop at n = 4096 takes minutes and could not be stopped. */
#include <math.h>
#include <string.h>

#include "bench/harness/lane.h"

#define TRY_ABOVE_FLOPS 5e8 /* below this even the slowest implementation answers in about a second */
#define TRY_EXTENT 160      /* extents of the small try */
/* A run shorter than this is mostly the cost of starting it, which does not grow with the work: it foretells nothing.
 */
#define TELLING_S 1e-3

static struct duel_pace *find(struct duel_runner *runner, const struct duel_case *item)
{
    for (int i = 0; i < runner->paces; i++) {
        struct duel_pace *pace = &runner->pace[i];
        if (pace->place == item->place && pace->impl == item->impl && pace->in == item->problem.types.in &&
            pace->threads == item->threads)
            return pace;
    }
    return NULL;
}

void pace_remember(struct duel_runner *runner, const struct duel_case *item, double seconds, double flops)
{
    struct duel_pace *pace = find(runner, item);
    if (!(seconds >= TELLING_S))
        return;
    if (!pace && runner->paces < (int)(sizeof runner->pace / sizeof runner->pace[0]))
        pace = &runner->pace[runner->paces++];
    if (pace && flops > 0)
        *pace = (struct duel_pace){item->place, item->impl, item->problem.types.in, item->threads, seconds, flops};
}

static int64_t at_most(int64_t extent, int64_t limit)
{
    return extent < limit ? extent : limit;
}

/* Runs a small problem once, by the host clock. Errors are left for the real run to find and report. */
static void try_small(struct duel_runner *runner, const struct duel_group *group, struct duel_lane *lane)
{
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_case small = *lane->item;
    struct duel_result result;
    struct duel_stage stage = {0};
    struct duel_lane trial;
    small.problem.m = at_most(small.problem.m, TRY_EXTENT);
    small.problem.n = at_most(small.problem.n, TRY_EXTENT);
    small.problem.k = at_most(small.problem.k, TRY_EXTENT);
    result_init(&result);
    result.threads = small.threads;
    lane_init(&trial, &small, &result, &runner->options);
    trial.stage = &stage;
    const struct duel_backend *backend = small.place->backend;
    if (stage_open(&stage, backend, small.place->device, DUEL_PINNED, group->workload, &small.problem, &why) ==
            DUEL_OK &&
        stage_fill(&stage, DUEL_UNIFORM, runner->options.seed, NULL, &why) == DUEL_OK &&
        lane_open(&trial, &why) == DUEL_OK && lane_call(&trial, &why) == DUEL_OK) {
        if (lane_call(&trial, &why) == DUEL_OK) {
            pace_remember(runner, lane->item, stage.call_s, group->workload->flops(&small.problem));
            if (lane->tried_s == 0)
                lane->tried_s = fmax(result.first_call_s - stage.call_s, 0);
        }
    }
    lane_close(&trial);
    result_free(&result);
    stage_close(&stage);
}

bool pace_too_slow(struct duel_runner *runner, const struct duel_group *group, struct duel_lane *lane)
{
    const struct duel_backend *backend = lane->item->place->backend;
    bool slow_kind = !backend->upload || backend->emulated; /* a real GPU is never that slow */
    if (slow_kind && !find(runner, lane->item) && lane->result->flops > TRY_ABOVE_FLOPS)
        try_small(runner, group, lane);
    const struct duel_pace *pace = find(runner, lane->item);
    if (!pace)
        return false;
    double expected = pace->seconds * lane->result->flops / pace->flops;
    /* Other work may have spoilt a short earlier run: before a row is given up it is tried once more. */
    if (expected > runner->options.rules.timeout_s && slow_kind) {
        try_small(runner, group, lane);
        expected = fmin(expected, pace->seconds * lane->result->flops / pace->flops);
    }
    if (expected <= runner->options.rules.timeout_s)
        return false;
    lane->alive = false;
    snprintf(lane->result->reason, sizeof lane->result->reason,
             "one run would take about %.3g s, more than the limit of %.3g s per case (--timeout)", expected,
             runner->options.rules.timeout_s);
    return true;
}
