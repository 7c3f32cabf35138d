/* model.h: language models: what they need of memory, and how fast a card's published figures let them go.
 *
 *     weights   = parameters x bits of the quantisation / 8
 *     KV cache  = 2 x layers x KV heads x size of a head x 2 bytes, for each token of each text
 *     decode    reads all weights once for each step, and the KV cache of every text: bandwidth decides
 *     prefill   does 2 FLOP per parameter and token, and attention: Tensor Cores decide
 *
 * One step of decoding gives one token to each text of the batch. */
#ifndef DUEL_MODEL_H
#define DUEL_MODEL_H

#include "bench/buyer/evidence.h"

struct duel_model {
    const char *name;  /* "8B" */
    const char *shape; /* whose shape it is: "Llama 3" */
    double parameters;
    int layers, heads, kv_heads, head_size, hidden;
};
extern const struct duel_model duel_models[]; /* name NULL ends it */
/* "8B" or "8b"; DUEL_EINVAL with the nearest names. */
enum duel_status model_find(const char *name, const struct duel_model **model, struct duel_why *why);

struct duel_model_work {
    const struct duel_model *model;
    int quant; /* enum duel_quant */
    double context, batch;
};

/* Bits of one weight on average, with the scales of its block; "Q4_K_M" is what llama.cpp calls it. */
double quant_bits(int quant);
const char *quant_name(int quant);

struct duel_model_need {
    double weights_bytes, cache_bytes, overhead_bytes, total_bytes;
};
void model_need(const struct duel_model_work *work, struct duel_model_need *need);

/* Speed on one card; NaN: not known. Rates are tokens per second, of all texts together. */
struct duel_model_speed {
    double decode_bound, decode, decode_lo, decode_hi;
    double prefill_bound, prefill, prefill_lo, prefill_hi; /* of a prompt of the whole context */
    const char *limit;                                     /* of decoding: "memory" or "arithmetic" */
    char decode_words[160], prefill_words[160];            /* what they are calibrated on, or why they are not */
};
/* `without`: a card whose measurements are left out, or NULL. */
void model_speed(const struct duel_model_work *work, const struct duel_card *card, const struct duel_cards *cards,
                 const struct duel_evidence *evidence, const char *without, struct duel_model_speed *speed);

/* Bytes on so many cards together: each has an overhead of its own. */
double model_total(const struct duel_model_need *need, int cards);
/* As many cards as hold it, 1 .. 8; 0: not even 8. */
int model_cards(const struct duel_model_need *need, const struct duel_card *card);
/* Layers split over `cards` cards: the activations of a token cross cards - 1 links, one after the other, at best in so
 * many seconds. By NVLink where the card has it, else twice over the link to the host. */
double model_crossing_s(const struct duel_model_work *work, const struct duel_card *card, int cards);

#endif
