/* interval.c: between which two samples the median lies, with 95 %.
 *
 * The number of independent samples below the median is binomial(count, 1/2), so the samples of rank r and
 * count + 1 - r hold it between them with 1 - 2 P(X <= r - 1), whatever the distribution (David & Nagaraja, Order
 * Statistics, 3rd ed., section 7.1). Two neighbouring ranks stand on either side of 95 %; between them it is
 * interpolated (Hettmansperger & Sheather, Statistics & Probability Letters 4, 1986).
 *
 * Samples of a machine depend on each other: clock, heat and other programs change more slowly than samples are taken.
 * That makes the count below the median vary more than binomially, by the factor that stats_inflation estimates, so the
 * ranks move away from the middle by its root. The estimate itself is uncertain, and the fewer the samples are worth
 * the more, as Student's t is wider than the normal distribution; CAUTION allows for that and was chosen by simulation.
 * Few samples that depend on each other may all lie on one side of the median. Then the wanted rank lies beyond the
 * smallest and the largest sample, and the interval goes on beyond them as steeply as it came from the median, but at
 * most as far again. */
#include <math.h>
#include <stdlib.h>

#include "bench/stats/stats.h"

#define TAIL 0.025 /* 95 % leaves this much on either side */
#define CAUTION 8.0

/* The rank of the lower end, between 1 and count / 2; 0 when even [min, max] does not cover 95 %.
 *
 * The sum starts at 2^-count, which no double holds for more than 1074 samples, and is therefore kept as
 * sum * 2^exponent. No normal approximation: the exact sum is cheaper than the sort beside it. */
static double median_rank(size_t count)
{
    double term = 1, sum = 0, n = (double)count;
    long exponent = -(long)count;
    for (size_t below = 0; below < count; below++) {
        const double before = exponent > -1074 ? ldexp(sum, (int)exponent) : 0;
        sum += term;
        const double after = exponent > -1074 ? ldexp(sum, (int)exponent) : 0;
        if (after > TAIL) {
            const double rank = (double)below, share = (TAIL - before) / (after - before);
            return below ? rank + (n - rank) * share / (rank + (n - 2 * rank) * share) : 0;
        }
        term *= (double)(count - below) / (double)(below + 1);
        if (term > 0x1p512) {
            term *= 0x1p-512;
            sum *= 0x1p-512;
            exponent += 512;
        }
    }
    return 0;
}

/* The value at a rank that need not be whole, nor between 1 and count. */
static double at_rank(const double *sorted, size_t count, double rank)
{
    const double last = (double)(count - 1), median = stats_quantile(sorted, count, 0.5);
    /* In distances from the median to the end; at most one more of them. */
    const double beyond = fmin(fmax(1 - rank, rank - 1 - last) / (last / 2), 1);
    const double end = stats_quantile(sorted, count, fmin(fmax((rank - 1) / last, 0), 1));
    const double value = beyond > 0 ? end + beyond * (end - median) : end;
    return sorted[0] >= 0 ? fmax(value, 0) : value; /* no time is negative */
}

bool stats_median_ci(const double *value, size_t count, double *lo, double *hi)
{
    const double independent = median_rank(count), n = (double)count, middle = (n + 1) / 2;
    double *sorted = independent > 0 ? stats_sorted(value, count) : NULL;
    *lo = *hi = NAN;
    if (!sorted)
        return false;
    const double inflation = stats_inflation(value, count);
    const double wider = sqrt(inflation * (1 + CAUTION * fmax(inflation - 1, 0) / n));
    const double rank = middle - (middle - independent) * wider;
    *lo = at_rank(sorted, count, rank);
    *hi = at_rank(sorted, count, n + 1 - rank);
    free(sorted);
    return true;
}
