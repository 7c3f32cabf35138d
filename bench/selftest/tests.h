/* tests.h: the tests behind selftest_table. Private to selftest/. */
#ifndef DUEL_TESTS_H
#define DUEL_TESTS_H

#include "bench/selftest/selftest.h"
#include "bench/workload/workload.h"

typedef void selftest_function(struct selftest_scene *scene, struct selftest_finding *finding);

/* clocks.c */
selftest_function test_timer_step, test_timer_cost, test_event_step, test_launch_cost;
/* flush.c */
selftest_function test_flush;
/* verifier.c: faults put into right answers */
selftest_function test_accepts, test_rejects;
/* zoo.c: all that is awkward, and all that is wrong */
selftest_function test_zoo, test_negative;
/* twins.c: code compared with itself, and with itself made slower */
selftest_function test_same_code, test_slowed_code;
/* rates.c: the same, a hundred times, each with several fresh processes */
selftest_function test_rates;
/* coverage.c: simulated measurements */
selftest_function test_coverage, test_stopping;
/* cost.c: what the harness itself takes */
selftest_function test_overhead_inside, test_overhead_outside, test_memory, test_start;

void twins_free(struct twins *twins);

/* selftest.c */
void selftest_doing(const struct selftest_scene *scene, const char *what, double done);
/* The first GEMM of the place that takes this problem in FP32 and needs neither open() nor workspace; NULL
 * when there is none. */
const struct duel_impl *selftest_simple(const struct duel_place *place, struct duel_problem *problem);
/* Rows without padding, alpha 1, beta 0, FP32. */
struct duel_problem selftest_problem(int64_t m, int64_t n, int64_t k);

#endif
