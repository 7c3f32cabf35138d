/* list.c: workloads, implementations, and where each can run. */
#include <string.h>

#include "bench/commands/commands.h"
#include "bench/harness/plan.h"
#include "bench/matrix/dtype.h"
#include "bench/workload/shape.h"

static void precisions(const struct duel_impl *impl, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int t = 0; t < DUEL_MAX_TYPES && impl->types[t].in != DUEL_NONE && used < size; t++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", t ? "," : "", dtype_name(impl->types[t].in));
}

/* Would this place run it? A library row may refuse a device that is otherwise usable. */
static bool runs(const struct duel_place *place, const struct duel_impl *impl, char *reason, size_t size)
{
    const struct duel_workload *workload = workload_of(impl->name);
    const struct duel_shape usual = {.n = 64};
    struct duel_problem small = {.alpha = 1, .types = impl->types[0]};
    shape_apply(workload, &usual, &small);
    workload_normalise(workload, &small);
    workload_tight(workload, &small);
    struct duel_why why = {{0}, {0}, {0}};
    if (!place->info.usable)
        snprintf(reason, size, "%s", place->info.status);
    else if (impl->supports && impl->supports(&small, &place->info, &why) != DUEL_OK)
        snprintf(reason, size, "%s", why.seen);
    else
        return true;
    return false;
}

/* Where a name runs, and where it does not, with the reason. */
static void where(const struct duel_registry *registry, const char *name, char *text, size_t size)
{
    char yes[128] = "", no[700] = "", reason[320];
    for (int i = 0; i < registry->count; i++)
        for (const struct duel_impl *const *impl = registry->place[i].impls; *impl; impl++) {
            const struct duel_place *place = &registry->place[i];
            size_t said = strlen(yes), denied = strlen(no);
            if (strcmp((*impl)->name, name) != 0)
                continue;
            if (runs(place, *impl, reason, sizeof reason))
                snprintf(yes + said, sizeof yes - said, "%s%s", said ? ", " : "", place->id);
            else
                snprintf(no + denied, sizeof no - denied, "%snot on %s: %s", denied ? "; " : "", place->id, reason);
        }
    snprintf(text, size, "%s%s%s", yes, yes[0] && no[0] ? "; " : "", no);
}

static void print_impl(const struct duel_registry *registry, const struct duel_impl *impl)
{
    char types[64], text[840];
    precisions(impl, types, sizeof types);
    where(registry, impl->name, text, sizeof text);
    printf("  %-26s %-12s %s\n", impl->name, types, text);
}

/* Is this the first place that has the name, and does the name belong to the workload? */
static bool belongs(const struct duel_registry *registry, const struct duel_place *place, const char *name,
                    const struct duel_workload *workload)
{
    const struct duel_place *first = NULL;
    registry_find(registry, name, &first);
    return (!first || first == place) && workload_of(name) == workload;
}

/* Lower rungs first: the order in which to read them. */
static void print_workload(const struct duel_registry *registry, const struct duel_workload *workload,
                           const struct duel_options *options)
{
    char extents[48];
    printf("%s: %s\n  %s\n", workload->name, workload->formula, workload->doc);
    printf("  extents: %s\n", shape_names(workload->name, " x ", extents, sizeof extents));
    for (int i = 0; i < registry->count; i++) {
        const struct duel_place *place = &registry->place[i];
        for (int rung = 0, top = 0; rung <= top; rung++)
            for (const struct duel_impl *const *impl = place->impls; *impl; impl++) {
                if (workload_of((*impl)->name) != workload) /* asked first: looking for a rung takes long */
                    continue;
                int own = registry_rung(registry, (*impl)->name);
                top = own > top ? own : top;
                if (own == rung && belongs(registry, place, (*impl)->name, workload) &&
                    registry_selected(options->pattern, options->pattern_count, (*impl)->name))
                    print_impl(registry, *impl);
            }
        for (const struct duel_absence *absent = place->absent; absent->name; absent++)
            if (belongs(registry, place, absent->name, workload) &&
                registry_selected(options->pattern, options->pattern_count, absent->name))
                printf("  %-26s %-12s left out: %s\n", absent->name, "-", absent->reason);
    }
}

static int run(const struct duel_options *options, const char *command_line)
{
    (void)command_line;
    struct duel_registry registry;
    struct duel_why why = {{0}, {0}, {0}};
    registry_load(&registry);
    enum duel_status status = plan_check_names(&registry, options, &why);
    for (int w = 0; workload_table[w] && status == DUEL_OK; w++)
        if (plan_wants(&registry, options, workload_table[w]))
            print_workload(&registry, workload_table[w], options);
    registry_close(&registry);
    return status == DUEL_OK ? EXIT_DONE : message_error(status, &why);
}

static const char *const accepted[] = {NULL};
const struct duel_command list_command = {
    .name = "list",
    .summary = "Workloads and implementations, which run here and why not",
    .usage = "list [PATTERN...]",
    .example = "duel list\n          duel list 'gpu/gemm/*'",
    .options = accepted,
    .patterns = true,
    .run = run,
};
