/* comparison.c: what a measured speed-up proves.
 *
 * Two errors are possible. Calling identical code faster or slower costs trust, so for that the interval must clear
 * the threshold even when it is stretched from 95 % to about 99 %: with a margin of zero one comparison in twenty of
 * code with itself would be "significant". Calling different code the same needs proof as well, so absence of a
 * difference is shown as in an equivalence test: all of the interval lies within the threshold (Schuirmann, J.
 * Pharmacokinetics and Biopharmaceutics 15, 1987). Whatever is left is inconclusive, and says so.
 *
 * Samples of one process share its memory layout and its luck, so that their interval is too narrow for a claim about
 * the program; the unit that is independent is the process (Kalibera & Jones, Rigorous benchmarking in reasonable time,
 * ISMM 2013). Its logarithm is a median of many samples, close to normal between sessions, and Student's t needs no
 * more than that. Ranks or signs of five sessions could not reach 95 % at all (2 / 2^5 > 0.05). */
#include <math.h>

#include "bench/stats/paired.h"
#include "bench/stats/student.h"

/* 5/3 of a 95 % interval is 99.9 % where the estimate is normally distributed, and 99 % with the four degrees of
 * freedom of five sessions. */
#define STRETCH (5.0 / 3)

bool stats_session_ratio(const double *session_ratio, size_t sessions, double *ratio, double *lo, double *hi)
{
    double sum = 0, squares = 0;
    const double n = (double)sessions;
    *ratio = *lo = *hi = NAN;
    for (size_t i = 0; i < sessions; i++)
        sum += log(session_ratio[i]);
    const double mean = sum / n;
    if (sessions == 0 || !isfinite(mean))
        return false;
    *ratio = exp(mean);
    for (size_t i = 0; i < sessions; i++)
        squares += pow(log(session_ratio[i]) - mean, 2);
    if (sessions < 2)
        return false;
    const double half = student_quantile(n - 1) * sqrt(squares / (n - 1) / n);
    *lo = exp(mean - half);
    *hi = exp(mean + half);
    return true;
}

const char *stats_comparison_name(enum duel_comparison comparison)
{
    static const char *const names[] = {
        [DUEL_INCONCLUSIVE] = "inconclusive", [DUEL_SAME] = "same", [DUEL_FASTER] = "faster", [DUEL_SLOWER] = "slower"};
    return (unsigned int)comparison < sizeof names / sizeof names[0] ? names[comparison] : names[DUEL_INCONCLUSIVE];
}

/* In logarithms, where a factor and its inverse are equally far from 1. */
enum duel_comparison stats_verdict(double ratio, double lo, double hi, double threshold)
{
    if (!(lo > 0 && lo <= ratio && ratio <= hi && isfinite(hi) && threshold >= 0))
        return DUEL_INCONCLUSIVE;
    const double at = log(ratio), low = at + STRETCH * (log(lo) - at), high = at + STRETCH * (log(hi) - at);
    const double margin = log1p(threshold);
    if (low > margin)
        return DUEL_FASTER;
    if (high < -margin)
        return DUEL_SLOWER;
    return log(lo) >= -margin && log(hi) <= margin ? DUEL_SAME : DUEL_INCONCLUSIVE;
}
