/* history.h: the trend of a series, for people: table and picture. */
#ifndef DUEL_REPORT_HISTORY_H
#define DUEL_REPORT_HISTORY_H

#include "bench/history/trend.h"
#include "bench/report/report.h"

struct duel_trend_view {
    const struct history_series *series;
    const struct history_points *points;
    const struct trend *trend;
    char *const *facts;  /* of each row's environment, as environment.h writes them */
    const char *picture; /* name of its files */
};

/* A line per stretch of sessions with one environment and one level, what its environments are, and a sentence. */
void table_trend(FILE *stream, const struct duel_trend_view *view);
/* DIR/plots/PICTURE.*: time of each session. As plots_write of report.h. */
enum duel_status plot_trend(const struct duel_plot_request *request, const struct duel_trend_view *view,
                            struct duel_why *why);

/* "cpu/gemm/openblas fp32 512 x 512 x 512, 2 threads, hot": the whole problem in words. */
void trend_title(const struct history_series *series, char *out, size_t size);
/* "10.6 % slower", "2.3 times faster": a ratio of times. */
void trend_ratio_words(double ratio, char *out, size_t size);
/* A day, or with `clock` a minute, in UTC. */
void trend_time_words(int64_t time, bool clock, char *out, size_t size);

#endif
