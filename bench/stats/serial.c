/* serial.c: how much samples depend on those before them.
 *
 * Everything is computed from ranks, so one sample that an interrupt made a hundred times longer is one large rank and
 * no more. What the median needs is the correlation of "above the median" between samples; where the ranks correlate
 * with r, that is 2 / pi asin(r) for normally distributed clocks (Sheppard 1899), and the count of samples above the
 * median then varies by 1 + 2 (c1 + c2 + ...) times what independent samples give. */
#include <math.h>
#include <stdlib.h>

#include "bench/stats/stats.h"

#define MOST_LAGS 100
#define FEWEST 32    /* samples from which more than the first lag can be told from chance */
#define DOUBT 0.5    /* standard errors by which a negative correlation must exceed chance to count */
#define LEAST (-0.5) /* more than a half is not believed at all */
#define LARGEST 0.95 /* correlation beyond which samples are one single observation for all practical purposes */

/* Ranks around zero, equal values sharing their mean rank. The caller frees; NULL without memory. */
static double *centred_ranks(const double *value, size_t count)
{
    double *sorted = stats_sorted(value, count), *rank = sorted ? malloc(count * sizeof *rank) : NULL;
    for (size_t i = 0; rank && i < count; i++)
        rank[i] = ((double)stats_below(sorted, count, value[i], false) +
                   (double)stats_below(sorted, count, value[i], true) - (double)count) /
                  2;
    free(sorted);
    return rank;
}

static double products(const double *rank, size_t count, size_t lag)
{
    double sum = 0;
    for (size_t i = lag; i < count; i++)
        sum += rank[i] * rank[i - lag];
    return sum;
}

double stats_autocorrelation(const double *value, size_t count)
{
    double *rank = count > 2 ? centred_ranks(value, count) : NULL;
    if (!rank)
        return 0;
    const double squares = products(rank, count, 0), lagged = products(rank, count, 1);
    free(rank);
    return squares > 0 ? lagged / squares : 0;
}

static double above_together(double correlation)
{
    return 2 / M_PI * asin(fmax(-1, fmin(correlation, 1)));
}

/* Were the samples a first-order autoregression: correlations fall like powers of the first. That first one comes out
 * too small by (1 + 3 r) / n, because the mean is estimated too (Marriott & Pope, Biometrika 41, 1954), and by r / n,
 * because it has one product less than the sum of squares. Samples that swing back and forth are worth more than
 * independent ones; but to believe that when it is chance makes an interval too narrow, so a doubt is taken off. */
static double by_first_lag(double first, double count)
{
    const double corrected = (first * count + 1) / (count - 4), swing = fmin(first + DOUBT / sqrt(count), 0);
    const double ratio = corrected > 0 ? fmin(corrected, LARGEST) : fmax(swing, LEAST);
    double inflation = 1;
    for (double power = ratio; fabs(power) > 1e-4; power *= ratio)
        inflation += 2 * above_together(power);
    return inflation;
}

/* Slow changes below fast noise correlate little at the first lag, but at many: the sum as far as correlations stay
 * positive (Geyer, Statistical Science 7, 1992). Each has lost inflation / n to the estimated mean. */
static double by_all_lags(const double *rank, size_t count, double squares, double least)
{
    const double n = (double)count;
    const size_t most = count < FEWEST ? 0 : count / 4 < MOST_LAGS ? count / 4 : MOST_LAGS;
    double inflation = 1;
    for (size_t lag = 1; lag <= most; lag++) {
        const double correlation = products(rank, count, lag) / squares * n / (n - (double)lag) + least / n;
        if (!(correlation > 0))
            break;
        inflation += 2 * above_together(correlation);
    }
    return inflation;
}

double stats_inflation(const double *value, size_t count)
{
    double *rank = count > 5 ? centred_ranks(value, count) : NULL, inflation = 1;
    if (!rank)
        return inflation;
    const double squares = products(rank, count, 0);
    if (squares > 0) {
        inflation = by_first_lag(products(rank, count, 1) / squares, (double)count);
        const double slow = by_all_lags(rank, count, squares, inflation);
        inflation = slow > 1 ? fmax(inflation, slow) : inflation;
    }
    free(rank);
    return inflation;
}
