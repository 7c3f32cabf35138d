/* pace.c: a run that would outlast the whole time limit is not started. Its pace is known from the last smaller size of
 * the same run, or from one try at a small size: a textbook loop at n = 4096 takes minutes and could not be stopped. */
#include <math.h>
#include <string.h>

#include "bench/harness/lane.h"
#include "bench/report/console.h"

#define TRY_ABOVE_WORK 5e8 /* below this even the slowest implementation answers in about a second */
#define TRY_EXTENT 160     /* extents of the small try, */
#define TRY_LARGEST 640    /* and of the largest one that a budget asks for */
#define TRIES 3            /* the fastest counts: other work may have held up one of them, */
#define TRY_AGAIN_S 0.1    /* but a run as long as this tells enough by itself */
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

double pace_work(const struct duel_workload *workload, const struct duel_problem *problem)
{
    const double flops = workload->flops(problem);
    return flops > 0 ? flops : workload->bytes(problem);
}

static double work_of(const struct duel_lane *lane)
{
    return lane->result->flops > 0 ? lane->result->flops : lane->result->bytes;
}

static struct duel_pace *find_or_add(struct duel_runner *runner, const struct duel_case *item)
{
    struct duel_pace *pace = find(runner, item);
    if (!pace && runner->paces < (int)(sizeof runner->pace / sizeof runner->pace[0])) {
        pace = &runner->pace[runner->paces++];
        *pace = (struct duel_pace){item->place, item->impl, item->problem.types.in, item->threads, 0, 0, 0, 0};
    }
    return pace;
}

static void remember(struct duel_runner *runner, const struct duel_case *item, double seconds, double work)
{
    struct duel_pace *pace = work > 0 ? find_or_add(runner, item) : NULL;
    if (pace) {
        pace->seconds = seconds;
        pace->work = work;
    }
}

/* A short run, times the work, is more than a long one takes: what it spent on starting does not grow. */
static void remember_bound(struct duel_runner *runner, const struct duel_case *item, double seconds, double work)
{
    struct duel_pace *pace = work > 0 && seconds > 0 ? find_or_add(runner, item) : NULL;
    if (pace) {
        pace->most_seconds = seconds;
        pace->at_work = work;
    }
}

void pace_remember(struct duel_runner *runner, const struct duel_case *item, double seconds, double work)
{
    if (seconds >= TELLING_S)
        remember(runner, item, seconds, work);
    else
        remember_bound(runner, item, seconds, work);
}

/* Is there more than a bound? */
static bool is_known(const struct duel_pace *pace)
{
    return pace && pace->work > 0;
}

/* A try that other work held up foretells too much: then the bound is nearer. */
static double foretold(const struct duel_pace *pace, double work)
{
    const double seconds = pace->seconds * work / pace->work;
    return pace->at_work > 0 ? fmin(seconds, pace->most_seconds * work / pace->at_work) : seconds;
}

static int64_t at_most(int64_t extent, int64_t limit)
{
    return extent < limit ? extent : limit;
}

/* Extents of a small try: vectors get as many elements as the matrices of other workloads. */
static void shrink(const struct duel_workload *workload, struct duel_problem *problem, int64_t extent)
{
    const size_t extents = strspn(workload->extents, "mnk");
    for (const char *letter = workload->extents; *letter; letter++) {
        int64_t *own = workload_extent(problem, *letter);
        *own = at_most(*own, *letter == 'c' ? extent / 10 : extents == 1 ? extent * extent : extent);
    }
}

/* What making and judging operands costs here. It is the same for all implementations of a workload, so it is measured
 * once. */
static void try_filling(struct duel_runner *runner, struct duel_stage *stage)
{
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_expectation expectation = {0};
    double elements = 0, start = stage->backend->now(stage->device);
    if (stage_fill(stage, DUEL_UNIFORM, runner->options.seed, NULL, &why) != DUEL_OK)
        return;
    double filled = stage->backend->now(stage->device);
    for (int i = 0; i < stage->workload->operands; i++)
        elements += (double)stage->host[i].rows * (double)stage->host[i].columns;
    if (expectation_make(&expectation, stage->workload, &stage->problem, stage->host, stage->before, false, &why) ==
        DUEL_OK)
        runner->reference_product_s =
            (stage->backend->now(stage->device) - filled) / fmax(1, pace_work(stage->workload, &stage->problem) / 2);
    runner->fill_element_s = (filled - start) / fmax(1, elements);
    expectation_free(&expectation);
}

