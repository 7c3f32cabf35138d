/* plan.c: patterns, devices, precisions, sizes and thread counts become a list of cases. */
#include "bench/harness/plan.h"

#include <stdlib.h>
#include <string.h>

#include "bench/harness/memory.h"
#include "bench/harness/tiles.h"
#include "bench/matrix/dtype.h"
#include "bench/verify/stage.h"
#include "bench/verify/verify.h"
#include "bench/workload/shape.h"

/* A cuda device is selected by "cuda" (each of them) and "cuda:0"; emulated devices only by name or "all". */
bool plan_selects(const char *device, const struct duel_place *place)
{
    bool emulated = strcmp(place->id, "emulated") == 0;
    if (!device)
        return !emulated;
    if (strcmp(device, "all") == 0 || strcmp(device, place->id) == 0)
        return true;
    size_t length = strlen(device);
    return strncmp(place->id, device, length) == 0 && place->id[length] == ':';
}

bool plan_has_precision(const struct duel_options *options, enum duel_dtype in)
{
    for (int i = 0; i < options->precision_count; i++)
        if (options->precision[i] == in)
            return true;
    return options->precision_count == 0;
}

static struct duel_case *add_case(struct duel_plan *plan, struct duel_group *group)
{
    struct duel_case *cases = realloc(group->cases, (size_t)(group->count + 1) * sizeof *cases);
    if (!cases)
        return NULL;
    group->cases = cases;
    plan->cases++;
    memset(&cases[group->count], 0, sizeof *cases);
    return &cases[group->count++];
}

static void set_problem(struct duel_problem *problem, const struct duel_group *group,
                        const struct duel_options *options, struct duel_types types)
{
    *problem = group->problem;
    problem->alpha = options->alpha;
    problem->beta = options->beta;
    problem->types = types;
    workload_normalise(group->workload, problem);
    workload_tight(group->workload, problem);
}

static void decide_skip(struct duel_case *item)
{
    struct duel_place *place = item->place;
    struct duel_why why = {{0}, {0}, {0}};
    if (!place->info.usable)
        snprintf(item->skip, sizeof item->skip, "%s: %s", place->info.status, place->info.why.seen);
    else if (item->impl->supports && item->impl->supports(&item->problem, &place->info, &why) != DUEL_OK)
        snprintf(item->skip, sizeof item->skip, "%s", why.seen);
}

static enum duel_status no_memory(struct duel_why *why)
{
    return duel_fail(why, DUEL_ENOMEM, "the plan itself could not be held", "close other programs and try again",
                     "out of memory while planning");
}

static enum duel_status add_impl(struct duel_plan *plan, struct duel_group *group, struct duel_place *place,
                                 const struct duel_impl *impl, const struct duel_options *options, struct duel_why *why)
{
    int processors = place->info.processors > 0 ? place->info.processors : 1;
    for (int t = 0; t < DUEL_MAX_TYPES && impl->types[t].in != DUEL_NONE; t++) {
        if (!plan_has_precision(options, impl->types[t].in))
            continue;
        int counts = impl->threads && options->threads_count > 0 ? options->threads_count : 1;
        for (int i = 0; i < counts; i++) {
            struct duel_case *item = add_case(plan, group);
            if (!item)
                return no_memory(why);
            item->place = place;
            item->impl = impl;
            item->name = impl->name;
            if (strcmp(place->id, "cpu") == 0)
                item->threads = !impl->threads ? 1 : options->threads_count > 0 ? options->threads[i] : processors;
            set_problem(&item->problem, group, options, impl->types[t]);
            decide_skip(item);
        }
    }
    return DUEL_OK;
}

static enum duel_status add_absent(struct duel_plan *plan, struct duel_group *group, struct duel_place *place,
                                   const struct duel_absence *absent, struct duel_why *why)
{
    struct duel_case *item = add_case(plan, group);
    if (!item)
        return no_memory(why);
    item->place = place;
    item->name = absent->name;
    item->problem = group->problem;
    snprintf(item->skip, sizeof item->skip, "%s", absent->reason);
    return DUEL_OK;
}

