/* budget.h: how long and how large will it be, and what has to go to fit a time budget. Decided before anything runs.
 */
#ifndef DUEL_BUDGET_H
#define DUEL_BUDGET_H

#include "bench/harness/plan.h"

struct duel_estimate {
    int cases, sizes;                  /* that will run */
    double seconds;                    /* at most, with each case at its time limit */
    uint64_t host_bytes, device_bytes; /* of the size that needs most */
};

struct duel_estimate plan_estimate(const struct duel_plan *plan, double timeout_s);

/* quick.c: leaves two sizes of each workload, with that reason in the rows of the others. */
void plan_quicken(struct duel_plan *plan);

#define BUDGET_SHORTEST_S 0.1 /* a shorter time limit per case gives too few samples to be worth anything */

/* Lowers *timeout_s until the plan fits `budget_s`; when BUDGET_SHORTEST_S is not enough, leaves out the largest sizes,
 * with that reason in their rows; each workload keeps its smallest. `told` receives what was done, empty when nothing
 * was needed. */
void plan_fit(struct duel_plan *plan, double budget_s, double *timeout_s, char *told, size_t size);

#endif
