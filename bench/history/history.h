/* history.h: runs kept in one SQLite data base: the text of every run file, byte for byte, and beside it the rows that
 * trends are made from. Without SQLite and zlib at build time history_open() says so (absent.c), and nothing else here
 * is called. Any number of processes may read and import at once. */
#ifndef DUEL_HISTORY_H
#define DUEL_HISTORY_H

#include "bench/record/result.h"

/* "$XDG_DATA_HOME/duel/history.db", or below ~/.local/share; false when neither is known. */
bool history_default_path(char *path, size_t size);
/* May a run be called so? Its id becomes the name of a file when it is exported. */
bool history_is_id(const char *text);

struct duel_history;

enum history_use {
    HISTORY_READ,
    HISTORY_IMPORT, /* makes the data base and its directory where there is none */
    HISTORY_CHECK   /* as HISTORY_READ, but all pages are checked; else only those of a small data base */
};

/* Refused, and left as they are: damaged files, those of other programs and of newer versions of this one. DUEL_EINVAL
 * with what to do; DUEL_SKIP when this build has no SQLite. On failure *history is NULL. */
enum duel_status history_open(struct duel_history **history, const char *path, enum history_use use,
                              struct duel_why *why);
void history_close(struct duel_history *history); /* safe on NULL */

/* ---- in --------------------------------------------------------------------------------------------------------- */

enum history_outcome {
    HISTORY_NEW,   /* imported */
    HISTORY_GROWN, /* an earlier, shorter copy of the same run was replaced */
    HISTORY_KNOWN  /* there already, whole */
};

struct history_intake {
    enum history_outcome outcome;
    char run[96];     /* its id */
    int64_t results;  /* rows that trends use: timed or failed */
    char remark[300]; /* what is missing in the file; empty when nothing is */
};

/* One run file, or the run.jsonl in a directory; all of it or, on failure, nothing. DUEL_EINVAL: the file breaks a rule
 * or tells another story under an id that is known; DUEL_EIO: it cannot be read, or the data base not be written. */
enum duel_status history_import(struct duel_history *history, const char *path, struct history_intake *intake,
                                struct duel_why *why);

/* ---- out -------------------------------------------------------------------------------------------------------- */

struct history_run {
    const char *id, *command, *outcome; /* outcome: NULL when the run was cut short */
    int64_t started, results, bytes;    /* started: seconds since 1970 */
};
typedef enum duel_status history_run_seen(void *context, const struct history_run *run, struct duel_why *why);
/* Every run, by time. */
enum duel_status history_runs(struct duel_history *history, history_run_seen *seen, void *context,
                              struct duel_why *why);
/* Writes the text of a run as it was imported. DUEL_EINVAL: no such run. */
enum duel_status history_text(struct duel_history *history, const char *run, FILE *to, struct duel_why *why);

/* One implementation on one problem on one device of one machine: what may be compared over time. */
struct history_series {
    int64_t id, sessions, m, n, k, count;
    char workload[32], implementation[96], device[32], device_name[128], host[64], precision[8];
    char details[160]; /* what else tells it from others: "alpha 2, cache hot" */
    int threads;       /* 0 on a GPU */
    int64_t last;      /* time of its newest session */
};
typedef enum duel_status history_series_seen(void *context, const struct history_series *series, struct duel_why *why);
enum duel_status history_each_series(struct duel_history *history, history_series_seen *seen, void *context,
                                     struct duel_why *why);

/* One session of a series. */
struct history_point {
    int64_t time, run, environment; /* time: when the run began, seconds since 1970; keys of the data base */
    double median, lo, hi;          /* kernel time in seconds; NaN when it failed, or unknown */
    uint64_t hash, seed;            /* of the output (0: unknown), and of the operands */
    int session;
};
struct history_points {
    struct history_point *point; /* by time, then session */
    size_t count;
};
enum duel_status history_points(struct duel_history *history, int64_t series, struct history_points *points,
                                struct duel_why *why);
void history_points_free(struct history_points *points);
/* The facts of an environment, as environment.h writes them; the caller frees *facts. */
enum duel_status history_environment(struct duel_history *history, int64_t environment, char **facts,
                                     struct duel_why *why);
enum duel_status history_run_id(struct duel_history *history, int64_t run, char *id, size_t size, struct duel_why *why);

#endif
