/* zoo.h: conformance. One implementation on a zoo of awkward problems, each answer judged in the exact and the bounded
 * tier, some in Freivalds'. Tests and `duel verify` use the same zoo; adding a kernel adds no line here. */
#ifndef DUEL_ZOO_H
#define DUEL_ZOO_H

#include "bench/registry/registry.h"
#include "bench/verify/verify.h"

extern const struct duel_zoo_shape zoo_shape_table[]; /* note == NULL ends it */

struct duel_zoo_case;
/* Told before each run where the operands are. */
typedef void duel_zoo_before(void *context, const struct duel_zoo_case *which, const struct duel_call *call);

/* One problem that an implementation will be, or was, run on. */
struct duel_zoo_case {
    const struct duel_workload *workload;
    const struct duel_impl *impl;
    struct duel_problem problem;
    enum duel_data data; /* DUEL_INTEGERS: exact tier; DUEL_UNIFORM: bounded tier */
    uint64_t seed;
    int threads;             /* wanted; 1 for an implementation without threads() */
    bool large;              /* Freivalds' tier, whichever the data */
    int64_t number;          /* 0, 1, 2, ... within one zoo_run */
    duel_zoo_before *before; /* may be NULL */
    void *before_context;
};

/* What came of it. */
struct duel_zoo_outcome {
    enum duel_status status; /* DUEL_OK, DUEL_SKIP (does not support the problem), DUEL_EVERIFY, or an error */
    struct duel_verdict verdict;
    struct duel_why why; /* unless DUEL_OK; for a wrong answer `seen` names problem and reason */
};

/* Told after each case; returns false to stop. */
typedef bool duel_zoo_callback(void *context, const struct duel_zoo_case *which, const struct duel_zoo_outcome *came);

struct duel_zoo_options {
    uint64_t seed;
    const int *threads; /* thread counts for implementations that have threads(); NULL: one thread */
    int threads_count;
    enum duel_dtype precision; /* only this input type; DUEL_NONE: every one the implementation has */
    /* false: every alpha and beta on one shape and a changing pair on the others, for devices where a run takes long;
     * true: every pair on every shape. */
    bool every_scalar;
    duel_zoo_before *before; /* NULL: nobody asks */
    void *before_context;
    bool integers_only; /* one kind of data, for those who watch accesses and not values */
    bool large;         /* also wide ones, long sums, and one shape beyond VERIFY_FREIVALDS_PRODUCTS */
};

/* Runs `impl` through the zoo on a place that is open. Returns DUEL_OK when every answer was right or skipped,
 * DUEL_EVERIFY when one was wrong, else the first error, with *why from the first failure; later cases run all the
 * same. */
enum duel_status zoo_run(const struct duel_place *place, const struct duel_impl *impl,
                         const struct duel_workload *workload, const struct duel_zoo_options *options,
                         duel_zoo_callback *callback, void *context, struct duel_why *why);
/* The number of cases that zoo_run would go through, for a progress line. */
int64_t zoo_count(const struct duel_impl *impl, const struct duel_workload *workload,
                  const struct duel_zoo_options *options);

/* One case: allocate, fill, run, judge, release. zoo_run is a loop around it. */
void zoo_case_run(const struct duel_place *place, const struct duel_zoo_case *which, struct duel_zoo_outcome *outcome);
/* "fp32 31x33x35 ld 40,36,40 alpha -0.5 beta 1 2T integers". Returns `text`. */
const char *zoo_case_name(const struct duel_zoo_case *which, char *text, size_t size);

#endif
