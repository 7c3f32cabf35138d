/* comparison.c: pairs the cases of two sides and judges all of them together. */
#include "bench/judge/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/judge/numeric.h"
#include "bench/workload/shape.h"

#define CLOCKS_DIFFER 0.01 /* relative: less is the meter's own unrest */
#define STANDS_APART 6     /* times the spread of all other sessions, */
#define APART_LEAST 0.05   /* and relative */

const char *comparison_case(const struct judge_case *item, enum judge_metric metric, char *text, size_t size)
{
    char label[160], shape[120];
    snprintf(text, size, "%s, %s%s%s", result_label(&item->key, label, sizeof label),
             shape_words(item->key.workload, &item->key.problem, shape, sizeof shape),
             metric == JUDGE_KERNEL ? "" : ", ", metric == JUDGE_KERNEL ? "" : side_metric_name(metric));
    return text;
}

/* Times and clocks of one side. */
struct series {
    double *times, *clocks, *cycles;
    size_t count;
    bool clocked;
};

/* ---- one session that stands apart ------------------------------------------------------------------------------ */

/* How many times as long as the others, when it is far beyond all they do; else 1. */
static double apart(const double *times, size_t count, size_t one)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < count; i++) {
        least = i == one ? least : fmin(least, times[i]);
        most = i == one ? most : fmax(most, times[i]);
    }
    const double spread = log(most / least), beyond = fmax(log(times[one] / most), log(least / times[one]));
    return beyond > STANDS_APART * spread && beyond > log1p(APART_LEAST) ? times[one] / sqrt(least * most) : 1;
}

static double most_apart(const double *times, size_t count)
{
    double most = 1;
    for (size_t i = 0; count >= 4 && i < count; i++) {
        const double ratio = apart(times, count, i);
        most = fabs(log(ratio)) > fabs(log(most)) ? ratio : most;
    }
    return most;
}

static void note_apart(struct judge_cell *cell, const struct series *a, const struct series *b)
{
    const double of_a = most_apart(a->times, a->count), of_b = most_apart(b->times, b->count);
    const bool in_b = fabs(log(of_b)) > fabs(log(of_a));
    if (of_a != 1 || of_b != 1)
        snprintf(cell->note, sizeof cell->note,
                 "one session of %s stands apart: it took %.3g times as long as the other %zu", in_b ? "B" : "A",
                 in_b ? of_b : of_a, (in_b ? b : a)->count - 1);
}

/* ---- one cell --------------------------------------------------------------------------------------------------- */

static bool series_take(struct series *series, const struct judge_case *item, enum judge_metric metric)
{
    *series = (struct series){.times = calloc(3 * item->rows + 1, sizeof(double))};
    if (!series->times)
        return false;
    series->clocks = series->times + item->rows;
    series->cycles = series->clocks + item->rows;
    series->count = side_times(item, metric, series->times, series->clocks, &series->clocked);
    for (size_t i = 0; i < series->count; i++)
        series->cycles[i] = series->times[i] * series->clocks[i] * 1e6;
    return true;
}

static double typical(const double *value, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += log(value[i]);
    return exp(sum / (double)count);
}

/* A floor in seconds says nothing about cycles: there the threshold alone holds. */
static void judge_cycles(struct judge_cell *cell, const struct series *a, const struct series *b,
                         const struct judge_limits *limits)
{
    const struct judge_limits own = {limits->threshold, 0, limits->alpha};
    cell->cycles = (struct judge_finding){.verdict = JUDGE_INCOMPARABLE, .ratio = NAN, .lo = NAN, .hi = NAN};
    if (cell->metric != JUDGE_KERNEL || !a->clocked || !b->clocked || a->count == 0 || b->count == 0)
        return;
    cell->clock_ratio = typical(b->clocks, b->count) / typical(a->clocks, a->count);
    if (fabs(log(cell->clock_ratio)) > CLOCKS_DIFFER)
        judge_case(a->cycles, a->count, b->cycles, b->count, &own, &cell->cycles);
}

static bool judge_cell(struct judge_cell *cell, const struct judge_limits *limits)
{
    struct series a = {NULL, NULL, NULL, 0, false}, b = a;
    const bool done = series_take(&a, cell->a, cell->metric) && series_take(&b, cell->b, cell->metric);
    if (done) {
        judge_case(a.times, a.count, b.times, b.count, limits, &cell->finding);
        judge_cycles(cell, &a, &b, limits);
        note_apart(cell, &a, &b);
    }
    free(a.times);
    free(b.times);
    return done;
}

static bool timed(const struct judge_case *item, enum judge_metric metric)
{
    size_t i = 0;
    while (i < item->rows && isnan(item->row[i].time_s[metric]))
        i++;
    return i < item->rows;
}

static const struct judge_row *failure(const struct judge_case *item)
{
    for (size_t i = 0; i < item->rows; i++)
        if (item->row[i].status == ROW_FAILED)
            return &item->row[i];
    return NULL;
}