/* Ladder order within a place: lower rungs first, so that rows and plots read upward. */
static enum duel_status add_place_cases(struct duel_plan *plan, struct duel_group *group,
                                        struct duel_registry *registry, struct duel_place *place,
                                        const struct duel_options *options, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    for (int rung = 0, last = 0; rung <= last && status == DUEL_OK; rung++)
        for (const struct duel_impl *const *impl = place->impls; *impl && status == DUEL_OK; impl++) {
            int own = registry_rung(registry, (*impl)->name);
            last = own > last ? own : last;
            if (own == rung && workload_of((*impl)->name) == group->workload && tiles_selected(options, (*impl)->name))
                status = add_impl(plan, group, place, *impl, options, why);
        }
    for (const struct duel_absence *absent = place->absent; absent->name && status == DUEL_OK; absent++)
        if (workload_of(absent->name) == group->workload &&
            registry_selected(options->pattern, options->pattern_count, absent->name))
            status = add_absent(plan, group, place, absent, why);
    return status;
}

static void bytes_words(uint64_t bytes, char *text, size_t size)
{
    if (bytes >= (uint64_t)10 << 30)
        snprintf(text, size, "%.1f GiB", (double)bytes / 0x1p30);
    else
        snprintf(text, size, "%.1f MiB", (double)bytes / 0x1p20);
}

static enum duel_status host_too_small(const struct duel_group *group, const struct duel_memory *need,
                                       uint64_t free_bytes, struct duel_why *why)
{
    char rings[32], verifier[32], next[200], shape[100];
    bytes_words(need->rings, rings, sizeof rings);
    bytes_words(need->verifier, verifier, sizeof verifier);
    snprintf(next, sizeof next, "give %sa smaller --n or --shape, or fewer precisions and devices",
             need->rings > free_bytes / 4 ? "--cache hot, " : "");
    return duel_fail(why, DUEL_EINVAL, "nothing was allocated; the machine would swap or kill the program", next,
                     "%s with %s needs %llu bytes (%.1f GiB), %s of it for rotating copies and %s to verify; "
                     "%llu bytes (%.1f GiB) are free",
                     group->workload->name, shape_words(group->workload->name, &group->problem, shape, sizeof shape),
                     (unsigned long long)need->host, (double)need->host / 0x1p30, rings, verifier,
                     (unsigned long long)free_bytes, (double)free_bytes / 0x1p30);
}

/* A case on a device that is too small for all that runs there together is left out, the last one first. */
static void fit_device(struct duel_group *group, struct duel_case *item)
{
    const uint64_t free_bytes = item->place->info.memory_free_bytes;
    const struct duel_memory need = group_memory(group, item->place);
    if (free_bytes == 0 || need.device <= free_bytes)
        return;
    snprintf(item->skip, sizeof item->skip, "needs %llu MiB of device memory%s, %llu MiB are free",
             (unsigned long long)(need.device >> 20), need.rings > 0 ? " with its rotating copies" : "",
             (unsigned long long)(free_bytes >> 20));
}

/* Memory is refused before it is touched: a GPU that is too small skips its rows, a host that is too small ends it. */
static enum duel_status check_memory(struct duel_group *group, const struct duel_place *cpu, uint64_t held,
                                     struct duel_why *why)
{
    struct duel_need one;
    for (int i = 0; i < group->count; i++) {
        const struct duel_case *item = &group->cases[i];
        enum duel_status status = DUEL_OK;
        if (!item->skip[0])
            status = stage_need(item->place->backend, group->workload, &item->problem, &one, why);
        if (status != DUEL_OK)
            return status;
    }
    for (int i = group->count - 1; i >= 0; i--)
        if (!group->cases[i].skip[0])
            fit_device(group, &group->cases[i]);
    struct duel_memory need = group_memory(group, NULL);
    const uint64_t free_bytes = cpu->info.memory_free_bytes;
    need.host = need.host > UINT64_MAX - held ? UINT64_MAX : need.host + held;
    /* The samples and everybody else on this machine live in the last twentieth. */
    if (free_bytes == 0 || need.host < free_bytes - free_bytes / 20)
        return DUEL_OK;
    return host_too_small(group, &need, free_bytes, why);
}

/* What add_group needs besides the problem. */
struct planning {
    struct duel_plan *plan;
    struct duel_registry *registry;
    const struct duel_options *options;
    bool several; /* workloads: one size that does not fit does not keep the others from running */
};

