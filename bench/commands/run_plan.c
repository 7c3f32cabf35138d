/* run_plan.c: the plan before it runs: made to fit a budget, or only told. */
#include "bench/commands/run_state.h"
#include "bench/harness/budget.h"
#include "bench/matrix/dtype.h"
#include "bench/workload/shape.h"

void run_fit_budget(struct run_state *state)
{
    struct duel_options *options = &state->options;
    char told[200];
    if (options->budget_s <= 0)
        return;
    plan_fit(&state->plan, options->budget_s / (double)options->sessions, &options->timeout_s, told, sizeof told);
    if (told[0] && !options->quiet)
        message_note("duel: %s", told);
}

static void tell_case(FILE *talk, const struct duel_group *group, const struct duel_case *item)
{
    char size[100];
    fprintf(talk, "%-8s %-28s  %-24s %-10s ", group->workload->name,
            shape_words(group->workload->name, &group->problem, size, sizeof size), item->name, item->place->id);
    if (item->skip[0])
        fprintf(talk, "skipped: %s\n", item->skip);
    else if (item->threads > 0)
        fprintf(talk, "%s, %d thread%s\n", dtype_name(item->problem.types.in), item->threads,
                item->threads > 1 ? "s" : "");
    else
        fprintf(talk, "%s\n", dtype_name(item->problem.types.in));
}

int run_tell_plan(const struct run_state *state)
{
    const struct duel_options *options = &state->options;
    struct duel_estimate estimate = plan_estimate(&state->plan, options->timeout_s);
    for (int g = 0; g < state->plan.count && !options->quiet; g++)
        for (int i = 0; i < state->plan.groups[g].count; i++)
            tell_case(state->talk, &state->plan.groups[g], &state->plan.groups[g].cases[i]);
    fprintf(state->talk, "\n%d cases in %d sizes, at most %.3g s (%.3g s sampling per case)%s%.1f MiB of host memory",
            estimate.cases, estimate.sizes, estimate.seconds * (double)options->sessions, options->timeout_s,
            options->sessions > 1 ? " in all fresh processes together, " : ", ",
            (double)estimate.host_bytes / 1048576.0);
    if (estimate.device_bytes > 0)
        fprintf(state->talk, ", %.1f MiB of device memory", (double)estimate.device_bytes / 1048576.0);
    fprintf(state->talk, "\nNothing was run and nothing was written (--dry-run).\n");
    return estimate.cases > 0 ? EXIT_DONE : EXIT_UNMEASURED;
}
