/* runfile.h: a run on disk: JSON Lines, one record per line: `run`, `host`, `device`..., `ceiling`..., `result`...,
 * `end`. Each line is written whole and flushed when it is known, so that a crash loses nothing already measured. */
#ifndef DUEL_RUNFILE_H
#define DUEL_RUNFILE_H

#include "bench/record/result.h"

#define DUEL_SCHEMA "1.0"

struct duel_run_info {
    char id[40];         /* unique: time and random bits */
    char started[32];    /* UTC, ISO 8601 */
    const char *command; /* the command line as typed */
    const char *version;
    uint64_t seed;
    bool identify; /* false: host name and UUIDs are hashed */
};
/* Sets id and started from the clock and from random bits. */
void run_info_stamp(struct duel_run_info *info);

/* A measured arithmetic ceiling, for the plots and for sanity checks. */
struct duel_ceiling {
    char device[32];
    enum duel_dtype in;
    int threads; /* 0 on a GPU */
    double gflops;
};

struct duel_sheet; /* sheet.h */

/* The sinks of one run: DIR/run.jsonl and DIR/run.csv and the optional --json and --csv targets. */
struct duel_runfile;

/* Creates `dir` (and parents), takes a lock in it (a second run in the same directory is refused), opens the sinks, and
 * moves the files of an earlier run to DIR/previous/ (directory_rotate). Everything that can be known to fail
 * fails here, before anything is measured, and then the earlier run is where it was. json and csv: a path, "-" for
 * stdout, or NULL. dir may be NULL: then only json and csv are written. */
enum duel_status runfile_open(struct duel_runfile **file, const char *dir, const char *json, const char *csv,
                              struct duel_why *why);
/* The same for a run whose CSV has the rows of `sheet` instead of results. */
enum duel_status runfile_open_sheet(struct duel_runfile **file, const char *dir, const char *json, const char *csv,
                                    const struct duel_sheet *sheet, struct duel_why *why);
enum duel_status runfile_run(struct duel_runfile *file, const struct duel_run_info *run, struct duel_why *why);
/* Probes and writes the host: CPU model, cores, governor, memory, kernel, compiler, flags, git id (host.c). */
enum duel_status runfile_host(struct duel_runfile *file, bool identify, struct duel_why *why);
enum duel_status runfile_device(struct duel_runfile *file, const char *id, const char *backend, bool emulated,
                                const struct duel_device_info *info, bool identify, struct duel_why *why);
enum duel_status runfile_ceiling(struct duel_runfile *file, const struct duel_ceiling *ceiling, struct duel_why *why);
enum duel_status runfile_result(struct duel_runfile *file, const struct duel_result *result, struct duel_why *why);
/* One record of any sheet; also a line of the CSV when that has the rows of this sheet. */
enum duel_status runfile_row(struct duel_runfile *file, const struct duel_sheet *sheet, const void *row,
                             struct duel_why *why);
/* One-time costs of a row, in the order of their life: context, module, library handle, memory, first call. */
enum duel_status runfile_life(struct duel_runfile *file, const struct duel_result *result, struct duel_why *why);
/* Writes and releases a record that the caller has filled (record.h); for kinds of records that only one file knows. */
struct duel_record;
enum duel_status runfile_put(struct duel_runfile *file, struct duel_record *record, struct duel_why *why);
/* `outcome`: "done", "interrupted", "failed". Rewrites nothing. The functions above and this one write to every sink
 * even when one of them fails (DUEL_EIO); a line that did not fit is cut off again, so that files stay readable. */
enum duel_status runfile_end(struct duel_runfile *file, const char *outcome, int exit_code, struct duel_why *why);
/* Flushes, unlocks, frees. Safe on NULL. */
void runfile_close(struct duel_runfile *file);
/* The i-th of the files that lost records, in words; false when there are no more. */
bool runfile_lost(const struct duel_runfile *file, int i, char *words, size_t size);
/* Where the run lies, for messages; NULL without a directory. */
const char *runfile_dir(const struct duel_runfile *file);

#endif
