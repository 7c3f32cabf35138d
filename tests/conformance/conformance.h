/* conformance.h: one test for each implementation and precision of a place. */
#ifndef TESTS_CONFORMANCE_H
#define TESTS_CONFORMANCE_H

#include "bench/verify/zoo.h"

/* Runs all of them through the zoo and prints TAP; returns the number of failed tests. Each test opens the device and
 * closes it. With a `variable` of the environment, all of it is done once for each of its `values` (ended by NULL). */
int conformance_run(const struct duel_place *place, const struct duel_zoo_options *options, const char *variable,
                    const char *const *values);

#endif
