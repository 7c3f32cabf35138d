#include "bench/buyer/choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_PARTS 8

const struct duel_price *choice_price(const struct duel_choice *choice, const struct duel_card *card)
{
    return prices_find(&choice->prices, card);
}

static enum duel_status read_tables(struct duel_choice *choice, const struct duel_options *options,
                                    struct duel_why *why)
{
    *choice = (struct duel_choice){.count = 0};
    enum duel_status status = cards_read(NULL, &choice->cards, why);
    if (status == DUEL_OK && options->prices)
        status = prices_read(options->prices, &choice->cards, &choice->prices, why);
    if (status != DUEL_OK)
        return status;
    choice->shown = calloc(choice->cards.count + 1, sizeof *choice->shown);
    choice->key = calloc(choice->cards.count + 1, sizeof *choice->key);
    for (size_t i = 0; choice->key && i < choice->cards.count; i++)
        choice->key[i] = NAN;
    return choice->shown && choice->key
               ? DUEL_OK
               : duel_fail(why, DUEL_ENOMEM, "no card can be shown", "free some memory", "out of memory for cards");
}

static void show(struct duel_choice *choice, const struct duel_card *card)
{
    for (size_t i = 0; i < choice->count; i++)
        if (choice->shown[i] == card)
            return;
    choice->shown[choice->count++] = card;
}

static enum duel_status show_parts(struct duel_choice *choice, const char *const *names, int count,
                                   struct duel_why *why)
{
    for (size_t i = 0; i < choice->cards.count && count == 0; i++)
        show(choice, &choice->cards.card[i]);
    for (int n = 0; n < count; n++) {
        const struct duel_card *card;
        bool known = false;
        if (cards_find(&choice->cards, names[n], &card, why) == DUEL_OK) { /* "A10" is itself, and no A100 */
            show(choice, card);
            continue;
        }
        for (size_t i = 0; i < choice->cards.count; i++)
            if (*names[n] && strcasestr(choice->cards.card[i].name, names[n])) {
                known = true;
                show(choice, &choice->cards.card[i]);
            }
        if (!known)
            return DUEL_EINVAL;
    }
    return DUEL_OK;
}

static enum duel_status check_prices(const struct duel_choice *choice, const struct duel_filter *filter,
                                     struct duel_why *why)
{
    if (!filter->prices || choice->prices.count > 0)
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "prices change every week, so none comes with duel",
                     "`duel cards --write-prices prices.csv` writes a table to fill in; then give --prices prices.csv",
                     "\"%.80s\" asks for a price, and there are no --prices", filter->text);
}

/* Says how many cards each part of a condition leaves, when all of them together leave none. */
static enum duel_status none_left(const struct duel_choice *choice, const struct duel_filter *filter,
                                  struct duel_why *why)
{
    int part[MOST_PARTS];
    char alone[200] = "";
    size_t used = 0;
    const int parts = filter_parts(filter, part, MOST_PARTS);
    for (int p = 0; p < parts && used < sizeof alone; p++) {
        const struct duel_filter_node *node = &filter->node[part[p]];
        int passed = 0;
        for (size_t i = 0; i < choice->count; i++)
            passed +=
                filter_truth(filter, part[p], choice->shown[i], choice_price(choice, choice->shown[i])) == TRUTH_YES;
        used += (size_t)snprintf(alone + used, sizeof alone - used, "%s%.*s alone leaves %d", p ? ", " : "",
                                 node->to - node->from, filter->text + node->from, passed);
    }
    return duel_fail(why, DUEL_EINVAL, "there is nothing to show", "ask for less", "no card of %zu passes --where: %s",
                     choice->count, alone);
}

