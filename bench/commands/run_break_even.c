/* run_break_even.c: from which size on does it pay: by the kernel alone, end to end, and with copies shared by several
 * uses? Between the last measured size that is proved not to and the first that is proved to, further sizes are
 * measured until neighbours are within a tenth of each other. A size whose interval holds 1 proves neither. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/run_state.h"
#include "bench/harness/crossing.h"
#include "bench/harness/interrupt.h"
#include "bench/matrix/dtype.h"
#include "bench/record/break_even.h"
#include "bench/report/words.h"
#include "bench/workload/shape.h"

#define TOLERANCE 0.1
#define MOST_SIZES 512

/* End to end comes first and may measure most: the others find its sizes already there. */
static const struct question {
    const char *name, *words;
    size_t ratio; /* of struct duel_result */
    bool copies;  /* asked only of rows that copy */
    int most;     /* further sizes to measure */
} questions[] = {
    {"end_to_end", WORDS_BREAK_EVEN_WHOLE, offsetof(struct duel_result, speedup_end_to_end), true, 6},
    {"amortised", WORDS_BREAK_EVEN_AMORTISED, offsetof(struct duel_result, speedup_amortised), true, 3},
    {"kernel", WORDS_BREAK_EVEN_KERNEL, offsetof(struct duel_result, speedup_kernel), false, 3},
};

/* One implementation over all square sizes. */
struct series {
    char workload[32], implementation[96], device[32], base[96];
    enum duel_dtype in;
    int threads;
    int64_t reuse;
    int64_t n[MOST_SIZES];
    enum duel_side side[MOST_SIZES];
    size_t count;
};

static bool same(const struct series *series, const struct duel_result *row)
{
    return strcmp(series->implementation, row->implementation) == 0 && strcmp(series->device, row->device) == 0 &&
           series->in == row->problem.types.in && series->threads == row->threads;
}

static const struct duel_ratio *ratio_at(const struct question *question, const struct duel_result *row)
{
    return (const struct duel_ratio *)((const char *)row + question->ratio);
}

static bool usable(const struct question *question, const struct duel_result *row)
{
    return result_timed(row) && shape_by_n(row->workload, &row->problem) && ratio_at(question, row)->value > 0 &&
           (!question->copies || row->h2d.count > 0);
}

/* A GPU is asked whether it pays; a CPU row only when the user has named what it is compared with. */
static bool interesting(const struct run_state *state, const struct question *question, const struct duel_result *row)
{
    char label[160];
    return usable(question, row) && (!result_on_cpu(row) || state->options.base) &&
           strcmp(row->base, result_label(row, label, sizeof label)) != 0;
}

static void add_point(struct series *series, int64_t n, enum duel_side side)
{
    size_t at = series->count;
    while (at > 0 && series->n[at - 1] > n)
        at--;
    if (series->count == MOST_SIZES || (at > 0 && series->n[at - 1] == n))
        return;
    memmove(series->n + at + 1, series->n + at, (series->count - at) * sizeof *series->n);
    memmove(series->side + at + 1, series->side + at, (series->count - at) * sizeof *series->side);
    series->n[at] = n;
    series->side[at] = side;
    series->count++;
}

static void identify(struct series *series, const struct duel_result *like)
{
    memset(series, 0, sizeof *series);
    snprintf(series->workload, sizeof series->workload, "%s", like->workload);
    snprintf(series->implementation, sizeof series->implementation, "%s", like->implementation);
    snprintf(series->device, sizeof series->device, "%s", like->device);
    snprintf(series->base, sizeof series->base, "%s", like->base);
    series->in = like->problem.types.in;
    series->threads = like->threads;
    series->reuse = like->reuse;
}

static void collect(const struct run_state *state, const struct question *question, const struct duel_result *like,
                    struct series *series)
{
    identify(series, like);
    for (size_t i = 0; i < state->count; i++)
        if (same(series, &state->results[i]) && usable(question, &state->results[i]))
            add_point(series, (int64_t)shape_size(series->workload, &state->results[i].problem),
                      ratio_side(ratio_at(question, &state->results[i])));
}

struct search {
    struct run_state *state;
    const struct question *question;
    const struct series *series;
};

