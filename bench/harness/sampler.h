/* sampler.h: when is a measurement good enough? A pure state machine over the seconds it is told; it knows no device,
 * no clock and no implementation, so scripted times test it exactly. */
#ifndef DUEL_SAMPLER_H
#define DUEL_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/stats/stats.h"

/* Shortest interval worth timing: event resolution is about 0.5 us (CUDA Runtime API, cudaEventElapsedTime), so 50 us
 * keeps it at 1 %; the factor two leaves room for runs that get faster while warming up. */
#define SAMPLER_SHORTEST_S 100e-6
#define INTERVAL_LEAST_S 50e-6 /* what is shorter than this all the same, says so in its row */
#define SAMPLER_WINDOW 5       /* runs in a warm-up window */

struct duel_sampler_rules {
    double target_ci;    /* stop when the half width of the 95 % interval stays within this share of the median */
    int64_t min_samples; /* but not before this many samples, */
    int64_t max_samples; /* never more than this many, */
    double min_time_s;   /* not before this time in samples, */
    double timeout_s;    /* and not after this time in samples and warm-up together */
    double warmup_s;     /* warm-up lasts at least this long */
    double warmup_max_s; /* and at most this long when it does not settle */
};

struct duel_sampler {
    struct duel_sampler_rules rules;
    struct duel_samples warmup; /* seconds of one run each */
    double warmup_spent_s, spent_s;
    int64_t narrow_since; /* samples from which on the interval has been narrow enough; 0: it is not */
    bool warm, done;
    int64_t batch;           /* runs inside one timed interval */
    const char *stop_reason; /* static text once done */
};

void sampler_init(struct duel_sampler *sampler, const struct duel_sampler_rules *rules);
void sampler_free(struct duel_sampler *sampler);
/* One warm-up run took `run_s` by the device's clock and `spent_s` of the user's time. Sets `warm` when the last
 * window's median is within 2 % of the one before and warmup_s has passed, or when warmup_max_s or the timeout has. */
void sampler_warmup(struct duel_sampler *sampler, double run_s, double spent_s);
/* To stop at the first narrow interval would prefer samples that look quieter than they are: it must stay narrow while
 * their number grows by half. Looking begins before min_samples, so quiet samples need no more than those.
 * One more sample lies in `samples`, and cost `spent_s` of the user's time. `disturbed` of all samples do not count
 * towards the minimum: they are repeated until the time is up. Sets `done` and stop_reason. */
void sampler_sample(struct duel_sampler *sampler, const struct duel_samples *samples, size_t disturbed, double spent_s);
/* Ends it from outside: "interrupted", "budget". */
void sampler_stop(struct duel_sampler *sampler, const char *reason);

#endif
