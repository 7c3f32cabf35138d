/* buyer.h: what the commands for buyers share: which work, at which sizes, with which run files. */
#ifndef DUEL_COMMANDS_BUYER_H
#define DUEL_COMMANDS_BUYER_H

#include "bench/harness/plan.h"

/* The arguments of a command: names of workloads, and run files. */
struct duel_subject {
    const struct duel_workload *workload[DUEL_MAX_PATTERNS];
    int workload_count; /* 0: none was named */
    const char *file[DUEL_MAX_PATTERNS];
    int file_count;
};

/* Tells them apart; what is neither is refused with the nearest names. --workload counts as one more name. */
enum duel_status buyer_subject(const struct duel_options *options, struct duel_subject *subject, struct duel_why *why);
/* Calls `add` with each problem of the workloads (none named: of all), at the sizes of a GPU where none are given. */
enum duel_status buyer_problems(const struct duel_options *options, const struct duel_subject *subject,
                                plan_add_problem *add, void *context, struct duel_why *why);

#endif
