/* runner.c: one group of cases from allocation to verdict. The order of work:
 *
 *   1  open        one stage (operands) per device and type, one call per case
 *   2  verify      whole numbers: every answer must be exact; then the data that will be timed, within its bound
 *   3  measure     measure.c: warm up, then samples in random interleaved order until each is good enough
 *   4  verify      once more, on the device and the data that were timed
 *   5  speed-ups   speedup.c: against the best verified CPU row
 */
#include "bench/harness/runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness/interrupt.h"
#include "bench/harness/lane.h"
#include "bench/matrix/dtype.h"
#include "bench/verify/verify.h"

static void say(const struct duel_runner *runner, const struct duel_group *group, const char *doing)
{
    if (runner->options.progress)
        runner->options.progress(runner->options.context, group, doing);
}

static void describe_row(struct duel_result *result, const struct duel_group *group, const struct duel_case *item,
                         uint64_t seed)
{
    result_init(result);
    snprintf(result->workload, sizeof result->workload, "%s", group->workload->name);
    snprintf(result->implementation, sizeof result->implementation, "%s", item->name);
    snprintf(result->device, sizeof result->device, "%s", item->place->id);
    snprintf(result->device_name, sizeof result->device_name, "%s", item->place->info.name);
    snprintf(result->reason, sizeof result->reason, "%s", item->skip);
    result->status = ROW_SKIPPED;
    result->problem = item->problem;
    result->threads = item->threads;
    result->seed = seed;
    result->emulated = item->place->backend && item->place->backend->emulated;
    if (!item->impl)
        return;
    result->flops = group->workload->flops(&item->problem);
    result->bytes = group->workload->bytes(&item->problem);
}

/* Lanes on the same device with the same types share their operands: the memory of a group does not grow with the
 * number of implementations. */
static struct duel_stage *stage_for(struct duel_lane *lanes, int count, struct duel_stage *stages, int *used,
                                    struct duel_lane *lane)
{
    for (int i = 0; i < count && &lanes[i] != lane; i++) {
        const struct duel_problem *a = &lanes[i].item->problem, *b = &lane->item->problem;
        if (lanes[i].stage && lanes[i].item->place == lane->item->place && a->types.in == b->types.in &&
            a->types.out == b->types.out)
            return lanes[i].stage;
    }
    return &stages[(*used)++];
}

static void open_lanes(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes,
                       struct duel_stage *stages)
{
    int used = 0;
    for (int i = 0; i < group->count; i++) {
        struct duel_lane *lane = &lanes[i];
        struct duel_case *item = lane->item;
        struct duel_why why = {{0}, {0}, {0}};
        lane->alive = item->skip[0] == '\0';
        if (!lane->alive)
            continue;
        enum duel_status status = place_open(item->place, &why);
        if (status == DUEL_OK && pace_too_slow(runner, group, lane))
            continue;
        if (status == DUEL_OK) {
            lane->stage = stage_for(lanes, group->count, stages, &used, lane);
            if (!lane->stage->backend)
                status = stage_open(lane->stage, item->place->backend, item->place->device, group->workload,
                                    &item->problem, &why);
        }
        if (status == DUEL_OK)
            status = lane_open(lane, &why);
        if (status != DUEL_OK)
            lane_fail(lane, status, &why);
    }
}

/* Judges the answer that lies in the stage. The row keeps the worse of all verdicts. */
static void judge(struct duel_runner *runner, struct duel_lane *lane, const struct duel_expectation *expectation,
                  const char *when)
{
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_verdict verdict;
    const struct duel_matrix *output = &lane->stage->host[lane->output];
    enum duel_status status =
        verify_output(expectation, &lane->item->problem, output, runner->options.seed, &verdict, &why);
    if (status != DUEL_OK) {
        lane_fail(lane, status, &why);
        return;
    }
    bool first = lane->result->verdict.tier == DUEL_TIER_NONE;
    if (first || !verdict.right || lane->result->verdict.tier == DUEL_TIER_EXACT ||
        verdict.bound_ratio > lane->result->verdict.bound_ratio)
        lane->result->verdict = verdict;
    if (verdict.right)
        return;
    duel_fail(&why, DUEL_EVERIFY, NULL, NULL, "wrong answer %s timing: %s", when, verdict.reason);
    lane_fail(lane, DUEL_EVERIFY, &why);
}

/* What one stage is expected to give, and whether it is being judged for the last time. */
struct trial {
    const char *when; /* "before" or "after" */
    struct duel_stage *stage;
    const struct duel_expectation *expectation;
    bool timed_data;
};

/* The last verdict of a lane: after timing, or straight away where nothing is timed. */
static bool is_last(const struct trial *trial)
{
    return trial->timed_data && (trial->stage->backend->emulated || strcmp(trial->when, "after") == 0);
}

