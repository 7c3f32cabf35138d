/* verdict.c: names of the tiers. */
#include "bench/record/verdict.h"

const char *verdict_tier_name(enum duel_tier tier)
{
    static const char *const names[] = {
        [DUEL_TIER_NONE] = "none",
        [DUEL_TIER_EXACT] = "exact",
        [DUEL_TIER_BOUND] = "bound",
        [DUEL_TIER_FREIVALDS] = "freivalds",
    };
    return (unsigned int)tier < sizeof names / sizeof names[0] ? names[tier] : names[DUEL_TIER_NONE];
}
