/* twins.h: one kernel measured twice, and once made slower, interleaved by the real runner. */
#ifndef DUEL_TWINS_H
#define DUEL_TWINS_H

#include "bench/harness/runner.h"
#include "bench/record/result.h"
#include "bench/selftest/selftest.h"

#define TWINS_SLOWER 0.05 /* share of its own time by which the slower one is slowed down */

/* Speed-ups over the first of the two, with 95 % intervals. Without slow-down the truth is 1, with it 1 / 1.05. */
struct twin_cell {
    int64_t n;
    struct duel_ratio same, slowed;
    bool measured;
    char reason[240]; /* unless measured */
};

/* Measures three cases of n x n x n with the default rules of `duel run`, one thread, FP32. */
void twins_measure(struct duel_place *place, int64_t n, uint64_t seed, struct twin_cell *cell);

/* A runner with those rules, except that a case ends after 1.5 s. */
void twins_runner(struct duel_runner *runner, uint64_t seed);

#endif
