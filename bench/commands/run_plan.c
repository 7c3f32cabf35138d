/* run_plan.c: the plan before it runs: made to fit a budget, or only told. */
#include <string.h>

#include "bench/commands/run_state.h"
#include "bench/harness/budget.h"
#include "bench/matrix/dtype.h"
#include "bench/report/console.h"
#include "bench/workload/shape.h"

void run_quicken(struct run_state *state)
{
    const struct duel_options *options = &state->options;
    if (!options->quick)
        return;
    if (options->shape_count == 0)
        plan_quicken(&state->plan);
    if (!options->quiet)
        message_note("duel: a first look (--quick): %sat most %.2g s per case; what is left out is told below",
                     options->shape_count == 0 ? "two sizes of each workload, " : "", options->timeout_s);
}

void run_fit_budget(struct run_state *state)
{
    struct duel_options *options = &state->options;
    char told[400];
    if (options->budget_s <= 0)
        return;
    plan_fit(&state->plan, options->budget_s / (double)options->sessions, &options->timeout_s, told, sizeof told);
    if (told[0] && !options->quiet)
        message_note("duel: %s", told);
}

static bool skipped_alike(const struct duel_case *a, const struct duel_case *b)
{
    return a->place == b->place && strcmp(a->name, b->name) == 0 && a->skip[0] && strcmp(a->skip, b->skip) == 0;
}

/* A reason is told once, with all precisions that it holds for. */
static void tell_skipped(FILE *talk, const struct duel_group *group, const struct duel_case *item)
{
    bool known[DUEL_DTYPES] = {false}, any = false;
    for (int i = 0; i < group->count; i++) {
        const enum duel_dtype in = group->cases[i].problem.types.in;
        if (in == DUEL_NONE || known[in] || !skipped_alike(&group->cases[i], item))
            continue;
        fprintf(talk, "%s%s", any ? "," : "", dtype_name(in));
        known[in] = any = true;
    }
    fprintf(talk, "%sskipped: %s\n", any ? " " : "", item->skip);
}

static void tell_case(FILE *talk, const struct duel_group *group, const struct duel_case *item)
{
    char size[100];
    for (const struct duel_case *before = group->cases; before < item; before++)
        if (skipped_alike(before, item))
            return;
    fprintf(talk, "%-8s %-28s  %-24s %-10s ", group->workload->name,
            shape_words(group->workload->name, &group->problem, size, sizeof size), item->name, item->place->id);
    if (item->skip[0])
        tell_skipped(talk, group, item);
    else if (item->threads > 0)
        fprintf(talk, "%s, %d thread%s\n", dtype_name(item->problem.types.in), item->threads,
                item->threads > 1 ? "s" : "");
    else
        fprintf(talk, "%s\n", dtype_name(item->problem.types.in));
}

int run_tell_plan(const struct run_state *state)
{
    const struct duel_options *options = &state->options;
    char all[32], each[32];
    struct duel_estimate estimate = plan_estimate(&state->plan, options->timeout_s);
    for (int g = 0; g < state->plan.count && !options->quiet; g++)
        for (int i = 0; i < state->plan.groups[g].count; i++)
            tell_case(state->talk, &state->plan.groups[g], &state->plan.groups[g].cases[i]);
    format_duration(estimate.seconds * (double)options->sessions, all, sizeof all);
    format_duration(options->timeout_s, each, sizeof each);
    fprintf(state->talk, "\n%d case%s in %d size%s, at most %s (%s sampling per case)%s%.1f MiB of host memory",
            estimate.cases, estimate.cases == 1 ? "" : "s", estimate.sizes, estimate.sizes == 1 ? "" : "s", all, each,
            options->sessions > 1 ? " in all fresh processes together, " : ", ",
            (double)estimate.host_bytes / 1048576.0);
    if (estimate.device_bytes > 0)
        fprintf(state->talk, ", %.1f MiB of device memory", (double)estimate.device_bytes / 1048576.0);
    fprintf(state->talk, "\nNothing was run and nothing was written (--dry-run).\n");
    return estimate.cases > 0 ? EXIT_DONE : EXIT_UNMEASURED;
}
