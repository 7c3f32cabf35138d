/* stats.c: order statistics of small arrays of samples. Everything is computed from a sorted copy. */
#include "bench/stats/stats.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool samples_add(struct duel_samples *samples, double value)
{
    if (samples->count == samples->capacity) {
        size_t capacity = samples->capacity ? samples->capacity * 2 : 16;
        if (capacity > SIZE_MAX / sizeof *samples->value)
            return false;
        double *grown = realloc(samples->value, capacity * sizeof *grown);
        if (!grown)
            return false;
        samples->value = grown;
        samples->capacity = capacity;
    }
    samples->value[samples->count++] = value;
    return true;
}

void samples_free(struct duel_samples *samples)
{
    free(samples->value);
    *samples = (struct duel_samples){0};
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double *stats_sorted(const double *value, size_t count)
{
    double *sorted = count ? malloc(count * sizeof *sorted) : NULL;
    if (sorted) {
        memcpy(sorted, value, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, ascending);
    }
    return sorted;
}

size_t stats_below(const double *sorted, size_t count, double value, bool or_equal)
{
    size_t from = 0, to = count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (sorted[middle] < value || (or_equal && sorted[middle] == value))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

double stats_quantile(const double *sorted, size_t count, double q)
{
    if (count == 0)
        return NAN;
    double place = (double)(count - 1) * q;
    size_t below = (size_t)place;
    double fraction = place - (double)below;
    if (below + 1 >= count || fraction <= 0)
        return sorted[below < count ? below : count - 1];
    return sorted[below] + fraction * (sorted[below + 1] - sorted[below]);
}

double stats_median(const double *value, size_t count)
{
    double *sorted = stats_sorted(value, count);
    double median = sorted ? stats_quantile(sorted, count, 0.5) : NAN;
    free(sorted);
    return median;
}

/* Median absolute deviation from the median, unscaled. Overwrites `sorted`. */
static double deviation(double *sorted, size_t count, double median)
{
    for (size_t i = 0; i < count; i++)
        sorted[i] = fabs(sorted[i] - median);
    qsort(sorted, count, sizeof *sorted, ascending);
    return stats_quantile(sorted, count, 0.5);
}

struct duel_summary stats_summary(const double *value, size_t count)
{
    struct duel_summary s = {.count = count,
                             .median = NAN,
                             .ci_lo = NAN,
                             .ci_hi = NAN,
                             .min = NAN,
                             .q1 = NAN,
                             .q3 = NAN,
                             .max = NAN,
                             .mad = NAN};
    double *sorted = stats_sorted(value, count);
    if (!sorted)
        return s;
    s.median = stats_quantile(sorted, count, 0.5);
    stats_median_ci(value, count, &s.ci_lo, &s.ci_hi);
    s.min = sorted[0];
    s.q1 = stats_quantile(sorted, count, 0.25);
    s.q3 = stats_quantile(sorted, count, 0.75);
    s.max = sorted[count - 1];
    s.mad = deviation(sorted, count, s.median);
    free(sorted);
    return s;
}
