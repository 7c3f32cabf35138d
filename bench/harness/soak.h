/* soak.h: one implementation under load for minutes, its answers checked all the way. */
#ifndef DUEL_HARNESS_SOAK_H
#define DUEL_HARNESS_SOAK_H

#include "bench/harness/plan.h"
#include "bench/record/soak.h"

struct duel_soak_rules {
    double load_s;   /* how long, by the host clock */
    double point_s;  /* of one stretch; the answer is checked after each */
    double rotate_s; /* after so long, other inputs */
    uint64_t seed;
    /* Told when a stretch begins, between two timed intervals of it, and when it is known; the last may add to it. */
    void (*begin)(void *context);
    void (*between)(void *context, double at_s);
    void (*point)(void *context, struct duel_soak_point *point);
    void *context;
};

/* Stretches of `load_s` that a picture and a reader can take in. */
void soak_rules_set(struct duel_soak_rules *rules, double load_s);
/* Loads the device until the time is up, an interrupt or a failure. The case runs on an open place. Wrong answers are
 * counted and located, and the load goes on. Ends with *soak filled but for what the points say; DUEL_EVERIFY: wrong
 * already before any load; another status: what ended it. */
enum duel_status soak_run(const struct duel_soak_rules *rules, const struct duel_workload *workload,
                          struct duel_case *item, struct duel_soak *soak, struct duel_why *why);

#endif
