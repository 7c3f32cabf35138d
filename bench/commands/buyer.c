#include "bench/commands/buyer.h"

#include <string.h>
#include <unistd.h>

#include "bench/workload/shape.h"

static enum duel_status unknown(const char *name, struct duel_why *why)
{
    const char *names[64];
    char near[160], next[240];
    int count = 0;
    for (; workload_table[count] && count < 63; count++)
        names[count] = workload_table[count]->name;
    names[count] = NULL;
    nearest_names(name, names, 3, near, sizeof near);
    snprintf(next, sizeof next, "%s%s%sgive a workload of `duel list`, or a run file", *near ? "did you mean " : "",
             near, *near ? "? " : "");
    return duel_fail(why, DUEL_EINVAL, "it is not known what should be computed", next,
                     "%s is neither a workload nor a run file", name);
}

static enum duel_status take(struct duel_subject *subject, const char *name, bool file, struct duel_why *why)
{
    const struct duel_workload *workload = workload_find(name, strlen(name));
    if (workload)
        subject->workload[subject->workload_count++] = workload;
    else if (file && access(name, F_OK) == 0)
        subject->file[subject->file_count++] = name;
    else
        return unknown(name, why);
    return DUEL_OK;
}

enum duel_status buyer_subject(const struct duel_options *options, struct duel_subject *subject, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    *subject = (struct duel_subject){.workload_count = 0};
    for (int i = 0; i < options->pattern_count && i < DUEL_MAX_PATTERNS - 1 && status == DUEL_OK; i++)
        status = take(subject, options->pattern[i], true, why);
    return status == DUEL_OK && options->workload ? take(subject, options->workload, false, why) : status;
}

static enum duel_status take_sizes(const struct duel_workload *workload, const struct duel_options *sizes,
                                   plan_add_problem *add, void *context, int *taken, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    for (int i = 0; i < sizes->shape_count && status == DUEL_OK; i++) {
        struct duel_problem problem = {.alpha = 1};
        if (!shape_apply(workload, &sizes->shape[i], &problem))
            continue;
        bool empty = false;
        for (const char *letter = workload->extents; *letter; letter++)
            empty |= *workload_extent(&problem, *letter) <= 0;
        if (empty)
            return duel_fail(why, DUEL_EINVAL, "no work takes no time", "give at least 1 everywhere",
                             "a size of %s with an extent of 0", workload->name);
        (*taken)++;
        status = add(context, workload, &problem, why);
    }
    return status;
}

enum duel_status buyer_problems(const struct duel_options *options, const struct duel_subject *subject,
                                plan_add_problem *add, void *context, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    int taken = 0;
    for (int w = 0; workload_table[w] && status == DUEL_OK; w++) {
        const struct duel_workload *workload = workload_table[w];
        struct duel_options own = {.shape_count = 0};
        bool wanted = subject->workload_count == 0;
        for (int i = 0; i < subject->workload_count; i++)
            wanted |= subject->workload[i] == workload;
        if (!wanted)
            continue;
        if (options->shape_count == 0)
            status = options_sizes(workload->sizes[workload->sizes[DUEL_SWEEP_GPU] ? DUEL_SWEEP_GPU : DUEL_SWEEP_CPU],
                                   &own, why);
        if (status == DUEL_OK)
            status = take_sizes(workload, options->shape_count > 0 ? options : &own, add, context, &taken, why);
    }
    if (status == DUEL_OK && taken == 0)
        return duel_fail(why, DUEL_EINVAL, "it is not clear which extent is which",
                         "give as many as the workload has; `duel list` names them",
                         "--shape with %d extents fits none of these workloads",
                         options->shape_count > 0 ? options->shape[0].given : 0);
    return status;
}
