/* choice.h: which cards a command is about, and what the user says that they cost. */
#ifndef DUEL_BUYER_CHOICE_H
#define DUEL_BUYER_CHOICE_H

#include "bench/cards/filter.h"
#include "bench/options/options.h"

struct duel_choice {
    struct duel_cards cards;   /* the whole table */
    struct duel_prices prices; /* empty without --prices */
    const struct duel_card **shown;
    double *key; /* what each shown card is sorted by; NaN: unknown, or no --sort by a number */
    size_t count;
    size_t unknown; /* cards left out because a value that --where asks for is not known */
};

/* Reads table and prices; chooses by `names` (parts of names; none: all), --where and --sort. DUEL_EINVAL: a name that
 * no card has, a condition that is none, a price asked for without --prices, or no card left. */
enum duel_status choice_open(struct duel_choice *choice, const struct duel_options *options, const char *const *names,
                             int name_count, struct duel_why *why);
/* Only these cards: each list has names with commas between ("RTX 4090,A10"), and each name one card. */
enum duel_status choice_named(struct duel_choice *choice, const struct duel_options *options, const char *const *list,
                              int lists, struct duel_why *why);
const struct duel_price *choice_price(const struct duel_choice *choice, const struct duel_card *card);
void choice_close(struct duel_choice *choice); /* safe when zero */

#endif
