/* verdict.h: what verification found about one output. Made by verify/, carried by a result. */
#ifndef DUEL_VERDICT_H
#define DUEL_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/record/cause.h"

enum duel_tier { DUEL_TIER_NONE = 0, DUEL_TIER_EXACT, DUEL_TIER_BOUND, DUEL_TIER_FREIVALDS };
const char *verdict_tier_name(enum duel_tier tier); /* "none", "exact", "bound", "freivalds" */

struct duel_verdict {
    bool right;
    bool refused; /* not right, but not wrong either: the inputs have no result, and the output says so */
    enum duel_tier tier;
    double bound_ratio; /* largest error over its bound; above 1 fails; infinity for NaN or Inf in the output */
    double max_error, rms_error, relative_frobenius; /* NaN where the tier does not know them */
    int64_t worst_row, worst_column;                 /* -1 when unknown */
    uint64_t hash;                                   /* FNV-1a of the output's bytes without padding */
    char reason[200];                                /* why it is wrong, with numbers; empty when right */
    struct duel_suspects suspects;                   /* what mistake that looks like; all 0 when right */
};

#endif
