/* speedup.c: every speed-up names its baseline: the row of --base, or the best verified CPU row of the same precision.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness/lane.h"
#include "bench/stats/paired.h"

static bool measured(const struct duel_result *result)
{
    return result->status == ROW_OK && result->kernel.count > 0;
}

static bool better(const struct duel_result *candidate, const struct duel_result *best)
{
    return !best || candidate->kernel.median < best->kernel.median;
}

/* The baseline at one precision: with --base its fastest row, else the fastest CPU row. */
static const struct duel_result *base_at(const struct duel_result *results, int count, const char *base,
                                         enum duel_dtype in)
{
    const struct duel_result *best = NULL;
    for (int i = 0; i < count; i++) {
        const struct duel_result *row = &results[i];
        bool eligible = base ? strcmp(row->implementation, base) == 0 || fnmatch(base, row->implementation, 0) == 0
                             : strcmp(row->device, "cpu") == 0;
        if (eligible && measured(row) && row->problem.types.in == in && better(row, best))
            best = row;
    }
    return best;
}

static const struct duel_result *serial_at(const struct duel_result *results, int count, enum duel_dtype in)
{
    for (int i = 0; i < count; i++) {
        const char *name = strrchr(results[i].implementation, '/');
        if (measured(&results[i]) && strcmp(results[i].device, "cpu") == 0 && results[i].problem.types.in == in &&
            name && strcmp(name, "/serial") == 0)
            return &results[i];
    }
    return NULL;
}

/* What one use costs in block `i`: the kernel alone, everything once, or the copies shared by `reuse` kernels. On the
 * CPU there are no copies, and all three are the kernel. */
enum cost { COST_KERNEL, COST_END_TO_END, COST_AMORTISED };

static double cost_of(const struct duel_result *row, enum cost cost, int64_t reuse, size_t i)
{
    if (cost == COST_KERNEL || row->h2d_s.count == 0)
        return row->kernel_s.value[i];
    if (cost == COST_END_TO_END)
        return row->end_to_end_s.value[i];
    return row->kernel_s.value[i] + (row->h2d_s.value[i] + row->d2h_s.value[i]) / (double)reuse;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ratio->value is the ratio of the medians that the rows show; its interval comes from the pairs, widened where the two
 * disagree, as they can when other work leaves few pairs.
 * The i-th samples of two lanes come from the same round, so they are a pair; a pair with a disturbed half is left out
 * where the medians leave it out as well. */
static void set_ratio(struct duel_ratio *ratio, const struct duel_result *base, const struct duel_result *row,
                      enum cost cost, int64_t reuse, uint64_t seed)
{
    size_t most = smaller(base->kernel_s.count, row->kernel_s.count), pairs = 0;
    double *a = malloc((most + 1) * sizeof *a), *b = malloc((most + 1) * sizeof *b);
    for (size_t i = 0; a && b && i < most; i++) {
        if ((base->clean && result_disturbed(base, i)) || (row->clean && result_disturbed(row, i)))
            continue;
        a[pairs] = cost_of(base, cost, reuse, i);
        b[pairs++] = cost_of(row, cost, reuse, i);
    }
    double paired;
    if (base != row && pairs > 0 && stats_ratio(a, b, pairs, seed, &paired, &ratio->lo, &ratio->hi)) {
        ratio->lo = fmin(ratio->lo, ratio->value);
        ratio->hi = fmax(ratio->hi, ratio->value);
    }
    free(a);
    free(b);
}

static double once(const struct duel_result *row)
{
    double parts[] = {row->open_s, row->allocate_s, row->first_call_s}, sum = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        sum += isnan(parts[i]) ? 0 : parts[i];
    return sum;
}

/* Copies pay off after R uses when R kernels and one round of copies cost less than R runs of the base. */
static void set_break_even(struct duel_ratio *ratio, const struct duel_result *base, const struct duel_result *row)
{
    double copies = row->h2d.median + row->d2h.median;
    double gain = base->kernel.median - row->kernel.median;
    double least = base->kernel.ci_lo - row->kernel.ci_hi, most = base->kernel.ci_hi - row->kernel.ci_lo;
    if (!(copies > 0) || !(gain > 0))
        return;
    ratio->value = ceil(copies / gain);
    ratio->lo = most > 0 ? ceil(copies / most) : NAN;
    ratio->hi = least > 0 ? ceil(copies / least) : NAN; /* unknown: the gain may be none at all */
}

static void set_all(struct duel_result *row, const struct duel_result *base, uint64_t seed)
{
    row->speedup_kernel.value = base->kernel.median / row->kernel.median;
    row->speedup_end_to_end.value = base->end_to_end.median / row->end_to_end.median;
    set_ratio(&row->speedup_kernel, base, row, COST_KERNEL, 1, seed);
    set_ratio(&row->speedup_end_to_end, base, row, COST_END_TO_END, 1, seed);
    if (row->h2d.count > 0 && row->reuse > 0) {
        double copies = (row->h2d.median + row->d2h.median) / (double)row->reuse;
        row->speedup_amortised.value = base->kernel.median / (row->kernel.median + copies);
        set_ratio(&row->speedup_amortised, base, row, COST_AMORTISED, row->reuse, seed);
        set_break_even(&row->break_even_reuse, base, row);
    }
    if (once(row) > 0 && once(base) > 0)
        row->speedup_cold = once(base) / once(row);
    result_label(base, row->base, sizeof row->base);
}

/* The CPU has no FP16 rows, so a narrower type is compared with FP32: another problem, and the label of the baseline
 * says so. */
void speedups_set(struct duel_result *results, int count, const char *base, uint64_t seed)
{
    for (int i = 0; i < count; i++) {
        struct duel_result *row = &results[i];
        if (!measured(row))
            continue;
        const struct duel_result *against = base_at(results, count, base, row->problem.types.in);
        const struct duel_result *serial = serial_at(results, count, row->problem.types.in);
        if (!against && row->problem.types.in != DUEL_FP64)
            against = base_at(results, count, base, DUEL_FP32);
        if (!serial && row->problem.types.in != DUEL_FP64)
            serial = serial_at(results, count, DUEL_FP32);
        if (serial)
            row->speedup_serial = serial->kernel.median / row->kernel.median;
        if (against)
            set_all(row, against, seed);
    }
}