/* What was measured in other ways is another case. */
static const char *other_way(const struct duel_result *a, const struct duel_result *b)
{
    if (strcmp(a->cache, b->cache) != 0)
        return "caches";
    if (strcmp(a->data, b->data) != 0)
        return "data";
    return strcmp(a->host_memory, b->host_memory) != 0 ? "host memory" : NULL;
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

static struct judge_cell *append(struct judge_comparison *comparison, const struct judge_case *a,
                                 const struct judge_case *b, enum judge_metric metric)
{
    struct judge_cell *cell = &comparison->cell[comparison->count++];
    const double none[1] = {0};
    *cell = (struct judge_cell){.a = a, .b = b, .metric = metric, .clock_ratio = NAN};
    judge_case(none, 0, none, 0, &comparison->limits, &cell->finding);
    cell->cycles = cell->finding;
    return cell;
}

/* Cases that cannot be compared have one cell, which says why. */
static bool add_pair(struct judge_comparison *comparison, const struct judge_case *a, const struct judge_case *b)
{
    const struct judge_row *failed = failure(b);
    const char *way = other_way(&a->key, &b->key);
    bool done = true;
    comparison->wrong += failed && failed->cause == DUEL_EVERIFY;
    comparison->broken += failed && failed->cause != DUEL_EVERIFY;
    if (!timed(a, JUDGE_KERNEL) && !failed)
        return true;
    if (failed || !timed(b, JUDGE_KERNEL)) {
        struct judge_cell *cell = append(comparison, a, b, JUDGE_KERNEL);
        snprintf(cell->note, sizeof cell->note, "B: %.230s", b->reason[0] ? b->reason : "no time");
        comparison->lost += !failed;
        return true;
    }
    if (way) {
        struct judge_cell *cell = append(comparison, a, b, JUDGE_KERNEL);
        snprintf(cell->note, sizeof cell->note, "measured with other %s than in A", way);
        comparison->lost++;
        return true;
    }
    for (int metric = 0; metric < JUDGE_METRICS; metric++)
        if (timed(a, (enum judge_metric)metric) && timed(b, (enum judge_metric)metric))
            done = judge_cell(append(comparison, a, b, (enum judge_metric)metric), &comparison->limits) && done;
    return done;
}

/* Is the other card there instead of A's own, and not beside it? */
static bool is_replaced(const struct judge_comparison *comparison, const struct judge_case *elsewhere)
{
    const struct judge_case *unused;
    size_t hint = 0;
    return elsewhere && !side_find(&comparison->a, elsewhere, &hint, &unused);
}

static bool pair_cases(struct judge_comparison *comparison)
{
    size_t hint = 0, paired = 0;
    bool done = true;
    for (size_t i = 0; i < comparison->a.count && done; i++) {
        const struct judge_case *a = &comparison->a.item[i], *elsewhere;
        const struct judge_case *b = side_find(&comparison->b, a, &hint, &elsewhere);
        paired += b != NULL;
        if (b) {
            done = add_pair(comparison, a, b);
        } else if (timed(a, JUDGE_KERNEL) && is_replaced(comparison, elsewhere)) {
            struct judge_cell *cell = append(comparison, a, elsewhere, JUDGE_KERNEL);
            snprintf(cell->note, sizeof cell->note, "A: %.100s; B: %.100s", a->device, elsewhere->device);
            comparison->lost++;
            paired++;
        } else if (timed(a, JUDGE_KERNEL)) {
            snprintf(append(comparison, a, NULL, JUDGE_KERNEL)->note, sizeof comparison->cell->note, "only in A");
            comparison->only_a++;
        }
    }
    comparison->only_b = comparison->b.count > paired ? comparison->b.count - paired : 0;
    return done;
}

/* All cells with a probability are corrected together; cycles explain and are no findings of their own. */
static bool correct(struct judge_comparison *comparison)
{
    struct judge_finding **finding = malloc((comparison->count + 1) * sizeof *finding);
    size_t judged = 0;
    for (size_t i = 0; finding && i < comparison->count; i++)
        if (comparison->cell[i].finding.verdict != JUDGE_INCOMPARABLE)
            finding[judged++] = &comparison->cell[i].finding;
    const bool done = finding && judge_together(finding, judged, &comparison->limits);
    free(finding);
    return done;
}

static unsigned reach_of(const struct judge_cell *cell)
{
    return cell->metric != JUDGE_KERNEL ? REACHES_COPIES : result_on_cpu(&cell->a->key) ? REACHES_CPU : REACHES_GPU;
}

void comparison_count(struct judge_comparison *comparison)
{
    memset(comparison->tally, 0, sizeof comparison->tally);
    comparison->changed = comparison->numerics > 0 || comparison->wrong > 0 ? REACHES_NUMBERS : 0;
    for (size_t i = 0; i < comparison->count; i++) {
        struct judge_cell *cell = &comparison->cell[i];
        const enum judge_verdict verdict = cell->finding.verdict;
        const bool changed = verdict == JUDGE_SLOWER || verdict == JUDGE_FASTER;
        cell->by_clocks = changed && cell->cycles.verdict == JUDGE_SAME;
        comparison->tally[verdict]++;
        comparison->changed |= changed ? reach_of(cell) : 0;
    }
}

bool comparison_make(struct judge_comparison *comparison)
{
    comparison->cell = malloc((JUDGE_METRICS * comparison->a.count + 1) * sizeof *comparison->cell);
    comparison->numeric = malloc((comparison->a.count + 1) * sizeof *comparison->numeric);
    if (!comparison->cell || !comparison->numeric || !pair_cases(comparison) || !correct(comparison))
        return false;
    numeric_list(comparison);
    comparison->differences = difference_list(&comparison->a, &comparison->b, comparison->difference, MOST_DIFFERENCES);
    comparison_count(comparison);
    return true;
}

void comparison_free(struct judge_comparison *comparison)
{
    free(comparison->cell);
    free(comparison->numeric);
    side_free(&comparison->a);
    side_free(&comparison->b);
    comparison->cell = NULL;
    comparison->numeric = NULL;
    comparison->count = comparison->numerics = 0;
}