/* Runs a problem of at most this extent and returns the time of a run by the host clock; 0 when that did not work:
 * errors are left for the real run to find and report. */
static double try_extent(struct duel_runner *runner, const struct duel_group *group, struct duel_lane *lane,
                         int64_t extent, double *work)
{
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_case small = *lane->item;
    struct duel_result result;
    struct duel_stage stage = {0};
    struct duel_lane trial;
    double seconds = 0;
    shrink(group->workload, &small.problem, extent);
    *work = pace_work(group->workload, &small.problem);
    result_init(&result);
    result.threads = small.threads;
    lane_init(&trial, &small, &result, &runner->options);
    trial.stage = &stage;
    const struct duel_backend *backend = small.place->backend;
    if (stage_open(&stage, backend, small.place->device, DUEL_PINNED, group->workload, &small.problem, &why) ==
            DUEL_OK &&
        stage_fill(&stage, DUEL_UNIFORM, runner->options.seed, NULL, &why) == DUEL_OK &&
        lane_open(&trial, &why) == DUEL_OK && lane_call(&trial, &why) == DUEL_OK) {
        for (int i = 0; i < TRIES && seconds < TRY_AGAIN_S && lane_call(&trial, &why) == DUEL_OK; i++)
            seconds = i == 0 ? stage.call_s : fmin(seconds, stage.call_s);
        if (seconds > 0 && lane->tried_s == 0)
            lane->tried_s = fmax(result.first_call_s - seconds, 0);
        if (isfinite(runner->options.deadline) && !(runner->fill_element_s > 0))
            try_filling(runner, &stage);
    }
    lane_close(&trial);
    result_free(&result);
    stage_close(&stage);
    return seconds;
}

void pace_try(struct duel_runner *runner, const struct duel_group *group, struct duel_lane *lane)
{
    const int64_t largest = isfinite(runner->options.deadline) ? TRY_LARGEST : TRY_EXTENT;
    const double whole = work_of(lane);
    double seconds = 0, work = 0;
    for (int64_t extent = TRY_EXTENT; extent <= largest && seconds < TELLING_S && work < whole; extent *= 2)
        seconds = try_extent(runner, group, lane, extent, &work);
    if (largest == TRY_LARGEST && seconds > 0)
        remember(runner, lane->item, seconds, work);
    else
        pace_remember(runner, lane->item, seconds, work);
}

double pace_expected(struct duel_runner *runner, const struct duel_lane *lane)
{
    const struct duel_pace *pace = find(runner, lane->item);
    return is_known(pace) ? foretold(pace, work_of(lane)) : 0;
}

bool pace_too_slow(struct duel_runner *runner, const struct duel_group *group, struct duel_lane *lane)
{
    const struct duel_backend *backend = lane->item->place->backend;
    bool slow_kind = !backend->upload || backend->emulated; /* a real GPU is never that slow */
    if (slow_kind && !is_known(find(runner, lane->item)) && work_of(lane) > TRY_ABOVE_WORK)
        pace_try(runner, group, lane);
    const struct duel_pace *pace = find(runner, lane->item);
    if (!is_known(pace))
        return false;
    char takes[32], limit[32];
    double expected = foretold(pace, work_of(lane));
    /* Other work may have spoilt a short earlier run: before a row is given up it is tried once more. */
    if (expected > runner->options.rules.timeout_s && slow_kind) {
        pace_try(runner, group, lane);
        expected = fmin(expected, foretold(pace, work_of(lane)));
    }
    if (expected <= runner->options.rules.timeout_s)
        return false;
    lane->alive = false;
    format_duration(expected, takes, sizeof takes);
    format_duration(runner->options.rules.timeout_s, limit, sizeof limit);
    snprintf(lane->result->reason, sizeof lane->result->reason,
             "one run would take about %s, more than the limit of %s per case (--timeout)", takes, limit);
    return true;
}