/* Runs every living lane of one stage once and judges it. An interrupted run still verifies what it has measured. */
static void try_lanes(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes,
                      const struct trial *trial)
{
    struct duel_why why = {{0}, {0}, {0}};
    bool after = strcmp(trial->when, "after") == 0;
    for (int i = 0; i < group->count; i++) {
        struct duel_lane *lane = &lanes[i];
        if (lane->stage != trial->stage || !lane->alive || (after && lane->result->kernel_s.count == 0) ||
            (!after && interrupt_pending()))
            continue;
        say(runner, group, lane->item->name);
        enum duel_status status = lane_call(lane, &why);
        if (status == DUEL_OK)
            judge(runner, lane, trial->expectation, trial->when);
        else
            lane_fail(lane, status, &why);
        if (lane->alive && is_last(trial) && runner->options.answer)
            runner->options.answer(runner->options.context, lane->item, &trial->stage->host[lane->output]);
    }
}

static void fail_stage(struct duel_group *group, struct duel_lane *lanes, const struct duel_stage *stage,
                       enum duel_status status, const struct duel_why *why)
{
    for (int i = 0; i < group->count; i++)
        if (lanes[i].stage == stage && lanes[i].alive)
            lane_fail(&lanes[i], status, why);
}

/* Before timing: first whole numbers, whose answer is exact, then the data that will be timed. `expectation` stays for
 * the verdict after timing. */
static void verify_before(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes,
                          struct duel_stage *stage, struct duel_expectation *expectation)
{
    struct duel_why why = {{0}, {0}, {0}};
    for (int exact = 1; exact >= 0; exact--) {
        expectation_free(expectation);
        enum duel_status status = stage_fill(stage, exact ? DUEL_INTEGERS : DUEL_UNIFORM, runner->options.seed,
                                             exact ? NULL : runner->options.input, &why);
        if (status == DUEL_OK)
            status = expectation_make(expectation, group->workload, &stage->problem, stage->host, stage->before, exact,
                                      &why);
        if (status != DUEL_OK) {
            fail_stage(group, lanes, stage, status, &why);
            return;
        }
        expectation->any_data = !exact && runner->options.input[0];
        struct trial trial = {"before", stage, expectation, !exact};
        try_lanes(runner, group, lanes, &trial);
    }
}

static void finish_lane(struct duel_runner *runner, struct duel_lane *lane)
{
    struct duel_result *result = lane->result;
    bool unseen = result->verdict.tier == DUEL_TIER_NONE || (!result->emulated && result->kernel_s.count == 0);
    if (lane->alive && unseen) {
        result->status = ROW_SKIPPED;
        snprintf(result->reason, sizeof result->reason, "interrupted before it was measured");
    } else if (lane->alive) {
        result->status = result->emulated ? ROW_VERIFIED : ROW_OK;
        result->cause = DUEL_OK;
        result->read_s = runner->options.read_s;
        result->convert_s = lane->stage->convert_s;
        result->allocate_s = lane->stage->allocate_s;
        result_summarise(result);
        if (result->status == ROW_OK)
            pace_remember(runner, lane->item, result->kernel.median, result->flops);
    }
    lane_close(lane);
}

static void run_lanes(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes,
                      struct duel_stage *stages, struct duel_expectation *expectations)
{
    open_lanes(runner, group, lanes, stages);
    for (int i = 0; i < group->count; i++)
        if (stages[i].backend)
            verify_before(runner, group, lanes, &stages[i], &expectations[i]);
    lanes_measure(runner, group, lanes);
    for (int i = 0; i < group->count; i++) {
        struct trial trial = {"after", &stages[i], &expectations[i], true};
        if (stages[i].backend)
            try_lanes(runner, group, lanes, &trial);
    }
    for (int i = 0; i < group->count; i++)
        finish_lane(runner, &lanes[i]);
}

enum duel_status runner_group(struct duel_runner *runner, struct duel_group *group, struct duel_result *results,
                              struct duel_why *why)
{
    size_t count = (size_t)group->count;
    struct duel_lane *lanes = calloc(count, sizeof *lanes);
    struct duel_stage *stages = calloc(count, sizeof *stages);
    struct duel_expectation *expectations = calloc(count, sizeof *expectations);
    enum duel_status status = DUEL_OK;
    for (size_t i = 0; i < count; i++)
        describe_row(&results[i], group, &group->cases[i], runner->options.seed);
    if (!lanes || !stages || !expectations) {
        status = duel_fail(why, DUEL_ENOMEM, "the cases of one size could not be held", "close other programs",
                           "out of memory for %d cases", group->count);
        goto cleanup;
    }
    for (size_t i = 0; i < count; i++)
        lane_init(&lanes[i], &group->cases[i], &results[i], &runner->options.rules);
    run_lanes(runner, group, lanes, stages, expectations);
    speedups_set(results, group->count, runner->options.base);
cleanup:
    for (size_t i = 0; stages && expectations && i < count; i++) {
        expectation_free(&expectations[i]);
        stage_close(&stages[i]);
    }
    free(expectations);
    free(stages);
    free(lanes);
    return status;
}
