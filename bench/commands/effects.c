#include "bench/commands/effects.h"

#include <string.h>

#include "bench/commands/commands.h"
#include "bench/matrix/dtype.h"
#include "bench/workload/shape.h"

/* ---- what was chosen -------------------------------------------------------------------------------------------- */

/* Does any selected implementation take this precision (DUEL_NONE: any) and, if asked, a number of threads? */
static bool any_has(const struct duel_options *options, const struct duel_registry *registry, enum duel_dtype in,
                    bool threads)
{
    for (int i = 0; i < registry->count; i++) {
        const struct duel_place *place = &registry->place[i];
        if (!plan_selects(options->device, place) || (threads && strcmp(place->id, "cpu") != 0))
            continue;
        for (const struct duel_impl *const *impl = place->impls; *impl; impl++) {
            bool has = in == DUEL_NONE;
            for (int t = 0; t < DUEL_MAX_TYPES; t++)
                has = has || (*impl)->types[t].in == in;
            if (has && (!threads || (*impl)->threads) &&
                registry_selected(options->pattern, options->pattern_count, (*impl)->name))
                return true;
        }
    }
    return false;
}

static bool any_shape(const struct duel_options *options, const struct duel_workload *workload)
{
    struct duel_problem problem;
    for (int i = 0; i < options->shape_count; i++)
        if (shape_apply(workload, &options->shape[i], &problem))
            return true;
    return options->shape_count == 0;
}

/* --shape has as many extents as some of the workloads; when none has, the plan refuses it. */
static void tell_shapes(const struct duel_options *options, const struct duel_registry *registry)
{
    char names[200] = "";
    bool fits = false;
    for (int w = 0; workload_table[w]; w++) {
        const size_t used = strlen(names);
        if (!plan_wants(registry, options, workload_table[w]))
            continue;
        if (any_shape(options, workload_table[w]))
            fits = true;
        else
            snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", workload_table[w]->name);
    }
    if (fits && *names)
        message_note("duel: --shape has another number of extents than %s: nothing of it is run", names);
}

void effects_of_choice(const struct duel_options *options, const struct duel_registry *registry)
{
    if (options->quiet)
        return;
    for (int i = 0; i < options->precision_count && options_given(options, "--precision"); i++)
        if (!any_has(options, registry, options->precision[i], false))
            message_note("duel: --precision %s gives no row: no selected implementation has it",
                         dtype_name(options->precision[i]));
    if (options->threads_count > 0 && !any_has(options, registry, DUEL_NONE, true))
        message_note("duel: --threads has no effect: no selected implementation has a number of threads to set");
    tell_shapes(options, registry);
    if (options->repeated_sizes > 0)
        message_note("duel: a size that is given more than once is measured once");
}

/* ---- what is planned -------------------------------------------------------------------------------------------- */

struct effects {
    bool timed, copied, alternating; /* anything is timed, copied to a GPU, in turn with another, */
    bool written, shown;             /* recorded, in a report */
};

static bool is_timed(const struct duel_case *item)
{
    return !item->skip[0] && !item->place->backend->emulated;
}

static struct effects look(const struct duel_options *options, const struct duel_plan *plan)
{
    struct effects effects = {.written = !options->dry_run, .shown = !options->dry_run && !options->no_plots};
    for (int g = 0; g < plan->count; g++) {
        int together = 0;
        for (int i = 0; i < plan->groups[g].count; i++) {
            const struct duel_case *item = &plan->groups[g].cases[i];
            together += is_timed(item);
            effects.copied = effects.copied || (is_timed(item) && item->place->backend->upload);
        }
        effects.timed = effects.timed || together > 0;
        effects.alternating = effects.alternating || together > 1;
    }
    return effects;
}

static const struct {
    const char *option;
    size_t needs; /* of struct effects */
    const char *why;
} rules[] = {
#define NEEDS(member) offsetof(struct effects, member)
#define UNTIMED "no row of this run is timed"
#define UNCOPIED "no row of this run copies to a GPU"
#define UNWRITTEN "--dry-run writes and draws nothing"
    {"--samples", NEEDS(timed), UNTIMED},
    {"--min-samples", NEEDS(timed), UNTIMED},
    {"--min-time", NEEDS(timed), UNTIMED},
    {"--target-ci", NEEDS(timed), UNTIMED},
    {"--cache", NEEDS(timed), UNTIMED},
    {"--base", NEEDS(timed), UNTIMED},
    {"--order", NEEDS(alternating), "no two rows of a size are timed in turn"},
    {"--host-memory", NEEDS(copied), UNCOPIED},
    {"--reuse", NEEDS(copied), UNCOPIED},
    {"--out", NEEDS(written), UNWRITTEN},
    {"--json", NEEDS(written), UNWRITTEN},
    {"--csv", NEEDS(written), UNWRITTEN},
    {"--output", NEEDS(written), UNWRITTEN},
    {"--terminal", NEEDS(written), UNWRITTEN},
    {"--open", NEEDS(shown), "--dry-run and --no-plots write no report"},
};

void effects_of_plan(const struct duel_options *options, const struct duel_plan *plan)
{
    const struct effects effects = look(options, plan);
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !options->quiet; i++)
        if (options_given(options, rules[i].option) && !*(const bool *)((const char *)&effects + rules[i].needs))
            message_note("duel: %s has no effect: %s", rules[i].option, rules[i].why);
}
