/* conformance.h: one test for each implementation and precision of a place. */
#ifndef TESTS_CONFORMANCE_H
#define TESTS_CONFORMANCE_H

#include "bench/verify/zoo.h"

/* Runs all of them through the zoo and prints TAP; returns the number of failed tests. `suffix` goes after the names of
 * the tests ("" or " in reverse order"). The place must be open. */
int conformance_run(const struct duel_place *place, const struct duel_zoo_options *options, const char *suffix);

#endif
