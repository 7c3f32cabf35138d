/* line.h: the shape of "time over size": a fixed cost, a rate, and the size at which half of the rate is reached. */
#ifndef DUEL_LINE_H
#define DUEL_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* y = intercept + slope x, by least squares of the relative residuals (weights 1 / y^2): a microsecond counts where the
 * whole is ten of them, and not where it is a second. false with fewer than three points, or when all x are equal. */
bool stats_line(const double *x, const double *y, size_t count, double *intercept, double *slope);

/* Sizes rise and time[i] belongs to size[i]. *size_half is the smallest size at which half of the best measured rate is
 * reached (n 1/2; Hockney and Jesshope, Parallel Computers, 1981), on straight lines of time between the points. false
 * when the smallest size is faster than that already, or when nothing was measured. */
bool stats_half_rate(const double *size, const double *time, size_t count, double *size_half, double *best_rate);

#endif
