/* soak.h: what a sustained load did over time: one record for each stretch of a second or so, and one for the whole. */
#ifndef DUEL_RECORD_SOAK_H
#define DUEL_RECORD_SOAK_H

#include "bench/record/result.h"
#include "bench/record/sheet.h"

/* One stretch of load, and the answer that it ended with. */
struct duel_soak_point {
    char device[32], workload[32], implementation[96];
    struct duel_problem problem;
    int threads;                              /* 0 on a GPU */
    double at_s;                              /* since the load began, at the end of the stretch */
    int64_t runs;                             /* in it */
    double run_s, gflops, gbps;               /* mean of one run, by the device's clock, and its rates */
    bool right;                               /* the answer of the last run */
    int64_t wrong_elements;                   /* 0: none, or not known */
    int64_t wrong_row, wrong_column;          /* the first or the worst; -1: none */
    char reason[200];                         /* what was wrong */
    double clock_mhz, temperature_c, power_w; /* NaN: unknown, and why */
    char clock_why[120], heat_why[120], power_why[120];
    char clock_reasons[160]; /* what held the clock back; empty: unknown */
    double foreign_cpu_share;
};

/* The whole of one implementation on one device. */
struct duel_soak {
    char device[32], device_name[128], workload[32], implementation[96];
    struct duel_problem problem;
    int threads;
    char status[16], reason[400]; /* "ok", "wrong", "FAILED", "interrupted" */
    enum duel_status cause;       /* DUEL_OK, DUEL_EVERIFY, or what ended it */
    double seconds;               /* of load */
    int64_t points, runs, checks, wrong_checks;
    bool repeats;                                   /* the same inputs gave the same bits: any other bit is an error */
    double burst_gflops, burst_gbps;                /* median of the first stretches; NaN: too few */
    double sustained_gflops, sustained_gbps, kept;  /* median of the last third; the share of the first */
    double clock_mhz, hottest_c, power_w, energy_j; /* median, highest, median, sum; NaN: unknown */
    double first_wrong_s;                           /* NaN: nothing was wrong */
    int64_t first_wrong_row, first_wrong_column, first_wrong_elements;
};

void soak_point_init(struct duel_soak_point *point);
void soak_init(struct duel_soak *soak);
/* Fills seconds, burst, sustained and what sensors said from the points in order. */
void soak_summarise(struct duel_soak *soak, const struct duel_soak_point *points, size_t count, double flops,
                    double bytes);
/* Points that the burst is the median of: those of the first 6 s, or sixth of the load, at least three.
 */
size_t soak_burst_points(const struct duel_soak_point *points, size_t count);

extern const struct duel_sheet soak_point_sheet, soak_sheet;

#endif
