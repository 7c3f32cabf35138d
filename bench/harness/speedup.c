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
    return result_timed(result) && result->kernel.count > 0 && result->kernel.median > 0 &&
           isfinite(result->kernel.median);
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

/* The samples of base and row that were taken next to each other. The i-th samples of two lanes come from the same
 * round, so they are a pair; a pair with a disturbed half is left out where the medians leave it out as well. */
struct pairs {
    double *base, *row, *copies;
    size_t count;
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void pairs_free(struct pairs *pairs)
{
    free(pairs->base);
    free(pairs->row);
    free(pairs->copies);
}

static bool pairs_take(struct pairs *pairs, const struct duel_result *base, const struct duel_result *row,
                       enum cost cost, int64_t reuse)
{
    size_t most = smaller(base->kernel_s.count, row->kernel_s.count);
    *pairs = (struct pairs){.base = malloc((most + 1) * sizeof(double)),
                            .row = malloc((most + 1) * sizeof(double)),
                            .copies = calloc(most + 1, sizeof(double))};
    if (!pairs->base || !pairs->row || !pairs->copies)
        return false;
    for (size_t i = 0; i < most; i++) {
        if ((base->clean && result_disturbed(base, i)) || (row->clean && result_disturbed(row, i)))
            continue;
        pairs->base[pairs->count] = cost_of(base, cost, reuse, i);
        pairs->row[pairs->count] = cost_of(row, cost, reuse, i);
        if (i < row->h2d_s.count && i < row->d2h_s.count)
            pairs->copies[pairs->count] = row->h2d_s.value[i] + row->d2h_s.value[i];
        pairs->count++;
    }
    return true;
}

static void widen(double *lo, double *hi, double value)
{
    *lo = fmin(*lo, value);
    *hi = fmax(*hi, value);
}

/* ratio->value is the ratio of the medians that the rows show; its interval comes from the pairs, widened where the two
 * disagree, as they can when other work leaves few pairs. */
static void set_ratio(struct duel_ratio *ratio, const struct duel_result *base, const struct duel_result *row,
                      enum cost cost, int64_t reuse, uint64_t seed)
{
    struct pairs pairs;
    double paired;
    if (pairs_take(&pairs, base, row, cost, reuse) && base != row &&
        stats_ratio(pairs.base, pairs.row, pairs.count, seed, &paired, &ratio->lo, &ratio->hi))
        widen(&ratio->lo, &ratio->hi, ratio->value);
    pairs_free(&pairs);
}

/* The first whole number of uses that earns back the copies; a share that is a whole fraction must not be rounded up by
 * the last bit of a division. NaN: none does, or more than anybody asks for. */
static double uses_for(double share)
{
    const double uses = share > 0 ? fmax(ceil(1 / share * (1 - 1e-12)), 1) : NAN;
    return uses <= RESULT_MOST_REUSE ? uses : NAN;
}

/* Copies pay off after R uses when R kernels and one round of copies cost no more than R runs of the base. Each use
 * earns back a share of the copies: that share has an interval, also where it is none at all, and so has R. */
static void set_break_even(struct duel_ratio *uses, const struct duel_result *base, const struct duel_result *row,
                           uint64_t seed)
{
    const double copies = row->h2d.median + row->d2h.median;
    const double share = (base->kernel.median - row->kernel.median) / copies;
    struct pairs pairs;
    double paired, lo, hi;
    if (base == row || base->h2d.count > 0 || !(copies > 0))
        return;
    uses->value = uses_for(share);
    if (pairs_take(&pairs, base, row, COST_KERNEL, 1) &&
        stats_share(pairs.base, pairs.row, pairs.copies, pairs.count, seed, &paired, &lo, &hi)) {
        widen(&lo, &hi, share);
        uses->lo = uses_for(hi);
        uses->hi = uses_for(lo);
    }
    pairs_free(&pairs);
}

/* NaN unless both are times. */
static double quotient(double base_s, double row_s)
{
    return base_s > 0 && row_s > 0 && isfinite(base_s) && isfinite(row_s) ? base_s / row_s : NAN;
}

static void set_all(struct duel_result *row, const struct duel_result *base, uint64_t seed)
{
    row->speedup_kernel.value = quotient(base->kernel.median, row->kernel.median);
    row->speedup_end_to_end.value = quotient(base->end_to_end.median, row->end_to_end.median);
    set_ratio(&row->speedup_kernel, base, row, COST_KERNEL, 1, seed);
    set_ratio(&row->speedup_end_to_end, base, row, COST_END_TO_END, 1, seed);
    if (row->h2d.count > 0 && row->reuse > 0) {
        double copies = (row->h2d.median + row->d2h.median) / (double)row->reuse;
        row->speedup_amortised.value = quotient(base->kernel.median, row->kernel.median + copies);
        set_ratio(&row->speedup_amortised, base, row, COST_AMORTISED, row->reuse, seed);
        set_break_even(&row->break_even_reuse, base, row, seed);
    }
    row->speedup_cold.value = quotient(base->cold_s, row->cold_s); /* one process, one observation: no interval */
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
            row->speedup_serial = quotient(serial->kernel.median, row->kernel.median);
        if (against)
            set_all(row, against, seed);
    }
}
