/* crossing.h: from which size on does it pay? The sizes between which a speed-up passes 1, bracketed by measured points
 * and narrowed by measuring between them. Knows no device: a test gives it any function. */
#ifndef DUEL_CROSSING_H
#define DUEL_CROSSING_H

#include "bench/record/result.h"

struct duel_crossing {
    bool found;
    int64_t below, above; /* found: the last size that is proved not to pay, and the first after it that is proved to */
    int undecided;        /* found: measured sizes between these two that prove neither */
    int crossings;        /* how often the curve passes from "does not pay" to "pays" */
    int64_t first_below, first_above; /* the same for the first of several crossings */
    int measured;                     /* further sizes that were measured to find it */
    char words[240];                  /* "between n = 300 and n = 340", or an honest sentence why it is not found */
};

/* Measures one size between others. false: no time left, or it failed. */
typedef bool duel_side_at(void *context, int64_t n, enum duel_side *side);

/* `n` ascending, called `letter` in words, with what is proved at each. Narrows until measured neighbours are within 1
 * + tolerance of each other, at most `most` measurements. With several crossings the last one counts: from there on it
 * pays at every size that proves anything. */
struct duel_crossing crossing_find(char letter, const int64_t *n, const enum duel_side *side, size_t count,
                                   double tolerance, int most, duel_side_at *measure, void *context);

#endif
