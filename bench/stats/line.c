#include "bench/stats/line.h"

#include <math.h>

bool stats_line(const double *x, const double *y, size_t count, double *intercept, double *slope)
{
    double weights = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    *intercept = *slope = NAN;
    if (count < 3)
        return false;
    for (size_t i = 0; i < count; i++) {
        double weight = 1 / (y[i] * y[i]);
        weights += weight;
        mean_x += weight * x[i];
        mean_y += weight * y[i];
    }
    mean_x /= weights;
    mean_y /= weights;
    /* About the means, so that large sizes do not cancel the digits of a small intercept. */
    for (size_t i = 0; i < count; i++) {
        double weight = 1 / (y[i] * y[i]);
        xx += weight * (x[i] - mean_x) * (x[i] - mean_x);
        xy += weight * (x[i] - mean_x) * (y[i] - mean_y);
    }
    if (!(xx > 0) || !isfinite(xy))
        return false;
    *slope = xy / xx;
    *intercept = mean_y - *slope * mean_x;
    return true;
}

bool stats_half_rate(const double *size, const double *time, size_t count, double *size_half, double *best_rate)
{
    *size_half = NAN;
    *best_rate = NAN;
    for (size_t i = 0; i < count; i++)
        *best_rate = fmax(*best_rate, size[i] / time[i]); /* fmax passes over NaN */
    const double half = *best_rate / 2;
    size_t above = 0;
    while (above < count && !(size[above] / time[above] >= half))
        above++;
    if (above == 0 || above == count)
        return false;
    /* size = half * time on the line between the last point below and the first one above. */
    const double slope = (time[above] - time[above - 1]) / (size[above] - size[above - 1]);
    *size_half = half * (time[above - 1] - slope * size[above - 1]) / (1 - half * slope);
    return true;
}
