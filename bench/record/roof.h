/* roof.h: measured ceilings of a device, and where an implementation stands under them (the roofline model: Williams,
 * Waterman and Patterson, CACM 52(4), 2009). */
#ifndef DUEL_ROOF_H
#define DUEL_ROOF_H

#include "bench/record/result.h"
#include "bench/record/sheet.h"

/* One ceiling: of arithmetic, or of one loop over one memory level. The highest of all tries. */
struct duel_roof {
    char device[32], kind[16]; /* "arithmetic", "memory" */
    char level[16];            /* "L1", "L2", "L3", "memory"; empty for arithmetic */
    char loop[16];             /* "copy", "triad", "read" */
    enum duel_dtype in;        /* DUEL_NONE for memory */
    enum duel_stream stream;
    int rank;    /* of the level, 0 nearest to the arithmetic */
    int threads; /* 0 on a GPU */
    int64_t working_set_bytes, capacity_bytes;
    double gflops, gbps; /* NaN: not this kind, or not known: why */
    int64_t tries;       /* that gave a value */
    double try_s;        /* what the longest try took */
    char why[320];
};

/* Arithmetic intensity is FLOP per byte that crosses a memory level. It lies between two ends: every operand fetched
 * once (compulsory traffic), and both factors of every multiply-add fetched anew (nothing reused). Between them is what
 * a model of the implementation's blocking says. */
struct duel_placement {
    char implementation[96], device[32], status_text[16], reason[400];
    enum duel_row_status status;
    enum duel_status cause; /* of a failure */
    struct duel_problem problem;
    int threads;
    double gflops, gflops_lo, gflops_hi;
    double intensity, no_reuse_intensity;
    double roof_gflops, roof_percent; /* at compulsory traffic from `home`; NaN: roof_why */
    char roof_why[200];
    /* At the traffic of the implementation's own model, from `home` into the cache before it; NaN: modelled_why. */
    double modelled_bytes, modelled_intensity, modelled_roof_gflops, modelled_roof_percent;
    char modelled_cache[16]; /* that cache; empty: nothing is known to stay between tiles */
    char modelled_why[200], traffic_model[240];
    char limit[16];    /* the lower of both there: "arithmetic" or the home level */
    char home[16];     /* the nearest level that holds all operands */
    char no_reuse[16]; /* the farthest level that could feed it without any reuse; "registers": not even the nearest */
};

extern const struct duel_sheet roof_sheet, placement_sheet;

#endif