/* Measures one more size with the same options: the whole group, so that the baseline is again the best of all. */
static bool measure(void *context, int64_t n, enum duel_side *side)
{
    struct search *search = context;
    struct run_state *state = search->state;
    const struct duel_workload *workload = workload_of(search->series->implementation);
    struct duel_plan plan = {0};
    struct duel_why why;
    bool found = false;
    if (!workload || interrupt_pending() || run_now(state) >= state->runner.options.deadline)
        return false;
    const size_t before = state->count;
    const bool quiet = state->options.quiet;
    state->options.quiet = true; /* these sizes are steps on the way; they are recorded and plotted, not printed */
    if (plan_size(&plan, &state->registry, &state->options, workload, n, &why) == DUEL_OK)
        for (int i = 0; i < plan.count; i++)
            run_group(state, &plan.groups[i]);
    state->options.quiet = quiet;
    for (size_t i = before; i < state->count && !found; i++)
        if (same(search->series, &state->results[i]) && usable(search->question, &state->results[i])) {
            *side = ratio_side(ratio_at(search->question, &state->results[i]));
            found = true;
        }
    plan_free(&plan);
    return found;
}

static void keep(struct run_state *state, const struct question *question, const struct series *series,
                 const struct duel_crossing *crossing)
{
    const bool found = crossing->found, several = crossing->crossings > 1;
    struct duel_why why;
    struct duel_break_even row = {.precision = series->in,
                                  .threads = series->threads,
                                  .n_below = found ? crossing->below : -1,
                                  .n_above = found ? crossing->above : -1,
                                  .n_undecided = found ? crossing->undecided : -1,
                                  .crossings = crossing->crossings,
                                  .first_n_below = several ? crossing->first_below : -1,
                                  .first_n_above = several ? crossing->first_above : -1,
                                  .measured = crossing->measured};
    if (question->ratio == offsetof(struct duel_result, speedup_amortised))
        row.reuse = series->reuse;
    snprintf(row.implementation, sizeof row.implementation, "%s", series->implementation);
    snprintf(row.device, sizeof row.device, "%s", series->device);
    snprintf(row.base, sizeof row.base, "%s", series->base);
    snprintf(row.speedup, sizeof row.speedup, "%s", question->name);
    snprintf(row.words, sizeof row.words, "%s", crossing->words);
    run_note_trouble(state, runfile_row(state->file, &break_even_sheet, &row, &why), &why);
}

static void tell(const struct run_state *state, const struct question *question, const struct series *series,
                 const struct duel_crossing *crossing, bool heading)
{
    char uses[48] = "";
    if (state->options.quiet)
        return;
    if (heading)
        fprintf(state->talk, "\n" WORDS_BREAK_EVEN_SIZE "\n", series->implementation, dtype_name(series->in),
                series->base);
    if (question->ratio == offsetof(struct duel_result, speedup_amortised))
        snprintf(uses, sizeof uses, WORDS_BREAK_EVEN_USES, (long long)series->reuse);
    fprintf(state->talk, "  %s%s: %s.\n", question->words, uses, crossing->words);
}

/* All questions about the implementation of row `at`; rows move while further sizes are measured. */
static void ask(struct run_state *state, size_t at, struct series *series)
{
    bool told = false;
    for (size_t q = 0; q < sizeof questions / sizeof *questions && !interrupt_pending(); q++) {
        const struct question *question = &questions[q];
        if (!interesting(state, question, &state->results[at]))
            continue;
        collect(state, question, &state->results[at], series);
        if (series->count < 2)
            continue;
        struct search search = {state, question, series};
        const struct duel_crossing crossing =
            crossing_find(shape_letter(series->workload), series->n, series->side, series->count, TOLERANCE,
                          state->options.quick ? 0 : question->most, measure, &search);
        keep(state, question, series, &crossing);
        tell(state, question, series, &crossing, !told);
        told = true;
    }
}

/* Has an earlier row of the same implementation been asked already? */
static bool asked(const struct run_state *state, size_t at, struct series *series)
{
    identify(series, &state->results[at]);
    for (size_t i = 0; i < at; i++)
        for (size_t q = 0; q < sizeof questions / sizeof *questions; q++)
            if (same(series, &state->results[i]) && interesting(state, &questions[q], &state->results[i]))
                return true;
    return false;
}

void run_break_even(struct run_state *state)
{
    const size_t rows = state->count; /* the sizes measured here add further ones */
    struct series *series = malloc(sizeof *series);
    for (size_t i = 0; series && i < rows && !interrupt_pending(); i++)
        if (!asked(state, i, series))
            ask(state, i, series);
    free(series);
}
