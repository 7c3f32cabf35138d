/* paired.c: the bootstrap of a ratio of medians.
 *
 * Pairs are drawn again, with replacement, as often as there were pairs; the spread of the ratio over many such draws
 * is how far chance may have moved it (Efron & Tibshirani 1993). Whole pairs are drawn, so what hit both sides at the
 * same time cancels as it did in reality; and blocks of consecutive pairs, wrapped around the end, so that dependence
 * between neighbours survives (circular block bootstrap, Politis & Romano 1992). The best length of a block grows with
 * the correlation r of neighbours: (3/2 (2 r / (1 - r^2))^2 n)^(1/3) for a first-order autoregression (Politis &
 * White, Econometric Reviews 23, 2004, corrected 2009).
 *
 * Few blocks give too narrow a spread; quantiles further out, by Student's t and sqrt(n / (n - 1)), make up for that
 * (the expanded percentile interval of Hesterberg, The American Statistician 69, 2015). */
#include "bench/stats/paired.h"

#include <math.h>
#include <stdlib.h>

#include "bench/stats/random.h"
#include "bench/stats/stats.h"
#include "bench/stats/student.h"

#define FEWEST_PAIRS 6
#define RESAMPLES 999 /* quantiles fall on whole ranks of 1000 */
#define FEW_RESAMPLES 199
#define MOST_DRAWS 4e6 /* pairs drawn in all: beyond it fewer resamples, whose own noise is then small anyway */

/* That length is best for a variance. Blocks too short leave dependence out and cost an interval more of its coverage
 * than blocks too long do. */
#define LONGER 1.5

/* One side of the pairs: its values in order, where each pair stands in it, and how often each was drawn. */
struct side {
    double *sorted;
    size_t *rank, *drawn;
};

static void side_free(struct side *side)
{
    free(side->sorted);
    free(side->rank);
    free(side->drawn);
}

static bool side_make(struct side *side, const double *value, size_t count)
{
    side->sorted = stats_sorted(value, count);
    side->rank = calloc(count, sizeof *side->rank);
    side->drawn = calloc(count, sizeof *side->drawn);
    if (!side->sorted || !side->rank || !side->drawn)
        return false;
    for (size_t i = 0; i < count; i++)
        side->rank[i] = stats_below(side->sorted, count, value[i], false);
    return true;
}

/* The median of what was drawn, by counting up to the middle; nothing has to be sorted again. Forgets the draws. */
static double drawn_median(struct side *side, size_t count)
{
    const size_t lower = (count - 1) / 2, upper = count / 2; /* the same when count is odd */
    double low = NAN, high = NAN;
    for (size_t i = 0, seen = 0; i < count; i++) {
        const size_t before = seen;
        seen += side->drawn[i];
        side->drawn[i] = 0;
        if (before <= lower && lower < seen)
            low = side->sorted[i];
        if (before <= upper && upper < seen)
            high = side->sorted[i];
    }
    return low + (high - low) / 2;
}

static double drawn_ratio(struct side side[2], size_t pairs, size_t block, uint64_t *state)
{
    for (size_t drawn = 0; drawn < pairs;) {
        size_t at = random_below(state, pairs);
        for (size_t i = 0; i < block && drawn < pairs; i++, drawn++) {
            side[0].drawn[side[0].rank[at]]++;
            side[1].drawn[side[1].rank[at]]++;
            at = at + 1 < pairs ? at + 1 : 0;
        }
    }
    const double of_a = drawn_median(&side[0], pairs);
    return of_a / drawn_median(&side[1], pairs);
}

/* From the logarithms of the single ratios: what both sides had in common does not count. */
static size_t block_length(const double *a, const double *b, size_t pairs)
{
    double *ratio = malloc(pairs * sizeof *ratio), n = (double)pairs;
    if (!ratio)
        return 1;
    for (size_t i = 0; i < pairs; i++)
        ratio[i] = a[i] / b[i];
    const double r = fmin(fmax((stats_autocorrelation(ratio, pairs) * n + 1) / (n - 4), 0), 0.9);
    const double odds = 2 * r / (1 - r * r), length = LONGER * cbrt(1.5 * odds * odds * n);
    free(ratio);
    return length < 1 ? 1 : length < n / 4 ? (size_t)(length + 0.5) : pairs / 4;
}

static bool all_positive(const double *value, size_t count)
{
    size_t i = 0;
    while (i < count && value[i] > 0 && isfinite(value[i]))
        i++;
    return i == count;
}

static void bootstrap(struct side side[2], double *resample, int count, size_t pairs, size_t block, uint64_t seed,
                      double ratio, double *lo, double *hi)
{
    for (int i = 0; i < count; i++)
        resample[i] = drawn_ratio(side, pairs, block, &seed);
    double *sorted = stats_sorted(resample, (size_t)count);
    const double n = (double)pairs, blocks = n / (double)block;
    const double tail = erfc(student_quantile(blocks - 1) * sqrt(n / (n - 1)) * M_SQRT1_2) / 2;
    if (sorted) {
        *lo = fmin(stats_quantile(sorted, (size_t)count, tail), ratio);
        *hi = fmax(stats_quantile(sorted, (size_t)count, 1 - tail), ratio);
    }
    free(sorted);
}

bool stats_ratio(const double *a, const double *b, size_t pairs, uint64_t seed, double *ratio, double *lo, double *hi)
{
    *ratio = *lo = *hi = NAN;
    if (pairs < FEWEST_PAIRS || !all_positive(a, pairs) || !all_positive(b, pairs))
        return false;
    const double affordable = MOST_DRAWS / (double)pairs;
    const int count = affordable > RESAMPLES ? RESAMPLES : affordable > FEW_RESAMPLES ? (int)affordable : FEW_RESAMPLES;
    struct side side[2] = {{NULL, NULL, NULL}, {NULL, NULL, NULL}};
    double *resample = malloc((size_t)count * sizeof *resample);
    if (resample && side_make(&side[0], a, pairs) && side_make(&side[1], b, pairs)) {
        *ratio = stats_median(a, pairs) / stats_median(b, pairs);
        bootstrap(side, resample, count, pairs, block_length(a, b, pairs), seed, *ratio, lo, hi);
    }
    side_free(&side[0]);
    side_free(&side[1]);
    free(resample);
    return isfinite(*lo);
}
