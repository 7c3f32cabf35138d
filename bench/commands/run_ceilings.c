/* run_ceilings.c: the measured arithmetic peak of what runs: a line in the plots, and a bound that no row may break. */
#include <math.h>
#include <string.h>

#include "bench/commands/run_state.h"
#include "bench/harness/interrupt.h"

static bool uses(const struct run_state *state, const struct duel_place *place, enum duel_dtype in)
{
    for (int g = 0; g < state->plan.count; g++)
        for (int i = 0; i < state->plan.groups[g].count; i++) {
            const struct duel_case *item = &state->plan.groups[g].cases[i];
            if (item->place == place && !item->skip[0] && item->problem.types.in == in)
                return true;
        }
    return false;
}

static struct duel_ceiling *ceiling_of(struct run_state *state, const struct duel_place *place, enum duel_dtype in,
                                       int threads)
{
    for (size_t i = 0; i < state->ceilings; i++)
        if (strcmp(state->ceiling[i].device, place->id) == 0 && state->ceiling[i].in == in &&
            state->ceiling[i].threads == threads)
            return &state->ceiling[i];
    if (state->ceilings == sizeof state->ceiling / sizeof state->ceiling[0])
        return NULL;
    struct duel_ceiling *ceiling = &state->ceiling[state->ceilings++];
    *ceiling = (struct duel_ceiling){.in = in, .threads = threads};
    snprintf(ceiling->device, sizeof ceiling->device, "%s", place->id);
    return ceiling;
}

#define PROBE_S 0.15    /* what a probe takes before the first one is known */
#define PROBE_SHARE 0.2 /* of a budget at most, before the rows */

/* With a budget a probe is begun only when it will end in time. */
static bool fits(struct run_state *state)
{
    const struct duel_runner_options *runner = &state->runner.options;
    const double probe_s = state->probe_s > 0 ? state->probe_s : PROBE_S;
    const double until = state->count > 0 ? state->deadline : state->deadline - (1 - PROBE_SHARE) * runner->budget_s;
    if (run_now(state) + probe_s <= until)
        return true;
    state->probes_dropped = true;
    return false;
}

/* The highest of all tries counts: other work on the machine can only lower it. A plot without a ceiling is still one.
 * False when nothing was tried. */
static bool measure_ceiling(struct run_state *state, struct duel_place *place, enum duel_dtype in, int threads)
{
    struct duel_why why = {{0}, {0}, {0}};
    double flops_per_s = 0;
    if (place_open(place, &why) != DUEL_OK || !fits(state))
        return false;
    const double start = run_now(state);
    enum duel_status status = place->backend->peak(place->device, in, threads, &flops_per_s, &why);
    state->probe_s = fmax(state->probe_s, run_now(state) - start);
    struct duel_ceiling *ceiling = status == DUEL_OK ? ceiling_of(state, place, in, threads) : NULL;
    if (!ceiling || ceiling->gflops >= flops_per_s / 1e9)
        return true;
    ceiling->gflops = flops_per_s / 1e9;
    run_note_trouble(state, runfile_ceiling(state->file, ceiling, &why), &why);
    return true;
}

/* The measured arithmetic peak of what runs, before and after: one thread and all threads on the CPU. */
void run_measure_ceilings(struct run_state *state)
{
    for (int i = 0; i < state->registry.count && !interrupt_pending(); i++) {
        struct duel_place *place = &state->registry.place[i];
        for (int in = DUEL_FP64; in < DUEL_DTYPES; in++) {
            if (!place->info.usable || !place->backend->peak || !uses(state, place, (enum duel_dtype)in))
                continue;
            bool cpu = strcmp(place->id, "cpu") == 0;
            measure_ceiling(state, place, (enum duel_dtype)in, cpu ? 1 : 0);
            if (cpu && place->info.processors > 1)
                measure_ceiling(state, place, (enum duel_dtype)in, place->info.processors);
        }
    }
}

/* Above its ceiling by this much a rate is an error. The 5 % are what two measurements on one machine may differ. */
#define ABOVE 1.05
#define TRIES 3

static double ceiling_for(struct run_state *state, const struct duel_result *row)
{
    for (size_t i = 0; i < state->ceilings; i++)
        if (strcmp(state->ceiling[i].device, row->device) == 0 && state->ceiling[i].in == row->problem.types.in &&
            state->ceiling[i].threads == row->threads)
            return state->ceiling[i].gflops;
    return 0;
}

/* Above this share of other work the peak of a CPU is not one, however often it is tried. */
#define QUIET 0.05
/* Yet no other work hides this much: a kernel that returns at once is found on a busy CPU too. */
#define FAR_ABOVE 8.0

/* A peak that was measured while the machine was busy is too low; so it gets the benefit of the doubt first, and on a
 * busy CPU it proves nothing: there the verdict after timing alone shows that the kernel ran. */
void run_check_ceiling(struct run_state *state, struct duel_result *row, struct duel_place *place)
{
    if (!result_timed(row) || !place->backend->peak || !(row->gflops > 0)) /* a peak of arithmetic bounds arithmetic */
        return;
    bool tried = true; /* false: the budget left no time for a second look */
    for (int i = 0; i < TRIES && tried && row->gflops > ABOVE * ceiling_for(state, row); i++)
        tried = measure_ceiling(state, place, row->problem.types.in, row->threads);
    double gflops = row->gflops, ceiling = ceiling_for(state, row);
    bool unsure = !tried || (result_on_cpu(row) && !(row->foreign_cpu_share <= QUIET));
    if (ceiling <= 0 || gflops <= (unsure ? FAR_ABOVE : ABOVE) * ceiling)
        return;
    row->status = ROW_FAILED;
    row->cause = DUEL_EDEVICE;
    snprintf(row->reason, sizeof row->reason,
             "%.4g GFLOP/s are %.2f times the measured peak of %.4g: did the kernel run?", gflops, gflops / ceiling,
             ceiling);
    result_free(row);
    result_summarise(row);
}
