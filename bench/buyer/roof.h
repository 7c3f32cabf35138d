/* roof.h: the least time that a card's published figures allow for a problem of any workload, and for its copies. */
#ifndef DUEL_BUYER_ROOF_H
#define DUEL_BUYER_ROOF_H

#include "bench/cards/cards.h"
#include "bench/workload/workload.h"

struct duel_card_roof {
    double flops, bytes, in_bytes, out_bytes; /* of the problem */
    double arithmetic_s, memory_s;            /* NaN: the card's figure is not known, or it has no such type */
    double kernel_s;                          /* the longer of both; NaN: one is not known */
    double h2d_s, d2h_s;                      /* NaN: the link is not known */
    const char *limit;                        /* "arithmetic" or "memory"; NULL: not known */
};

/* TFLOP/s for inputs of this type with sums as duel has them: FP32 for narrow types. `tensor`: sums of products, which
 * Tensor Cores can do; other work in FP16 runs on ordinary units. NaN: not known, or the card has no such units. */
double card_rate(const struct duel_card *card, enum duel_dtype in, bool tensor);
/* problem->types.in is the precision; the other types become those that duel's implementations use with it. */
void card_roof(const struct duel_card *card, const struct duel_workload *workload, struct duel_problem *problem,
               struct duel_card_roof *roof);

#endif
