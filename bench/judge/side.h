/* side.h: one side of a comparison: what run files say about their cases, session by session, and about the machine.
 * Of each session a case keeps a few numbers, never its samples. */
#ifndef DUEL_SIDE_H
#define DUEL_SIDE_H

#include "bench/record/reader.h"
#include "bench/record/result.h"

enum judge_metric { JUDGE_KERNEL, JUDGE_H2D, JUDGE_D2H, JUDGE_METRICS };
const char *side_metric_name(enum judge_metric metric); /* "kernel", "copy to the device", "copy back" */

struct judge_row {
    int session;
    enum duel_row_status status;
    enum duel_status cause;
    bool clean;
    double time_s[JUDGE_METRICS]; /* medians of this session; NaN: none */
    double clock_mhz;             /* of its device meanwhile; NaN: unknown */
    double error, bound_ratio;    /* relative_frobenius, error_bound_ratio; NaN: unknown */
    uint64_t hash;                /* of the output; 0: unknown */
};

struct judge_case {
    struct duel_result key; /* of its first row, without samples */
    char device[200];       /* identity of what it ran on */
    char reason[200];       /* why a session has no time; empty: all have */
    struct judge_row *row;
    size_t rows, capacity;
};

struct judge_device {
    char id[32];
    json_t *record;
    struct duel_samples clock_mhz;      /* medians of each size and session */
    double link_generation, link_width; /* highest while it worked; NaN: unknown */
    double limited_share;      /* most of the time that power or heat held its clock back; NaN: never, or unknown */
    char clock_reasons[160];   /* then */
    double throttled_share;    /* the same for heat and for what protects the hardware: no steady state of a card */
    char throttled_where[200]; /* "session 3: thermal slowdown by the driver" */
};

#define SIDE_DEVICES 16

struct judge_side {
    char name[200];           /* as it was asked for */
    char path[1000];          /* of the run file */
    json_t *run, *host, *end; /* of the first file; NULL where it has none */
    struct judge_device device[SIDE_DEVICES];
    int devices;
    char machine[200];       /* its identity */
    struct judge_case *item; /* in the order of the file */
    size_t count, capacity;
    int sessions, rows_unclean; /* sessions: of the case that has most */
    double foreign_share;       /* most CPU time that other programs took in a session; NaN: unknown */
    char dropped[300];          /* what the reader left out; empty: nothing */
    size_t hint;                /* where the next row is expected: sessions have the same cases in the same order */
};

/* Reads a run file, or the run in a directory. Without one case: DUEL_EINVAL. Release with side_free(), also after a
 * failure. */
enum duel_status side_read(struct judge_side *side, const char *name, const char *path, struct duel_why *why);
void side_free(struct judge_side *side);
/* The case of the same work on the same device; NULL: none. *elsewhere: there is one, but on another device. */
const struct judge_case *side_find(const struct judge_side *side, const struct judge_case *item, size_t *hint,
                                   const struct judge_case **elsewhere);
const struct judge_device *side_device(const struct judge_side *side, const char *id);
/* The times of the sessions that count, into `times` and, where all have one, their clocks (else *clocked is false);
 * both have room for item->rows. Sessions that other work disturbed count only where most of all were. */
size_t side_times(const struct judge_case *item, enum judge_metric metric, double *times, double *clocks,
                  bool *clocked);

/* side_device.c, for side.c: records `device` and `telemetry`. clock_mhz[i] becomes the clock of device i while the
 * next rows were measured. false: out of memory. */
void side_take_device(struct judge_side *side, json_t *record);
bool side_take_telemetry(struct judge_side *side, const json_t *record, double *clock_mhz);

#endif
