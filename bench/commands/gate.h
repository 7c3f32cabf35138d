/* gate.h: what gate.c and gate_again.c share. */
#ifndef DUEL_GATE_H
#define DUEL_GATE_H

#include "bench/commands/baselines.h"
#include "bench/commands/verdicts.h"

struct gate {
    const struct duel_options *options;
    struct judge_comparison *comparison;
    struct words words; /* after `duel run`, as the baseline was measured */
    int64_t sessions;
};

/* Measures what looks slower a second time, in sessions of its own, and judges it anew. */
enum duel_status gate_look_again(struct gate *gate, struct duel_why *why);

#endif
