/* clocks.c: the shortest times that can be told, and what it costs to ask. */
#include <math.h>
#include <stdlib.h>

#include "bench/harness/sampler.h"
#include "bench/record/clock.h"
#include "bench/selftest/tests.h"
#include "bench/verify/stage.h"

/* An interval is never shorter than SAMPLER_SHORTEST_S, and its ends may be off by this share of it. */
#define SHARE 0.01

static void judge_clock(struct selftest_finding *finding, double seconds, const char *what)
{
    const double most = SHARE * SAMPLER_SHORTEST_S;
    if (isnan(seconds))
        selftest_found(finding, SELFTEST_FALSE, NAN, "without a clock there is no measurement",
                       "`duel doctor` says more about the clock", "the clock did not move");
    else
        selftest_found(finding, seconds <= most ? SELFTEST_TRUE : SELFTEST_FALSE, 1e9 * seconds,
                       "the shortest intervals are no longer right to 1 %", "`duel doctor` says more about the clock",
                       "%.0f ns %s; at most %.0f", 1e9 * seconds, what, 1e9 * most);
}

void test_timer_step(struct selftest_scene *scene, struct selftest_finding *finding)
{
    double step, cost;
    (void)scene;
    clock_probe(&step, &cost);
    judge_clock(finding, step, "between two readings");
}

void test_timer_cost(struct selftest_scene *scene, struct selftest_finding *finding)
{
    double step, cost;
    (void)scene;
    clock_probe(&step, &cost);
    judge_clock(finding, cost, "for one reading");
}

/* ---- device ----------------------------------------------------------------------------------------------- */

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Intervals of a growing number of small fills; the least difference between two of them is a step of the clock. */
static enum duel_status least_step(const struct duel_place *place, double *step, struct duel_why *why)
{
    enum { INTERVALS = 400, BYTES = 4096 };
    const struct duel_backend *backend = place->backend;
    double seconds[INTERVALS];
    void *memory = NULL;
    enum duel_status status = backend->alloc(place->device, BYTES, &memory, why);
    for (int i = 0; i < INTERVALS && status == DUEL_OK; i++) {
        status = backend->mark(place->device, 0, why);
        for (int f = 0; f < i % 20 && status == DUEL_OK; f++)
            status = backend->fill(place->device, memory, f, BYTES, why);
        if (status == DUEL_OK)
            status = backend->mark(place->device, 1, why);
        if (status == DUEL_OK)
            status = backend->sync(place->device, why);
        if (status == DUEL_OK)
            status = backend->elapsed(place->device, 0, 1, &seconds[i], why);
    }
    if (memory)
        backend->release(place->device, memory);
    *step = INFINITY;
    if (status != DUEL_OK)
        return status;
    qsort(seconds, INTERVALS, sizeof *seconds, ascending);
    for (int i = 1; i < INTERVALS; i++)
        if (seconds[i] - seconds[i - 1] > 1e-12 && seconds[i] - seconds[i - 1] < *step)
            *step = seconds[i] - seconds[i - 1];
    return DUEL_OK;
}

void test_event_step(struct selftest_scene *scene, struct selftest_finding *finding)
{
    struct duel_why why = {{0}, {0}, {0}};
    double step = NAN;
    if (least_step(scene->place, &step, &why) == DUEL_OK)
        judge_clock(finding, isinf(step) ? NAN : step, "between two events");
    else
        selftest_found(finding, SELFTEST_FALSE, NAN, why.matters, why.next, "%s", why.seen);
}

/* Host time of one launch that is not waited for: the median of several rows of launches. */
static enum duel_status time_launches(struct selftest_scene *scene, double *seconds, struct duel_why *why)
{
    enum { ROWS = 21, LAUNCHES = 50 };
    const struct duel_place *place = scene->place;
    const struct duel_backend *backend = place->backend;
    struct duel_problem problem = selftest_problem(16, 16, 16);
    const struct duel_impl *impl = selftest_simple(place, &problem);
    struct duel_stage stage = {0};
    struct duel_call call = {.why = why};
    double row[ROWS];
    if (!impl)
        return duel_fail(why, DUEL_SKIP, NULL, NULL, "no implementation without preparation here");
    enum duel_status status =
        stage_open(&stage, backend, place->device, DUEL_PINNED, workload_find("gemm", 4), &problem, why);
    if (status == DUEL_OK)
        status = stage_fill(&stage, DUEL_UNIFORM, scene->seed, NULL, why);
    stage_bind(&stage, &call);
    for (int r = 0; r < ROWS && status == DUEL_OK; r++) {
        status = backend->sync(place->device, why);
        const double start = backend->now(place->device);
        for (int i = 0; i < LAUNCHES && status == DUEL_OK; i++)
            status = impl->run(&call);
        row[r] = (backend->now(place->device) - start) / LAUNCHES;
    }
    if (status == DUEL_OK)
        status = backend->sync(place->device, why);
    stage_close(&stage);
    *seconds = status == DUEL_OK ? stats_median(row, ROWS) : NAN;
    return status;
}

void test_launch_cost(struct selftest_scene *scene, struct selftest_finding *finding)
{
    struct duel_why why = {{0}, {0}, {0}};
    double seconds = NAN;
    enum duel_status status = time_launches(scene, &seconds, &why);
    if (status != DUEL_OK)
        selftest_found(finding, status == DUEL_SKIP ? SELFTEST_ABSENT : SELFTEST_FALSE, NAN, why.matters, why.next,
                       "%s", why.seen);
    else
        selftest_found(finding, seconds < SAMPLER_SHORTEST_S ? SELFTEST_TRUE : SELFTEST_FALSE, 1e6 * seconds,
                       "batches of short kernels measure the launches instead of the kernels",
                       "unset CUDA_LAUNCH_BLOCKING, close profilers and debuggers", "%.2f us of the host; at most %.0f",
                       1e6 * seconds, 1e6 * SAMPLER_SHORTEST_S);
}
