/* run_break_even.c: from which size on does it pay, copies counted? Between the last measured size that does not and
 * the first that does, further sizes are measured until the two are within a tenth of each other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/run_state.h"
#include "bench/harness/crossing.h"
#include "bench/harness/interrupt.h"
#include "bench/matrix/dtype.h"
#include "bench/record/record.h"

#define TOLERANCE 0.1
#define MOST_MEASURED 6
#define MOST_SIZES 256

/* One implementation over all square sizes. */
struct series {
    char implementation[96], device[32];
    enum duel_dtype in;
    int threads;
    int64_t n[MOST_SIZES];
    double speedup[MOST_SIZES];
    size_t count;
};

static bool same(const struct series *series, const struct duel_result *row)
{
    return strcmp(series->implementation, row->implementation) == 0 && strcmp(series->device, row->device) == 0 &&
           series->in == row->problem.types.in && series->threads == row->threads;
}

static bool usable(const struct duel_result *row)
{
    const struct duel_problem *p = &row->problem;
    return result_timed(row) && p->m == p->n && p->n == p->k && row->speedup_end_to_end.value > 0;
}

/* A GPU is asked whether it pays; a CPU row only when the user has named what it is compared with. */
static bool interesting(const struct run_state *state, const struct duel_result *row)
{
    char label[160];
    return usable(row) && (!result_on_cpu(row) || state->options.base) &&
           strcmp(row->base, result_label(row, label, sizeof label)) != 0;
}

static void add_point(struct series *series, int64_t n, double speedup)
{
    size_t at = series->count;
    if (at == MOST_SIZES)
        return;
    for (; at > 0 && series->n[at - 1] > n; at--) {
        series->n[at] = series->n[at - 1];
        series->speedup[at] = series->speedup[at - 1];
    }
    series->n[at] = n;
    series->speedup[at] = speedup;
    series->count++;
}

static void collect(const struct run_state *state, const struct duel_result *like, struct series *series)
{
    memset(series, 0, sizeof *series);
    snprintf(series->implementation, sizeof series->implementation, "%s", like->implementation);
    snprintf(series->device, sizeof series->device, "%s", like->device);
    series->in = like->problem.types.in;
    series->threads = like->threads;
    for (size_t i = 0; i < state->count; i++)
        if (same(series, &state->results[i]) && usable(&state->results[i]))
            add_point(series, state->results[i].problem.n, state->results[i].speedup_end_to_end.value);
}

struct search {
    struct run_state *state;
    const struct series *series;
};

/* Measures one more size with the same options: the whole group, so that the baseline is again the best of all. */
static bool measure(void *context, int64_t n, double *speedup)
{
    struct search *search = context;
    struct run_state *state = search->state;
    struct duel_options *options = malloc(sizeof *options);
    struct duel_plan plan = {0};
    struct duel_why why;
    bool found = false;
    if (!options || interrupt_pending() || run_now(state) >= state->runner.options.deadline) {
        free(options);
        return false;
    }
    *options = state->options;
    options->shape[0] = (struct duel_shape){n, n, n};
    options->shape_count = 1;
    size_t before = state->count;
    const bool quiet = state->options.quiet;
    state->options.quiet = true; /* these sizes are steps on the way; they are recorded and plotted, not printed */
    if (plan_make(&plan, &state->registry, options, &why) == DUEL_OK)
        for (int i = 0; i < plan.count; i++)
            run_group(state, &plan.groups[i]);
    state->options.quiet = quiet;
    for (size_t i = before; i < state->count && !found; i++)
        if (same(search->series, &state->results[i]) && usable(&state->results[i])) {
            *speedup = state->results[i].speedup_end_to_end.value;
            found = true;
        }
    plan_free(&plan);
    free(options);
    return found;
}

static void record_crossing(struct run_state *state, const struct series *series, const struct duel_crossing *crossing,
                            const char *base)
{
    struct duel_record record;
    struct duel_why why;
    record_init(&record, "break_even");
    record_text(&record, "implementation", series->implementation, NULL);
    record_text(&record, "device", series->device, NULL);
    record_text(&record, "precision", dtype_name(series->in), NULL);
    record_count(&record, "threads", series->threads > 0 ? series->threads : -1, NULL);
    record_text(&record, "base", base, NULL);
    record_count(&record, "n_below", crossing->found ? crossing->below : -1, crossing->why);
    record_count(&record, "n_above", crossing->found ? crossing->above : -1, crossing->why);
    run_note_trouble(state, runfile_put(state->file, &record, &why), &why);
    if (state->options.quiet)
        return;
    fprintf(state->talk, "\nBreak-even of %s %s, end to end, against %s: ", series->implementation,
            dtype_name(series->in), base);
    if (crossing->found)
        fprintf(state->talk, "between n = %lld and n = %lld.\n", (long long)crossing->below,
                (long long)crossing->above);
    else
        fprintf(state->talk, "%s.\n", crossing->why);
}

void run_break_even(struct run_state *state)
{
    const size_t rows = state->count; /* the sizes measured here add further ones */
    struct series *series = malloc(sizeof *series);
    for (size_t i = 0; series && i < rows && !interrupt_pending(); i++) {
        char base[96];
        bool seen = false;
        if (!interesting(state, &state->results[i]))
            continue;
        collect(state, &state->results[i], series);
        for (size_t j = 0; j < i; j++)
            seen = seen || (same(series, &state->results[j]) && interesting(state, &state->results[j]));
        if (seen || series->count < 2)
            continue;
        snprintf(base, sizeof base, "%s", state->results[i].base);
        struct search search = {state, series};
        struct duel_crossing crossing =
            crossing_find(series->n, series->speedup, series->count, TOLERANCE, MOST_MEASURED, measure, &search);
        record_crossing(state, series, &crossing, base);
    }
    free(series);
}
