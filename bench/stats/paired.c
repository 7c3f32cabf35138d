/* paired.c: what pairs of times say: a speed-up, and what each use of something earns back of its price. */
#include "bench/stats/paired.h"

#include <math.h>
#include <stdlib.h>

#include "bench/stats/bootstrap.h"

static bool all_positive(const double *value, size_t count)
{
    size_t i = 0;
    while (i < count && value[i] > 0 && isfinite(value[i]))
        i++;
    return i == count;
}

static double ratio_of(const double *median)
{
    return median[0] / median[1];
}

static double share_of(const double *median)
{
    return (median[0] - median[1]) / median[2];
}

/* Blocks are as long as the dependence that is left in the trend of the single rounds: what all sides had in common
 * does not count. */
bool stats_ratio(const double *a, const double *b, size_t pairs, uint64_t seed, double *ratio, double *lo, double *hi)
{
    const double *const side[] = {a, b};
    double *trend = malloc((pairs + 1) * sizeof *trend);
    *ratio = *lo = *hi = NAN;
    bool known = trend && all_positive(a, pairs) && all_positive(b, pairs);
    for (size_t i = 0; known && i < pairs; i++)
        trend[i] = a[i] / b[i];
    known = known && bootstrap_interval(side, 2, pairs, trend, seed, ratio_of, ratio, lo, hi);
    free(trend);
    return known;
}

bool stats_share(const double *base, const double *use, const double *price, size_t rounds, uint64_t seed,
                 double *share, double *lo, double *hi)
{
    const double *const side[] = {base, use, price};
    double *trend = malloc((rounds + 1) * sizeof *trend);
    *share = *lo = *hi = NAN;
    bool known = trend && all_positive(base, rounds) && all_positive(use, rounds) && all_positive(price, rounds);
    for (size_t i = 0; known && i < rounds; i++)
        trend[i] = (base[i] - use[i]) / price[i];
    known = known && bootstrap_interval(side, 3, rounds, trend, seed, share_of, share, lo, hi);
    free(trend);
    return known;
}
