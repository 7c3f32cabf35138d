/* diagnose.c: outliers, drift, dependence and two modes. */
#include "bench/stats/diagnose.h"

#include <math.h>
#include <stdlib.h>

#include "bench/stats/stats.h"

enum { FEWEST = 6, FEWEST_FOR_MODES = 30, MOST_BLOCKS = 40 };
#define CHANCE 2.575829303548901 /* two-sided 1 % of the normal distribution */
#define NOTABLE_DRIFT 0.01

/* Tukey, Exploratory Data Analysis, 1977. */
static void count_outliers(struct duel_diagnosis *d, const double *sorted, size_t count)
{
    const double q1 = stats_quantile(sorted, count, 0.25), q3 = stats_quantile(sorted, count, 0.75), range = q3 - q1;
    for (size_t i = 0; i < count && range > 0; i++) {
        const double beyond_low = (q1 - sorted[i]) / range, beyond_high = (sorted[i] - q3) / range;
        d->severe_low += beyond_low > 3;
        d->severe_high += beyond_high > 3;
        d->mild_low += beyond_low > 1.5 && beyond_low <= 3;
        d->mild_high += beyond_high > 1.5 && beyond_high <= 3;
    }
}

/* ---- drift ------------------------------------------------------------------------------------------------ */

/* The run as at most MOST_BLOCKS medians of consecutive samples: all pairs of them are few, however long the run. */
static size_t block_medians(const double *value, size_t count, double *block)
{
    const size_t blocks = count < MOST_BLOCKS ? count : MOST_BLOCKS;
    for (size_t i = 0; i < blocks; i++) {
        const size_t from = i * count / blocks, to = (i + 1) * count / blocks;
        block[i] = stats_median(value + from, to - from);
    }
    return blocks;
}

/* The median of the slopes between all pairs (Theil 1950, Sen 1968): a third of the samples may be anything. `sign`
 * receives Kendall's sum of the signs of all those slopes. */
static double theil_sen(const double *block, size_t blocks, double *sign)
{
    static const double direction[] = {-1, 0, 1};
    double slope[MOST_BLOCKS * (MOST_BLOCKS - 1) / 2];
    size_t pairs = 0;
    *sign = 0;
    for (size_t i = 0; i < blocks; i++)
        for (size_t j = i + 1; j < blocks; j++) {
            slope[pairs++] = (block[j] - block[i]) / (double)(j - i);
            *sign += direction[(block[j] > block[i]) - (block[j] < block[i]) + 1];
        }
    return stats_median(slope, pairs);
}

/* Mann and Kendall's test. What is left when the slope is taken away may depend on its neighbours, which looks like a
 * trend where there is none; the variance grows by (1 + r) / (1 - r) for that (Hamed & Rao, J. Hydrology 204, 1998). */
static bool beyond_chance(double *block, size_t blocks, double slope, double sign)
{
    const double n = (double)blocks;
    for (size_t i = 0; i < blocks; i++)
        block[i] -= slope * (double)i;
    const double r = fmin(fmax((stats_autocorrelation(block, blocks) * n + 1) / (n - 4), 0), 0.9);
    const double variance = n * (n - 1) * (2 * n + 5) / 18 * (1 + r) / (1 - r);
    return (fabs(sign) - 1) / sqrt(variance) > CHANCE;
}

static void find_drift(struct duel_diagnosis *d, const double *value, size_t count, double median)
{
    double block[MOST_BLOCKS], sign;
    const size_t blocks = block_medians(value, count, block);
    const double slope = theil_sen(block, blocks, &sign);
    d->drift = slope * (double)(blocks - 1) / fabs(median);
    d->drifting = fabs(d->drift) > NOTABLE_DRIFT && beyond_chance(block, blocks, slope, sign);
}

/* ---- two modes -------------------------------------------------------------------------------------------- */

/* Where to cut so that the two parts differ most between and least within (Otsu, IEEE Trans. SMC 9, 1979). */
static size_t best_cut(const double *sorted, size_t count)
{
    double total = 0, left = 0, best = -1;
    size_t cut = 0;
    for (size_t i = 0; i < count; i++)
        total += sorted[i];
    for (size_t i = 1; i < count; i++) {
        left += sorted[i - 1];
        const double low = left / (double)i, high = (total - left) / (double)(count - i);
        const double between = (double)i * (double)(count - i) * (high - low) * (high - low);
        if (between > best) {
            best = between;
            cut = i;
        }
    }
    return cut;
}

/* Any cloud can be cut in two; two heaps have almost nothing in the middle third between their medians, where a single
 * one has its peak or its slope. Heaps of less than a tenth are outliers. */
static void find_modes(struct duel_diagnosis *d, const double *sorted, size_t count, double median)
{
    const size_t cut = best_cut(sorted, count), smaller = cut < count - cut ? cut : count - cut;
    const double low = stats_quantile(sorted, cut, 0.5), high = stats_quantile(sorted + cut, count - cut, 0.5);
    const double third = (high - low) / 3;
    const size_t between =
        stats_below(sorted, count, high - third, false) - stats_below(sorted, count, low + third, true);
    if (smaller * 10 < count || between * 33 > count || !(third > 0))
        return;
    d->bimodal = true;
    d->modes_apart = (high - low) / fabs(median);
}

struct duel_diagnosis stats_diagnose(const double *value, size_t count)
{
    struct duel_diagnosis d = {.count = count, .drift = NAN, .autocorrelation = NAN, .modes_apart = NAN};
    d.effective = (double)count;
    double *sorted = count >= FEWEST ? stats_sorted(value, count) : NULL;
    if (!sorted)
        return d;
    const double median = stats_quantile(sorted, count, 0.5);
    count_outliers(&d, sorted, count);
    find_drift(&d, value, count, median);
    d.autocorrelation = stats_autocorrelation(value, count);
    d.effective = (double)count / stats_inflation(value, count);
    if (count >= FEWEST_FOR_MODES)
        find_modes(&d, sorted, count, median);
    free(sorted);
    return d;
}
