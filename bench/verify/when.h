/* when.h: in which cases of the zoo an implementation is wrong, and what that says of the cause. */
#ifndef DUEL_WHEN_H
#define DUEL_WHEN_H

#include "bench/verify/zoo.h"

/* Zero-initialise; one for each implementation and precision. */
struct duel_when {
    struct duel_suspects suspects;    /* of all wrong answers */
    int64_t right, wrong;             /* cases */
    int64_t right_plain, wrong_plain; /* with beta == 0: the old C takes no part */
    int64_t right_tight, wrong_tight; /* with rows that follow each other without padding */
};

void when_add(struct duel_when *when, const struct duel_zoo_case *which, const struct duel_zoo_outcome *came);
/* What all cases together speak for. */
struct duel_suspects when_suspects(const struct duel_when *when);

#endif
