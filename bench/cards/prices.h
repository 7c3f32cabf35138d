/* prices.h: what cards cost where the user is, from a table that the user fills in. Prices change every week and from
 * place to place, so none comes with the program. */
#ifndef DUEL_PRICES_H
#define DUEL_PRICES_H

#include "bench/cards/cards.h"

/* One line: a card, or the machine without one. */
struct duel_price {
    const struct duel_card *card; /* NULL: the machine without a card, PRICES_CPU */
    double price;                 /* to buy; NaN: not given */
    double rent_per_hour;         /* NaN: not given */
    char currency[8], date[16];   /* "EUR", "2026-11-30" */
};
#define PRICES_CPU "CPU only"

struct duel_prices {
    struct duel_price *price;
    size_t count;
    char currency[8]; /* of all of them */
    char oldest[16], newest[16];
};

/* Lines without any price are passed over. DUEL_EINVAL with the line: a card that is not in the table, or given twice,
 * a price that is no number above 0, a price without currency or date, two currencies, or no price at all. */
enum duel_status prices_read(const char *path, const struct duel_cards *cards, struct duel_prices *prices,
                             struct duel_why *why);
void prices_free(struct duel_prices *prices);
/* NULL: not given. `card` NULL: the machine without a card. */
const struct duel_price *prices_find(const struct duel_prices *prices, const struct duel_card *card);
/* A table to fill in, with every card and no price. Never replaces a file (DUEL_EINVAL). "-" is stdout. */
enum duel_status prices_template(const char *path, const struct duel_cards *cards, struct duel_why *why);

#endif
