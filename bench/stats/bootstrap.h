/* bootstrap.h: how far chance may have moved a number that is made from medians of samples taken side by side. */
#ifndef DUEL_BOOTSTRAP_H
#define DUEL_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOOTSTRAP_FEWEST 6 /* rounds; fewer give no interval */
#define BOOTSTRAP_SIDES 3

/* The number, from the median of each side. */
typedef double bootstrap_number(const double *median);

/* 95 % interval of `number` over `sides` series of `rounds` values each; the i-th of all were taken next to each other.
 * `trend` is a series of as many values whose dependence between neighbours decides how long blocks are. The interval
 * always holds the number itself, *value. false and NaN: too few rounds, or no memory. */
bool bootstrap_interval(const double *const *series, int sides, size_t rounds, const double *trend, uint64_t seed,
                        bootstrap_number *number, double *value, double *lo, double *hi);

#endif