static enum duel_status keep_passing(struct duel_choice *choice, const char *text, struct duel_why *why)
{
    struct duel_filter filter;
    size_t kept = 0, unknown = 0;
    enum duel_status status = filter_condition(&filter, "--where", text, why);
    if (status == DUEL_OK)
        status = check_prices(choice, &filter, why);
    for (size_t pass = 0; pass < 2 && status == DUEL_OK; pass++) {
        kept = unknown = 0;
        for (size_t i = 0; i < choice->count; i++) {
            const struct duel_card *card = choice->shown[i];
            const enum duel_truth truth = filter_truth(&filter, filter.root, card, choice_price(choice, card));
            unknown += truth == TRUTH_UNKNOWN;
            if (truth == TRUTH_YES && pass == 1)
                choice->shown[kept] = card;
            kept += truth == TRUTH_YES;
        }
        if (kept == 0)
            return none_left(choice, &filter, why);
    }
    choice->count = kept;
    choice->unknown = unknown;
    return status;
}

/* Does `a` belong before `b`? What is not known comes last, whichever way it is sorted. */
static bool before(const struct duel_filter *filter, const struct duel_card *a, double key_a, const struct duel_card *b,
                   double key_b)
{
    if (filter->node[filter->root].type == FILTER_TEXT) {
        const int order = strcasecmp(filter_text(filter, filter->root, a), filter_text(filter, filter->root, b));
        return filter->ascending ? order < 0 : order > 0;
    }
    if (isnan(key_a) || isnan(key_b))
        return !isnan(key_a) && isnan(key_b);
    return filter->ascending ? key_a < key_b : key_a > key_b;
}

static enum duel_status sort(struct duel_choice *choice, const char *text, struct duel_why *why)
{
    struct duel_filter filter;
    enum duel_status status = filter_order(&filter, "--sort", text, why);
    if (status == DUEL_OK)
        status = check_prices(choice, &filter, why);
    if (status != DUEL_OK)
        return status;
    for (size_t i = 0; i < choice->count; i++) {
        const struct duel_card *card = choice->shown[i];
        const double key = filter.node[filter.root].type == FILTER_TEXT
                               ? NAN
                               : filter_number(&filter, filter.root, card, choice_price(choice, card));
        size_t at = i;
        for (; at > 0 && before(&filter, card, key, choice->shown[at - 1], choice->key[at - 1]); at--) {
            choice->shown[at] = choice->shown[at - 1];
            choice->key[at] = choice->key[at - 1];
        }
        choice->shown[at] = card;
        choice->key[at] = key;
    }
    return DUEL_OK;
}

static enum duel_status narrow(struct duel_choice *choice, const struct duel_options *options, struct duel_why *why)
{
    enum duel_status status = options->where ? keep_passing(choice, options->where, why) : DUEL_OK;
    return status == DUEL_OK && options->sort ? sort(choice, options->sort, why) : status;
}

enum duel_status choice_open(struct duel_choice *choice, const struct duel_options *options, const char *const *names,
                             int name_count, struct duel_why *why)
{
    enum duel_status status = read_tables(choice, options, why);
    if (status == DUEL_OK)
        status = show_parts(choice, names, name_count, why);
    return status == DUEL_OK ? narrow(choice, options, why) : status;
}

static enum duel_status show_list(struct duel_choice *choice, const char *list, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    for (const char *at = list; status == DUEL_OK && at;) {
        const struct duel_card *card = NULL;
        char name[64];
        at += strspn(at, " ");
        const size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : (int)sizeof name - 1, at);
        status = cards_find(&choice->cards, name, &card, why);
        if (status == DUEL_OK)
            show(choice, card);
        at = at[length] ? at + length + 1 : NULL;
    }
    return status;
}

enum duel_status choice_named(struct duel_choice *choice, const struct duel_options *options, const char *const *list,
                              int lists, struct duel_why *why)
{
    enum duel_status status = read_tables(choice, options, why);
    for (int i = 0; i < lists && status == DUEL_OK; i++)
        status = show_list(choice, list[i], why);
    return status == DUEL_OK ? narrow(choice, options, why) : status;
}

void choice_close(struct duel_choice *choice)
{
    prices_free(&choice->prices);
    cards_free(&choice->cards);
    free(choice->shown);
    free(choice->key);
    *choice = (struct duel_choice){.count = 0};
}
