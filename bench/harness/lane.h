/* lane.h: one case while it runs: an implementation on its stage, with its sampler. Private to harness/. */
#ifndef DUEL_LANE_H
#define DUEL_LANE_H

#include "bench/harness/runner.h"
#include "bench/harness/try.h"
#include "bench/verify/running.h"
#include "bench/verify/stage.h"
#include "bench/verify/verify.h"

struct duel_lane {
    struct duel_case *item;
    struct duel_result *result;
    const struct duel_runner_options *options;
    struct duel_stage *stage; /* shared with the other lanes of the same device and types, */
    struct duel_ring *ring;   /* as is this; NULL or empty unless buffers rotate */
    struct duel_call call;
    struct duel_sampler sampler;
    int output;      /* index of the OUT operand */
    double tried_s;  /* one-time costs of its library that an earlier try has paid: part of its first call */
    bool opened;     /* open() and the workspace are there and must be undone */
    bool alive;      /* still in the race */
    bool considered; /* admit.c has decided whether it fits the budget */
};

void lane_init(struct duel_lane *lane, struct duel_case *item, struct duel_result *result,
               const struct duel_runner_options *options);
enum duel_status lane_open(struct duel_lane *lane, struct duel_why *why);
void lane_close(struct duel_lane *lane);

/* Ends the lane: DUEL_SKIP makes a skipped row, everything else a FAILED one without any sample or rate. */
void lane_fail(struct duel_lane *lane, enum duel_status cause, const struct duel_why *why);

/* Reset the output, run once, download: the answer lies in stage->host[output]. */
enum duel_status lane_call(struct duel_lane *lane, struct duel_why *why);
/* Names the implementation in case it crashes, until running_end(): `phase` says "while it was timed". */
void lane_running(const struct duel_lane *lane, const char *phase);
/* Sets the thread count and records what was read back. */
void lane_set_threads(struct duel_lane *lane);

/* timing.c */
/* hot, flushed or rotated: what the options and the workload say together. */
enum duel_cache lane_cache(const struct duel_lane *lane);
/* Brings caches and C into the state that every timed interval starts from, and waits for it. */
enum duel_status lane_prepare(struct duel_lane *lane, struct duel_why *why);
/* One warm-up run; one sample. Both fill the sampler. */
enum duel_status lane_warmup(struct duel_lane *lane, struct duel_why *why);
enum duel_status lane_sample(struct duel_lane *lane, struct duel_why *why);

/* A finished row whose intervals are too short says so, and why they could not be longer. */
void lane_tell_interval(struct duel_lane *lane);

/* overlap.c */
/* Can copies and kernels be overlapped here, and is it asked for? */
bool lane_overlaps(const struct duel_lane *lane);
/* One end-to-end pass in chunks; *host_s is its time. The answer lies in stage->host[output]. */
enum duel_status lane_overlapped(struct duel_lane *lane, double *host_s, struct duel_why *why);

/* judge.c */
/* All living lanes of a stage: first whole numbers, whose answer is exact, then the data that will be timed.
 * `expectation` stays for the verdict after timing. */
void lanes_verify_before(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes,
                         struct duel_stage *stage, struct duel_expectation *expectation);
void lanes_verify_after(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes,
                        struct duel_stage *stage, const struct duel_expectation *expectation);

/* measure.c: warm-up and interleaved samples of all living lanes. */
void lanes_measure(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes);
/* pace.c: how long would one run take? */
/* What time grows with: arithmetic, or bytes where a workload has none. */
double pace_work(const struct duel_workload *workload, const struct duel_problem *problem);
void pace_remember(struct duel_runner *runner, const struct duel_case *item, double seconds, double work);
/* True, with the row's reason, when a single run is expected to outlast the time limit of a case. */
bool pace_too_slow(struct duel_runner *runner, const struct duel_group *group, struct duel_lane *lane);
/* cold.c: what a first single use in a fresh process costs. */
/* True the first time that this process uses the implementation of `item`. */
bool cold_first_use(struct duel_runner *runner, const struct duel_case *item);
/* Fills the one-time costs of a finished row. */
void cold_describe(struct duel_lane *lane);
/* Measures the pace by one try of a small problem; with a deadline by larger ones until one takes long enough to tell.
 */
void pace_try(struct duel_runner *runner, const struct duel_group *group, struct duel_lane *lane);
/* Seconds of one run, by what is known; 0 when nothing is. */
double pace_expected(struct duel_runner *runner, const struct duel_lane *lane);
/* admit.c: with a deadline, skips the lanes that would not be done by then, each with that reason. Their devices are
 * open. */
void lanes_admit(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes);
/* speedup.c: names the baseline and divides. */
void speedups_set(struct duel_result *results, int count, const char *base, uint64_t seed);

#endif
