/* rows.h: results made up by hand, for tests of what is written about them. No number here was measured. */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include "bench/record/result.h"

/* A verified row of the workload in its name, at the size that --n N gives it, with nine samples: `kernel_s` is their
 * median and their interval is `spread` wide on either side (0.01: 1 %). Release with result_free. */
struct duel_result row_cpu(const char *implementation, int64_t n, enum duel_dtype in, int threads, double kernel_s,
                           double spread);
/* The same on cuda:0, with copies. */
struct duel_result row_gpu(const char *implementation, int64_t n, enum duel_dtype in, double kernel_s, double copy_s,
                           double spread);
struct duel_result row_skipped(const char *implementation, int64_t n, const char *reason);
/* A wrong answer that was timed before anybody noticed: its samples and medians are set and must not show anywhere. */
struct duel_result row_failed(const char *implementation, int64_t n, const char *reason);
/* Verified on the emulated GPU, with times set that must not show. */
struct duel_result row_emulated(const char *implementation, int64_t n);
/* Sets base and speed-ups, known to 1 %, of `row` against `base` and `serial` (either may be NULL). */
void row_against(struct duel_result *row, const struct duel_result *base, const struct duel_result *serial);

/* The whole of a file or of a stream made with open_memstream, to be freed; NULL when it cannot be read. */
char *file_text(const char *path);
/* A fresh directory under $BUILD or build that no other process has; the caller frees the name. */
char *scratch_dir(const char *name);
/* Removes a scratch directory with all that is in it, and frees its name. */
void scratch_drop(char *dir);

#endif
