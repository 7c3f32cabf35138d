/* soak_choose.c: which implementation loads a device most: a short race tells. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/soak_state.h"

#define RACE_S 2.0 /* of each implementation at most */

static enum duel_status plan_for(struct soak_state *state, const struct duel_place *place, struct duel_plan *plan,
                                 struct duel_why *why)
{
    struct duel_options own = *state->options;
    own.device = place->id;
    if (own.pattern_count == 0) {
        own.pattern[own.pattern_count++] = "gemm";
        if (own.precision_count == 0)
            own.precision[own.precision_count++] = DUEL_FP32;
    }
    enum duel_status status = plan_make(plan, &state->registry, &own, why);
    if (status == DUEL_OK && plan->missing_device) {
        *why = plan->missing_why;
        return DUEL_SKIP;
    }
    return status;
}

static enum duel_status race(const struct soak_state *state, struct duel_group *group, struct duel_result *results,
                             struct duel_why *why)
{
    struct duel_runner *runner = calloc(1, sizeof *runner);
    if (!runner)
        return duel_fail(why, DUEL_ENOMEM, "nothing was loaded", "close other programs", "out of memory");
    runner->options = (struct duel_runner_options){.rules = {.target_ci = 0.05,
                                                             .min_samples = 3,
                                                             .max_samples = 10,
                                                             .timeout_s = RACE_S,
                                                             .warmup_s = 0.05,
                                                             .warmup_max_s = 0.25},
                                                   .seed = state->options->seed,
                                                   .host_memory = DUEL_PINNED,
                                                   .reuse = 10,
                                                   .read_s = NAN,
                                                   .deadline = INFINITY};
    const enum duel_status status = runner_group(runner, group, results, why);
    free(runner);
    return status;
}

/* The fastest, or what kept all of them from running; a wrong answer says most. */
static enum duel_status pick(const struct duel_group *group, const struct duel_result *results, struct duel_case **item,
                             struct duel_why *why)
{
    const struct duel_result *best = NULL, *bad = NULL;
    for (int i = 0; i < group->count; i++) {
        const struct duel_result *row = &results[i];
        if (result_timed(row) && (!best || row->kernel.median < best->kernel.median))
            best = row;
        if (!result_timed(row) && (!bad || (row->cause == DUEL_EVERIFY && bad->cause != DUEL_EVERIFY)))
            bad = row;
    }
    if (best) {
        *item = &group->cases[best - results];
        return DUEL_OK;
    }
    return duel_fail(why, bad && bad->cause != DUEL_OK ? bad->cause : DUEL_SKIP, "there is nothing to load it with",
                     "`duel list` shows what runs where", "%s: %s", bad ? bad->implementation : group->workload->name,
                     bad ? bad->reason : "no implementation");
}

enum duel_status soak_choose(struct soak_state *state, struct duel_place *place, struct duel_plan *plan,
                             const struct duel_group **group, struct duel_case **item, struct duel_why *why)
{
    enum duel_status status = plan_for(state, place, plan, why);
    if (status != DUEL_OK)
        return status;
    struct duel_group *last = &plan->groups[plan->count - 1]; /* the largest of its own sweep */
    struct duel_result *results = calloc((size_t)last->count, sizeof *results);
    if (!results)
        return duel_fail(why, DUEL_ENOMEM, "nothing was loaded", "close other programs", "out of memory");
    status = race(state, last, results, why);
    if (status == DUEL_OK)
        status = pick(last, results, item, why);
    for (int i = 0; i < last->count; i++)
        result_free(&results[i]);
    free(results);
    *group = last;
    return status;
}
