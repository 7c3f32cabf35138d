/* judge.c: every answer is verified before and after its timed loop, on the device and the data that are timed. */
#include <string.h>

#include "bench/harness/interrupt.h"
#include "bench/harness/lane.h"
#include "bench/harness/memory.h"
#include "bench/verify/verify.h"

/* Freivalds' check says right or wrong but knows no single element. A few whole rows against FP64 give the errors that
 * a reader wants to see, and a second opinion. */
static enum duel_status add_errors(struct duel_runner *runner, struct duel_lane *lane,
                                   const struct duel_expectation *expectation, struct duel_verdict *verdict,
                                   struct duel_why *why)
{
    struct duel_verdict rows;
    const int count = memory_exact_rows(lane->stage->workload, &lane->item->problem);
    if (lane->stage->workload->split_by_rows == 0 || count == 0)
        return DUEL_OK;
    enum duel_status status = verify_rows(expectation, &lane->item->problem, &lane->stage->host[lane->output], count,
                                          runner->options.seed, &rows, why);
    if (status != DUEL_OK)
        return status;
    verdict->max_error = rows.max_error;
    verdict->rms_error = rows.rms_error;
    verdict->relative_frobenius = rows.relative_frobenius;
    verdict->worst_row = rows.worst_row;
    verdict->worst_column = rows.worst_column;
    verdict->right = rows.right;
    if (!rows.right)
        memcpy(verdict->reason, rows.reason, sizeof verdict->reason);
    return DUEL_OK;
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
    if (status == DUEL_OK && verdict.right && verdict.tier == DUEL_TIER_FREIVALDS)
        status = add_errors(runner, lane, expectation, &verdict, &why);
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
    if (verdict.refused) {
        duel_fail(&why, DUEL_EINVAL, NULL, NULL, "%s", verdict.reason);
        lane_fail(lane, DUEL_EINVAL, &why);
        return;
    }
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

/* The chunked pass has its own arithmetic of offsets, so its answer is judged as well. */
static void try_overlapped(struct duel_runner *runner, struct duel_lane *lane, const struct trial *trial)
{
    struct duel_why why = {{0}, {0}, {0}};
    double unused_s;
    lane_running(lane, "when its overlapped copies were verified");
    enum duel_status status = stage_reset(lane->stage, &why);
    if (status == DUEL_OK)
        status = lane_overlapped(lane, &unused_s, &why);
    running_end();
    if (status == DUEL_OK)
        judge(runner, lane, trial->expectation, "with overlapped copies, at");
    else
        lane_fail(lane, status, &why);
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
        if (runner->options.progress)
            runner->options.progress(runner->options.context, group, lane->item->name);
        lane_running(lane, after ? "when it was verified after timing" : "when it was verified before timing");
        enum duel_status status = lane_call(lane, &why);
        running_end();
        if (status == DUEL_OK)
            judge(runner, lane, trial->expectation, trial->when);
        else
            lane_fail(lane, status, &why);
        if (lane->alive && trial->timed_data && lane_overlaps(lane))
            try_overlapped(runner, lane, trial);
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

void lanes_verify_before(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes,
                         struct duel_stage *stage, struct duel_expectation *expectation)
{
    struct duel_why why = {{0}, {0}, {0}};
    for (int exact = 1; exact >= 0; exact--) {
        expectation_free(expectation);
        enum duel_status status = stage_fill(stage, exact ? DUEL_INTEGERS : runner->options.data, runner->options.seed,
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

void lanes_verify_after(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes,
                        struct duel_stage *stage, const struct duel_expectation *expectation)
{
    struct trial trial = {"after", stage, expectation, true};
    try_lanes(runner, group, lanes, &trial);
}
