/* trial.h: one output before its judges. Shared by the files of verify/ that look at elements. */
#ifndef DUEL_TRIAL_H
#define DUEL_TRIAL_H

#include "bench/matrix/dtype.h"
#include "bench/verify/bounds.h"
#include "bench/verify/verify.h"

/* Rows are looked at in strips of this many elements, converted to double. */
enum { TRIAL_STRIP = 1024 };

struct duel_trial {
    const struct duel_expectation *expectation;
    const struct duel_problem *problem; /* its types choose the bound */
    const struct duel_matrix *output;
    const struct duel_matrix *before; /* the same operand before the call; NULL when beta == 0 */
    struct duel_bounds bounds;
    bool exact;
    double spread;   /* largest error over RMS error, once known */
    double relative; /* the error that a label is held to, see trial_errors; once known */
    uint64_t seed;
    struct duel_verdict *verdict;
};

/* Calls the answer wrong, at an element (-1: unknown), for a reason. Returns false. */
__attribute__((format(printf, 4, 5))) bool trial_wrong(struct duel_trial *trial, int64_t row, int64_t column,
                                                       const char *reason, ...);

/* scan.c: NaN, Inf, padding; sets the hash. False when the answer is wrong. */
bool trial_scan(struct duel_trial *trial);
/* FNV-1a, 64 bits (Fowler, Noll, Vo), continued from `hash`, which begins as TRIAL_HASH_START. */
uint64_t trial_hash(uint64_t hash, const void *data, size_t bytes);
#define TRIAL_HASH_START 0xCBF29CE484222325
/* elements.c: every element against the expected one. */
void trial_elements(struct duel_trial *trial);
/* verify.c: sets the verdict's relative error and the trial's, from sums of squares over the whole output. */
void trial_errors(struct duel_trial *trial, double errors, double values, double magnitudes);
/* verify.c: is trial->relative what the row's label promises? */
void trial_fingerprint(struct duel_trial *trial);
/* freivalds.c: random sums of columns. What they should be depends on the inputs alone, so it is worked out once and
 * kept in `probes`, which take probes_bytes(). A status only for lack of memory. */
enum duel_status probes_make(struct duel_probes **probes, const struct duel_workload *workload,
                             const struct duel_problem *problem, struct duel_why *why);
uint64_t probes_bytes(const struct duel_workload *workload, const struct duel_problem *problem);
void probes_free(struct duel_probes *probes); /* safe on NULL */
void trial_freivalds(struct duel_trial *trial);
/* diagnose.c: words for a known fault that explains every element of a wrong answer, or NULL. */
const char *trial_diagnose(const struct duel_trial *trial);
/* suspects.c: which mistake the wrong elements of an exact GEMM look like, for the verdict, and where they are, for its
 * reason. Does nothing where that is not known. */
void trial_suspect(struct duel_trial *trial);
/* The same for numbers that are missing or stand outside C: one cause, and perhaps another. */
void trial_blame(struct duel_trial *trial, enum duel_cause first, enum duel_cause second);

static inline void trial_load(const struct duel_matrix *matrix, int64_t row, int64_t column, int64_t count, double *to)
{
    const char *from = (const char *)matrix->data + (size_t)(row * matrix->ld + column) * dtype_size(matrix->type);
    dtype_convert(matrix->type, from, DUEL_FP64, to, (size_t)count);
}

static inline int64_t trial_strip(int64_t start, int64_t length)
{
    return length - start < TRIAL_STRIP ? length - start : TRIAL_STRIP;
}

#endif