static enum duel_status leave_out(struct duel_group *group, const struct duel_why *why)
{
    for (int i = 0; i < group->count; i++)
        if (!group->cases[i].skip[0])
            snprintf(group->cases[i].skip, sizeof group->cases[i].skip, "%s", why->seen);
    return DUEL_OK;
}

static enum duel_status add_group(void *context, const struct duel_workload *workload,
                                  const struct duel_problem *problem, struct duel_why *why)
{
    const struct planning *planning = context;
    struct duel_registry *registry = planning->registry;
    struct duel_plan *plan = planning->plan;
    const struct duel_options *options = planning->options;
    struct duel_group *groups = realloc(plan->groups, (size_t)(plan->count + 1) * sizeof *groups);
    if (!groups)
        return no_memory(why);
    plan->groups = groups;
    struct duel_group *group = &groups[plan->count++];
    *group = (struct duel_group){.workload = workload, .problem = *problem};
    group->cache = memory_cache_mode((enum duel_cache)options->cache, workload);
    enum duel_status status = DUEL_OK;
    for (int i = 0; i < registry->count && status == DUEL_OK; i++)
        if (plan_selects(options->device, &registry->place[i]))
            status = add_place_cases(plan, group, registry, &registry->place[i], options, why);
    if (status == DUEL_OK)
        status = check_memory(group, &registry->place[0], options->held_bytes, why);
    if (status == DUEL_EINVAL && planning->several)
        status = leave_out(group, why);
    for (int i = 0; i < group->count; i++)
        plan->runnable += group->cases[i].skip[0] == '\0';
    return status;
}

static void note_missing(struct duel_plan *plan, const struct duel_registry *registry, const char *device)
{
    plan->missing_device = true;
    duel_fail(&plan->missing_why, DUEL_SKIP, "the device was asked for by name, so nothing else is measured instead",
              "`duel devices` shows what is here", "device %s is not here", device);
    for (int i = 0; i < registry->count; i++) {
        if (!plan_selects(device, &registry->place[i]))
            continue;
        if (registry->place[i].info.usable)
            plan->missing_device = false;
        else
            plan->missing_why = registry->place[i].info.why;
    }
}

static bool several_wanted(const struct duel_registry *registry, const struct duel_options *options)
{
    int wanted = 0;
    for (int w = 0; workload_table[w]; w++)
        wanted += plan_wants(registry, options, workload_table[w]);
    return wanted > 1;
}

enum duel_status plan_make(struct duel_plan *plan, struct duel_registry *registry, const struct duel_options *options,
                           struct duel_why *why)
{
    struct planning planning = {plan, registry, options, several_wanted(registry, options)};
    memset(plan, 0, sizeof *plan);
    enum duel_status status = plan_check_names(registry, options, why);
    if (status == DUEL_OK && options->device && strcmp(options->device, "all") != 0)
        note_missing(plan, registry, options->device);
    if (status == DUEL_OK)
        status = plan_problems(registry, options, add_group, &planning, why);
    if (status == DUEL_OK && plan->cases == 0 && !plan->missing_device)
        status = duel_fail(why, DUEL_EINVAL, "there would be no row at all",
                           "`duel list` shows implementations with their devices and precisions",
                           "no implementation is left after pattern, --device and --precision");
    if (status != DUEL_OK)
        plan_free(plan);
    return status;
}

enum duel_status plan_size(struct duel_plan *plan, struct duel_registry *registry, const struct duel_options *options,
                           const struct duel_workload *workload, int64_t n, struct duel_why *why)
{
    struct planning planning = {plan, registry, options, false};
    struct duel_problem problem = {.alpha = 1};
    memset(plan, 0, sizeof *plan);
    shape_apply(workload, &(struct duel_shape){.n = n}, &problem);
    enum duel_status status = add_group(&planning, workload, &problem, why);
    if (status != DUEL_OK)
        plan_free(plan);
    return status;
}

void plan_free(struct duel_plan *plan)
{
    for (int i = 0; i < plan->count; i++)
        free(plan->groups[i].cases);
    free(plan->groups);
    memset(plan, 0, sizeof *plan);
}
