/* bootstrap.c: the bootstrap of a number that is made from medians, such as their ratio.
 *
 * Rounds are drawn again, with replacement, as often as there were rounds; the spread of the number over many such
 * draws is how far chance may have moved it (Efron & Tibshirani 1993). Whole rounds are drawn, so what hit all sides at
 * the same time cancels as it did in reality; and blocks of consecutive rounds, wrapped around the end, so that
 * dependence between neighbours survives (circular block bootstrap, Politis & Romano 1992). The best length of a block
 * grows with the correlation r of neighbours: (3/2 (2 r / (1 - r^2))^2 n)^(1/3) for a first-order autoregression
 * (Politis & White, Econometric Reviews 23, 2004, corrected 2009).
 *
 * Few blocks give too narrow a spread; quantiles further out, by Student's t and sqrt(n / (n - 1)), make up for that
 * (the expanded percentile interval of Hesterberg, The American Statistician 69, 2015). */
#include "bench/stats/bootstrap.h"

#include <math.h>
#include <stdlib.h>

#include "bench/stats/random.h"
#include "bench/stats/stats.h"
#include "bench/stats/student.h"

#define RESAMPLES 999 /* quantiles fall on whole ranks of 1000 */
#define FEW_RESAMPLES 199
#define MOST_DRAWS 4e6 /* rounds drawn in all: beyond it fewer resamples, whose own noise is then small anyway */

/* That length is best for a variance. Blocks too short leave dependence out and cost an interval more of its coverage
 * than blocks too long do. */
#define LONGER 1.5

/* One series: its values in order, where each round stands in it, and how often each was drawn. */
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

static double drawn_number(struct side *side, int sides, size_t rounds, size_t block, bootstrap_number *number,
                           uint64_t *state)
{
    for (size_t drawn = 0; drawn < rounds;) {
        size_t at = random_below(state, rounds);
        for (size_t i = 0; i < block && drawn < rounds; i++, drawn++) {
            for (int s = 0; s < sides; s++)
                side[s].drawn[side[s].rank[at]]++;
            at = at + 1 < rounds ? at + 1 : 0;
        }
    }
    double median[BOOTSTRAP_SIDES];
    for (int s = 0; s < sides; s++)
        median[s] = drawn_median(&side[s], rounds);
    return number(median);
}

static size_t block_length(const double *trend, size_t rounds)
{
    const double n = (double)rounds;
    const double r = fmin(fmax((stats_autocorrelation(trend, rounds) * n + 1) / (n - 4), 0), 0.9);
    const double odds = 2 * r / (1 - r * r), length = LONGER * cbrt(1.5 * odds * odds * n);
    return length < 1 ? 1 : length < n / 4 ? (size_t)(length + 0.5) : rounds / 4;
}

static void set_ends(const double *resample, int count, size_t rounds, size_t block, double value, double *lo,
                     double *hi)
{
    double *sorted = stats_sorted(resample, (size_t)count);
    const double n = (double)rounds, blocks = n / (double)block;
    const double tail = erfc(student_quantile(blocks - 1) * sqrt(n / (n - 1)) * M_SQRT1_2) / 2;
    if (sorted) {
        *lo = fmin(stats_quantile(sorted, (size_t)count, tail), value);
        *hi = fmax(stats_quantile(sorted, (size_t)count, 1 - tail), value);
    }
    free(sorted);
}

bool bootstrap_interval(const double *const *series, int sides, size_t rounds, const double *trend, uint64_t seed,
                        bootstrap_number *number, double *value, double *lo, double *hi)
{
    *value = *lo = *hi = NAN;
    if (rounds < BOOTSTRAP_FEWEST || sides > BOOTSTRAP_SIDES)
        return false;
    const double affordable = MOST_DRAWS / (double)rounds;
    const int count = affordable > RESAMPLES ? RESAMPLES : affordable > FEW_RESAMPLES ? (int)affordable : FEW_RESAMPLES;
    struct side side[BOOTSTRAP_SIDES] = {{NULL, NULL, NULL}};
    double *resample = malloc((size_t)count * sizeof *resample), median[BOOTSTRAP_SIDES];
    bool made = resample != NULL;
    for (int s = 0; made && s < sides; s++) {
        made = side_make(&side[s], series[s], rounds);
        median[s] = stats_median(series[s], rounds);
    }
    if (made) {
        const size_t block = block_length(trend, rounds);
        *value = number(median);
        for (int i = 0; i < count; i++)
            resample[i] = drawn_number(side, sides, rounds, block, number, &seed);
        set_ends(resample, count, rounds, block, *value, lo, hi);
    }
    for (int s = 0; s < sides; s++)
        side_free(&side[s]);
    free(resample);
    return isfinite(*lo) && isfinite(*hi);
}
