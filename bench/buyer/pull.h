/* pull.h: how fast a card reads weights, one after the other, for one text. Two things limit it: its memory, and how
 * many requests its multiprocessors have under way at once (Little's law: bytes under way = rate x latency). A card
 * with much bandwidth for each multiprocessor meets the second first: that is why the share of its bandwidth that one
 * text reaches is 45 % on an A100 and 87 % on an RTX 4090.
 *
 *     rate = fit x min(share x bandwidth, per clock x multiprocessors x clock)
 *
 * `share` and `per clock` are the highest that were measured, and `fit` the mean of what is left. */
#ifndef DUEL_BUYER_PULL_H
#define DUEL_BUYER_PULL_H

#include "bench/buyer/evidence.h"

struct duel_pull {
    double share;     /* of the bandwidth */
    double per_clock; /* bytes per clock and multiprocessor */
    double fit;
    double half; /* half of the 95 % interval of the logarithm of a further measurement */
    int count;
};

/* From the shares named llm/decode of cards of NVIDIA; false: fewer than three. `without`: a card that is left out. */
bool pull_calibrate(const struct duel_evidence *evidence, const struct duel_cards *cards, const char *without,
                    struct duel_pull *pull);
double pull_rate(const struct duel_pull *pull, const struct duel_card *card); /* bytes/s; NaN: not known */

#endif
