/* runner.h: the only code that orders the phases: convert, allocate, H2D, kernel, D2H, verify. */
#ifndef DUEL_RUNNER_H
#define DUEL_RUNNER_H

#include "bench/harness/plan.h"
#include "bench/harness/sampler.h"
#include "bench/record/result.h"

struct duel_runner_options {
    struct duel_sampler_rules rules;
    uint64_t seed;
    enum duel_data data; /* that is timed */
    enum duel_order order;
    enum duel_cache cache;
    enum duel_host_memory host_memory;
    bool overlapped; /* also end to end in chunks, copies beside kernels */
    int64_t reuse;   /* of speedup_amortised */
    /* How often this process was interrupted so far; NULL: not known, so no sample counts as disturbed. */
    int64_t (*interruptions)(void);
    const char *base;                                   /* --base, or NULL */
    const struct duel_matrix *input[DUEL_MAX_OPERANDS]; /* the user's own matrices, or NULL */
    double read_s;                                      /* from disk; NaN when there was no --input */
    double deadline, budget_s; /* host clock; INFINITY without a budget, and how long that is */
    bool budget_shared;        /* the deadline is that of one workload's part of it */
    /* Told what happens now, for the progress line; may be NULL. */
    void (*progress)(void *context, const struct duel_group *group, const char *doing);
    /* Shown every right answer before its memory is released, for --output; may be NULL. */
    void (*answer)(void *context, const struct duel_case *item, const struct duel_matrix *output);
    void *context;
};

/* What earlier, smaller groups taught: the speed of each implementation, so that one that would need minutes for a
 * single run is skipped with that reason instead of hanging. */
struct duel_pace {
    const struct duel_place *place;
    const struct duel_impl *impl;
    enum duel_dtype in;
    int threads;
    double seconds, work;         /* of a run that was long enough to foretell others; 0: none was */
    double most_seconds, at_work; /* of one that was not, and bounds what larger ones take; 0: none */
};

/* An implementation that this process has used before. */
struct duel_use {
    const struct duel_place *place;
    const struct duel_impl *impl;
};

struct duel_runner {
    struct duel_runner_options options;
    struct duel_use use[1024];
    int uses;
    struct duel_pace pace[1024];
    int paces;
    /* With a deadline: what filling operands and the reference cost here, by one small try; 0 until it was made. */
    double fill_element_s, reference_product_s;
    const struct duel_workload *judged; /* the workload that these two were measured with */
    double sampling_until;              /* the deadline less what verifying the group once more will take */
};

/* Runs one group. results[i] belongs to group->cases[i]; each is initialised here and released by the caller with
 * result_free. A failing implementation is a FAILED row and the others go on; only what makes the whole run
 * senseless (out of host memory) is a status. */
enum duel_status runner_group(struct duel_runner *runner, struct duel_group *group, struct duel_result *results,
                              struct duel_why *why);

#endif
