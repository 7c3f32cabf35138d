/* admit.c: with a time budget a case is begun only when it will be done in time. What a case costs beside its samples
 * is foretold from one small try: operands are filled twice, the expected result is made twice, every implementation
 * runs at least five times (two verdicts, warm-up, a sample, the last verdict), and each of three answers is judged. */
#include <math.h>

#include "bench/harness/lane.h"

#define RUNS 5
#define VERDICTS 3
#define FILLS 2
#define FIRST_TOUCH 1.5 /* fresh pages are slower to fill than those of a small try */
#define PROBES 8        /* of Freivalds' check: each goes once over what it reads */
#define WORTH_A_TRY 1e7 /* multiply-adds, or ten times the elements: less takes milliseconds on any machine */

static double elements_of(const struct duel_group *group, const struct duel_lane *lane)
{
    double elements = 0;
    for (int i = 0; i < group->workload->operands; i++) {
        int64_t rows, columns;
        group->workload->extent(&lane->item->problem, i, &rows, &columns);
        elements += (double)rows * (double)columns;
    }
    return elements;
}

/* Filling operands and making the expected result: once for all lanes of a stage. */
static double stage_seconds(const struct duel_runner *runner, const struct duel_group *group,
                            const struct duel_lane *lane)
{
    const double elements = elements_of(group, lane);
    const double products = verify_by_probes(group->workload, &lane->item->problem)
                                ? PROBES * elements
                                : pace_work(group->workload, &lane->item->problem) / 2;
    return FILLS * (FIRST_TOUCH * elements * runner->fill_element_s + products * runner->reference_product_s);
}

static double verdict_seconds(const struct duel_runner *runner, const struct duel_group *group,
                              const struct duel_lane *lane)
{
    const struct duel_problem *p = &lane->item->problem;
    const double output =
        (double)workload_output_rows(group->workload, p) * (double)workload_output_columns(group->workload, p);
    return verify_by_probes(group->workload, p) ? PROBES * output * runner->reference_product_s
                                                : output * runner->fill_element_s;
}

static bool same_stage(const struct duel_lane *a, const struct duel_lane *b)
{
    const struct duel_types *one = &a->item->problem.types, *other = &b->item->problem.types;
    return a->item->place == b->item->place && one->in == other->in && one->out == other->out;
}

static void refuse(const struct duel_runner *runner, const struct duel_group *group, struct duel_lane *lane,
                   double cost_s, double left_s)
{
    const bool shared = runner->options.budget_shared;
    lane->alive = false;
    snprintf(lane->result->reason, sizeof lane->result->reason,
             "verifying and running it would take about %.*f s, and %.2g s of the budget of %g s are left%s%s "
             "(--budget)",
             cost_s < 10 ? 2 : 0, cost_s, left_s, runner->options.budget_s, shared ? " for " : "",
             shared ? group->workload->name : "");
}

static double seconds_left(const struct duel_runner *runner, const struct duel_lane *lane)
{
    return fmax(0, runner->options.deadline - lane->item->place->backend->now(lane->item->place->device));
}

static bool worth_a_try(const struct duel_group *group, const struct duel_lane *lane)
{
    return pace_work(group->workload, &lane->item->problem) > 2 * WORTH_A_TRY ||
           elements_of(group, lane) > WORTH_A_TRY / 10;
}

static void try_unknown(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes)
{
    for (int i = 0; i < group->count; i++) {
        struct duel_lane *lane = &lanes[i];
        if (!lane->alive || pace_expected(runner, lane) > 0 || !worth_a_try(group, lane))
            continue;
        if (seconds_left(runner, lane) > 0) {
            pace_try(runner, group, lane);
            continue;
        }
        lane->alive = false;
        snprintf(lane->result->reason, sizeof lane->result->reason,
                 "the budget of %g s was used up before its turn (--budget)", runner->options.budget_s);
    }
}

/* The living lane that costs least by itself, out of those that were not looked at yet; NULL when all were. */
static struct duel_lane *cheapest(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes)
{
    struct duel_lane *found = NULL;
    for (int i = 0; i < group->count; i++)
        if (lanes[i].alive && !lanes[i].considered &&
            (!found || pace_expected(runner, &lanes[i]) < pace_expected(runner, found)))
            found = &lanes[i];
    return found;
}

/* The cheapest first: so most rows come out, and what is dropped is what would have eaten the time of the others. */
void lanes_admit(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes)
{
    double total = 0, afterwards = 0;
    runner->sampling_until = runner->options.deadline;
    if (runner->judged != group->workload) /* each workload has a reference of its own */
        runner->fill_element_s = runner->reference_product_s = 0;
    runner->judged = group->workload;
    if (!isfinite(runner->options.deadline))
        return;
    try_unknown(runner, group, lanes);
    for (struct duel_lane *lane; (lane = cheapest(runner, group, lanes));) {
        const double run = pace_expected(runner, lane), verdict = verdict_seconds(runner, group, lane);
        const double left = seconds_left(runner, lane);
        double cost = RUNS * run + VERDICTS * verdict;
        bool shared = false;
        for (int i = 0; i < group->count; i++)
            shared = shared || (lanes[i].considered && lanes[i].alive && same_stage(&lanes[i], lane));
        cost += shared ? 0 : stage_seconds(runner, group, lane);
        lane->considered = true;
        if (total + cost > left) {
            refuse(runner, group, lane, cost, left - total);
            continue;
        }
        total += cost;
        afterwards += run + verdict;
    }
    runner->sampling_until -= afterwards;
}
