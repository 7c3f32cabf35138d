/* trend.h: what the sessions of a series say over time: where their level changed, and what else changed there. */
#ifndef DUEL_HISTORY_TREND_H
#define DUEL_HISTORY_TREND_H

#include "bench/history/history.h"

/* Sessions in a row with one environment and one level. */
struct trend_row {
    size_t begin, count; /* of points */
    size_t timed, failed;
    double median, lo, hi; /* of the session medians, with its 95 % interval; NaN: none has a time */
    double spread;         /* interquartile range over the median; NaN below 4 sessions */
    int64_t environment;
    bool environment_changed; /* against the row before */
    bool level_changed;       /* a change point lies at its beginning */
    double ratio;             /* then: median of the new level over that of the old one */
    bool output_changed;      /* another hash of the output at the same seed */
};

struct trend {
    struct trend_row *row;
    size_t rows, changes;
};

/* Changes below the threshold of comparisons (bench/stats/paired.h) are none, however sure. */
enum duel_status trend_make(const struct history_points *points, struct trend *trend, struct duel_why *why);
void trend_free(struct trend *trend);

#endif
