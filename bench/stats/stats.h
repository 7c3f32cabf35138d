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
double *stats_sorted(const double *value, size_t count); /* a copy, the caller frees; NULL: none, or no memory */
/* How many of the sorted values are below `value`, or below it or equal to it. */
size_t stats_below(const double *sorted, size_t count, double value, bool or_equal);

/* 95 % interval of the median from order statistics, whatever the distribution (interval.c says how), widened by
 * stats_inflation, so the samples must be in the order they were taken. It covers 93 to 97 % from 15 samples on, also
 * when neighbours correlate with -0.4 or 0.6; fewer hold it only up to 0.2. It falls short of that where a slow change
 * hides below fast noise (tests/unit/coverage.c has the numbers). Five samples or fewer cannot give 95 %: returns false
 * and NaN. */
bool stats_median_ci(const double *value, size_t count, double *lo, double *hi);

/* Rank autocorrelation of neighbours, -1 .. 1: Spearman's, which no outlier can dominate. 0 when all are equal. */
double stats_autocorrelation(const double *value, size_t count);
/* How many samples in a row say as much about the median as one independent sample: 1 when they do not depend on each
 * other, less when they swing back and forth. count / inflation is the effective number of samples. */
double stats_inflation(const double *value, size_t count);

#endif
