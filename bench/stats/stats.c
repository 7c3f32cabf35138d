/* stats.c: order statistics of small arrays of samples. Everything is computed from a sorted copy. */
#include "bench/stats/stats.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* 95 % leaves this much on either side. */
#define TAIL 0.025

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

/* A sorted copy to be freed by the caller; NULL without samples or without memory. */
static double *sorted_copy(const double *value, size_t count)
{
    double *sorted = count ? malloc(count * sizeof *sorted) : NULL;
    if (sorted) {
        memcpy(sorted, value, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, ascending);
    }
    return sorted;
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
    double *sorted = sorted_copy(value, count);
    double median = sorted ? stats_quantile(sorted, count, 0.5) : NAN;
    free(sorted);
    return median;
}

/* The largest rank r for which [x(r), x(count + 1 - r)] covers the median with at least 95 %; 0 when even [min, max]
 * does not.
 *
 * The number of samples below the median is binomial(count, 1/2), so the interval misses on either side with
 * probability P(X <= r - 1). The sum starts at 2^-count, which no double holds for more than 1074 samples, and is
 * therefore kept as sum * 2^exponent. No normal approximation: the exact sum is cheaper than the sort beside it. */
static size_t median_rank(size_t count)
{
    double term = 1, sum = 0;
    long exponent = -(long)count;
    for (size_t below = 0; below < count; below++) {
        sum += term;
        if (exponent > -1074 && ldexp(sum, (int)exponent) > TAIL)
            return below;
        term *= (double)(count - below) / (double)(below + 1);
        if (term > 0x1p512) {
            term *= 0x1p-512;
            sum *= 0x1p-512;
            exponent += 512;
        }
    }
    return 0;
}

static bool sorted_median_ci(const double *sorted, size_t count, double *lo, double *hi)
{
    size_t rank = sorted ? median_rank(count) : 0;
    *lo = rank ? sorted[rank - 1] : NAN;
    *hi = rank ? sorted[count - rank] : NAN;
    return rank != 0;
}

bool stats_median_ci(const double *value, size_t count, double *lo, double *hi)
{
    double *sorted = sorted_copy(value, count);
    bool known = sorted_median_ci(sorted, count, lo, hi);
    free(sorted);
    return known;
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
    double *sorted = sorted_copy(value, count);
    if (!sorted)
        return s;
    s.median = stats_quantile(sorted, count, 0.5);
    sorted_median_ci(sorted, count, &s.ci_lo, &s.ci_hi);
    s.min = sorted[0];
    s.q1 = stats_quantile(sorted, count, 0.25);
    s.q3 = stats_quantile(sorted, count, 0.75);
    s.max = sorted[count - 1];
    s.mad = deviation(sorted, count, s.median);
    free(sorted);
    return s;
}
