/* run_story.c: what the bare demonstration runs. Its last picture sets speed against error, so that types beyond FP32
 * and FP16 are measured too, but only where that picture shows them: at one size, and with the best of each ladder. */
#include <string.h>

#include "bench/commands/run_state.h"

static bool is_usual(const struct duel_case *item)
{
    const enum duel_dtype in = item->problem.types.in;
    return in == DUEL_FP32 || in == DUEL_FP16 || in == DUEL_NONE;
}

/* Does nothing else of its group build on it? */
static bool is_top(const struct duel_group *group, const struct duel_case *item)
{
    for (int i = 0; i < group->count; i++) {
        const struct duel_impl *other = group->cases[i].impl;
        if (other && other->builds_on && strcmp(other->builds_on, item->name) == 0)
            return false;
    }
    return true;
}

/* Usual types stay, of the others with `others` the top rungs. What goes is no row: it was never asked for. */
static void trim(struct duel_plan *plan, struct duel_group *group, bool others)
{
    int kept = 0;
    for (int i = 0; i < group->count; i++) {
        const struct duel_case item = group->cases[i];
        if (is_usual(&item) || (others && is_top(group, &item))) {
            group->cases[i] = group->cases[kept]; /* swapped, so that the rungs above it can still be asked */
            group->cases[kept++] = item;
        } else {
            plan->runnable -= item.skip[0] == '\0';
            plan->cases--;
        }
    }
    group->count = kept;
}

static bool runs(const struct duel_group *group)
{
    bool any = false;
    for (int i = 0; i < group->count; i++)
        any = any || !group->cases[i].skip[0];
    return any;
}

/* Only the last workload of the story is shown in several types, in the middle of its sizes: in FP64 the largest would
 * take too long. */
void run_story_trim(struct duel_plan *plan, const struct duel_options *options)
{
    const char *name = options->pattern[options->pattern_count - 1];
    const struct duel_workload *told = workload_find(name, strlen(name));
    int sizes = 0, at = 0;
    for (int g = 0; g < plan->count; g++)
        sizes += plan->groups[g].workload == told && runs(&plan->groups[g]);
    for (int g = 0; g < plan->count; g++) {
        const bool own = plan->groups[g].workload == told && runs(&plan->groups[g]);
        trim(plan, &plan->groups[g], own && at++ == sizes / 2);
    }
}
