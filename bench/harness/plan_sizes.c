/* plan_sizes.c: the problems of a plan: the sizes that were asked for, or each workload's own sweep. */
#include <string.h>

#include "bench/harness/plan.h"
#include "bench/workload/shape.h"

/* The sweep for what will run: a GPU beside the CPU wants its larger sizes. */
static enum duel_sweep sweep_for(const struct duel_registry *registry, const struct duel_options *options)
{
    enum duel_sweep sweep = DUEL_SWEEP_CPU;
    for (int i = 0; i < registry->count; i++) {
        const struct duel_place *place = &registry->place[i];
        if (!place->info.usable || strcmp(place->id, "cpu") == 0 || !plan_selects(options->device, place))
            continue;
        if (!place->backend->emulated)
            return DUEL_SWEEP_GPU;
        sweep = DUEL_SWEEP_EMULATED;
    }
    return sweep;
}

bool plan_wants(const struct duel_registry *registry, const struct duel_options *options,
                const struct duel_workload *workload)
{
    for (int i = 0; i < registry->count; i++) {
        const struct duel_place *place = &registry->place[i];
        for (const struct duel_impl *const *impl = place->impls; *impl; impl++)
            if (workload_of((*impl)->name) == workload &&
                registry_selected(options->pattern, options->pattern_count, (*impl)->name))
                return true;
        for (const struct duel_absence *absent = place->absent; absent->name; absent++)
            if (workload_of(absent->name) == workload &&
                registry_selected(options->pattern, options->pattern_count, absent->name))
                return true;
    }
    return false;
}

/* Extents of 0 are work for some (a sum of no products is 0) and nothing at all for others. */
static enum duel_status check_empty(const struct duel_workload *workload, const struct duel_problem *problem,
                                    struct duel_why *why)
{
    struct duel_problem copy = *problem;
    char typed[100], next[160];
    for (const char *letter = workload->extents; *letter; letter++) {
        if (*workload_extent(&copy, *letter) > 0 || strchr(workload->empty, *letter))
            continue;
        snprintf(next, sizeof next, "give at least 1 there%s%s%s", *workload->empty ? "; only " : "", workload->empty,
                 *workload->empty ? " may be 0" : "");
        return duel_fail(why, DUEL_EINVAL, "there would be nothing to compute and no time to measure", next,
                         "--shape %s of %s has no %s", shape_typed(workload->name, problem, typed, sizeof typed),
                         workload->name, *letter == 'c' ? "count" : (const char[]){*letter, '\0'});
    }
    return DUEL_OK;
}

static enum duel_status take_shapes(const struct duel_workload *workload, const struct duel_options *options,
                                    plan_add_problem *add, void *context, int *taken, struct duel_why *why)
{
    struct duel_problem done[DUEL_MAX_SIZES];
    int count = 0;
    enum duel_status status = DUEL_OK;
    for (int i = 0; i < options->shape_count && status == DUEL_OK; i++) {
        struct duel_problem problem = {.alpha = 1};
        bool again = false;
        if (!shape_apply(workload, &options->shape[i], &problem))
            continue;
        for (int j = 0; j < count && !again; j++) /* --n 64 and --shape 64x64x64 are the same */
            again = shape_same(&done[j], &problem);
        if (again)
            continue;
        done[count++] = problem;
        status = check_empty(workload, &problem, why);
        if (status == DUEL_OK)
            status = add(context, workload, &problem, why);
    }
    *taken += count;
    return status;
}

static enum duel_status take_sweep(const struct duel_workload *workload, enum duel_sweep sweep, plan_add_problem *add,
                                   void *context, int *taken, struct duel_why *why)
{
    struct duel_options sizes = {.shape_count = 0};
    while (sweep > DUEL_SWEEP_CPU && !workload->sizes[sweep])
        sweep--;
    enum duel_status status = options_sizes(workload->sizes[sweep], &sizes, why);
    return status == DUEL_OK ? take_shapes(workload, &sizes, add, context, taken, why) : status;
}

enum duel_status plan_problems(const struct duel_registry *registry, const struct duel_options *options,
                               plan_add_problem *add, void *context, struct duel_why *why)
{
    char wanted[200] = "";
    size_t used = 0;
    int taken = 0;
    enum duel_status status = DUEL_OK;
    for (int w = 0; workload_table[w] && status == DUEL_OK; w++) {
        const struct duel_workload *workload = workload_table[w];
        if (!plan_wants(registry, options, workload))
            continue;
        status = options->shape_count > 0
                     ? take_shapes(workload, options, add, context, &taken, why)
                     : take_sweep(workload, sweep_for(registry, options), add, context, &taken, why);
        if (used < sizeof wanted)
            used += (size_t)snprintf(wanted + used, sizeof wanted - used, "%s%s has %zu", used > 0 ? ", " : "",
                                     workload->name, strlen(workload->extents));
    }
    if (status == DUEL_OK && taken == 0 && options->shape_count > 0)
        return duel_fail(why, DUEL_EINVAL, "it is not clear which extent is which",
                         "give as many as the workload has; `duel list` names them",
                         "--shape with %d extents, where %s", options->shape[0].given, wanted);
    return status;
}
