/* stats.h: pure functions over arrays of samples (seconds, but any unit works). No function changes its input. */
#ifndef DUEL_STATS_H
#define DUEL_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* All samples of one quantity, in the order they were taken. Zero-initialised it is empty; release with samples_free.
 */
struct duel_samples {
    double *value;
    size_t count, capacity;
};

bool samples_add(struct duel_samples *samples, double value); /* false: out of memory, nothing changed */
void samples_free(struct duel_samples *samples);

/* A value that is not known is NaN inside the program and is never written out. */
struct duel_summary {
    size_t count;
    double median, ci_lo, ci_hi; /* 95 % interval of the median; NaN below 6 samples (see stats_median_ci) */
    double min, q1, q3, max, mad;
};

struct duel_summary stats_summary(const double *value, size_t count); /* count == 0: all NaN */
double stats_quantile(const double *sorted, size_t count, double q);  /* type 7 of Hyndman & Fan 1996 */
double stats_median(const double *value, size_t count);
/* Distribution-free 95 % interval of the median from binomial order statistics (David & Nagaraja, Order Statistics,
 * 3rd ed., section 7.1). Five samples or fewer cannot give 95 %: returns false and NaN. */
bool stats_median_ci(const double *value, size_t count, double *lo, double *hi);

#endif
