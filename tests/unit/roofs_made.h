/* roofs_made.h: ceilings made up by hand, and rows under them. No number here was measured. */
#ifndef TESTS_ROOFS_MADE_H
#define TESTS_ROOFS_MADE_H

#include "bench/harness/roofs.h"

/* A CPU of two threads: fp32 peak 100 GFLOP/s a thread; L1 200, L2 100 and L3 60 GB/s a thread; memory 20 GB/s. */
void roofs_made(struct duel_roofs *roofs);
/* An fp32 product of size n that reaches so many GFLOP/s. */
struct duel_result row_reaching(const char *name, int64_t n, int threads, double gflops);
/* Releases the row. */
struct duel_placement placement_made(const struct duel_roofs *roofs, struct duel_result row);
/* The same for a row of `impl`, whose model of traffic counts. */
struct duel_placement placement_of(const struct duel_roofs *roofs, struct duel_result row,
                                   const struct duel_impl *impl);

#endif
