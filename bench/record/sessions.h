/* sessions.h: what several sessions (fresh processes) say together about one case: the record `sessions`. Samples of
 * one process share its memory layout and its luck, so the session is what is counted here, never the sample. */
#ifndef DUEL_SESSIONS_H
#define DUEL_SESSIONS_H

#include "bench/record/result.h"
#include "bench/record/sheet.h"

struct duel_sessions {
    char workload[32], implementation[96], device[32];
    int64_t m, n, k, batch;
    enum duel_dtype precision;
    int threads;
    char reason[700];                   /* why there is no time; empty otherwise */
    struct duel_samples median_s;       /* kernel median of each session that has a time, in order */
    double kernel_median_s, lo_s, hi_s; /* of those medians; NaN = unknown */
    double spread;                      /* between sessions: largest less smallest, over the median */
    char base[96];                      /* what speed-ups are against; empty = none */
    bool is_base;
    double cold_s;                                         /* median of the sessions'; NaN = unknown */
    struct duel_ratio kernel, end_to_end, amortised, cold; /* speed-ups with their intervals over sessions */
    char kernel_verdict[16], end_to_end_verdict[16], amortised_verdict[16], cold_verdict[16];
};

/* Everything unknown. */
void sessions_init(struct duel_sessions *row);
void sessions_free(struct duel_sessions *row); /* samples only */
/* Fills median, interval and spread from median_s. */
void sessions_summarise(struct duel_sessions *row);

/* 95 % interval of the median over session medians. Up to five sessions, whose ranks cannot reach 95 %, Student's t
 * interval of the logarithms; from six on order statistics, whatever the distribution. Fewer than two: false and NaN.
 */
bool sessions_interval(const double *median, size_t count, double *lo, double *hi);
/* Speed-up, interval and what they prove ("faster", "same", ...), from the times that base and row had in the same
 * sessions. `verdict` has room for 16 bytes and stays empty with fewer than two sessions. */
void sessions_speedup(const double *base, const double *row, size_t count, struct duel_ratio *ratio, char *verdict);

extern const struct duel_sheet sessions_sheet;

#endif
