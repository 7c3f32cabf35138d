/* filter.h: the small language of `duel cards --where` and `--sort`: columns of the table, numbers, texts, + - * /,
 * comparisons (< <= > >= = != and ~ for "contains"), and, or, not and brackets.
 *
 *     memory_gb>=24 and tdp_w<=200 and not vendor=AMD          fp16/price
 *
 * What a card's sources do not say is unknown, and so is every comparison with it, whichever way it is turned: a card
 * is shown only when it surely passes. */
#ifndef DUEL_FILTER_H
#define DUEL_FILTER_H

#include "bench/cards/cards.h"
#include "bench/cards/prices.h"

#define FILTER_NODES 64

enum duel_filter_type { FILTER_NUMBER, FILTER_TEXT, FILTER_TRUTH };
enum duel_truth { TRUTH_NO, TRUTH_YES, TRUTH_UNKNOWN };

/* One node: what it is, and whose value it takes. */
struct duel_filter_node {
    char what;       /* '0' number, '"' text, 'c' column, '$' price, 'h' rent per hour, '&' '|' '!' truths, '-' '+' '*'
                        '/' numbers, '_' the opposite, '<' '>' '=' '~' and 'l' <=, 'g' >=, 'n' != comparisons */
    int left, right; /* -1: none */
    double number;
    char text[64];
    const struct duel_card_column *column;
    enum duel_filter_type type;
    int from, to; /* where it stands in the text */
};

struct duel_filter {
    const char *text;
    struct duel_filter_node node[FILTER_NODES];
    int count, root;
    bool prices;    /* it asks for a price */
    bool ascending; /* of --sort */
};

/* A whole condition. `option` is named in messages. DUEL_EINVAL: it is none; the nearest columns are named. */
enum duel_status filter_condition(struct duel_filter *filter, const char *option, const char *text,
                                  struct duel_why *why);
/* A number or a text to sort by, with " asc" or " desc" behind it; numbers are highest first without, texts A to Z. */
enum duel_status filter_order(struct duel_filter *filter, const char *option, const char *text, struct duel_why *why);

/* `price` may be NULL: not known. */
enum duel_truth filter_truth(const struct duel_filter *filter, int node, const struct duel_card *card,
                             const struct duel_price *price);
double filter_number(const struct duel_filter *filter, int node, const struct duel_card *card,
                     const struct duel_price *price); /* NaN: unknown */
const char *filter_text(const struct duel_filter *filter, int node, const struct duel_card *card);
/* The conditions that `and` joins at the top: their roots into node[], at most `most`; how many. */
int filter_parts(const struct duel_filter *filter, int *node, int most);

#endif
