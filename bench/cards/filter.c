/* filter.c: what a parsed condition says about a card, in the three values of Kleene: no, yes, unknown. */
#include "bench/cards/filter.h"

#include <math.h>
#include <string.h>
#include <strings.h>

const char *filter_text(const struct duel_filter *filter, int node, const struct duel_card *card)
{
    const struct duel_filter_node *own = &filter->node[node];
    return own->what == 'c' ? card_text(card, own->column) : own->text;
}

double filter_number(const struct duel_filter *filter, int node, const struct duel_card *card,
                     const struct duel_price *price)
{
    const struct duel_filter_node *own = &filter->node[node];
    const double left = own->left >= 0 ? filter_number(filter, own->left, card, price) : NAN;
    const double right = own->right >= 0 ? filter_number(filter, own->right, card, price) : NAN;
    double value = own->number;
    switch (own->what) {
    case 'c':
        value = card_number(card, own->column);
        break;
    case '$':
        value = price ? price->price : NAN;
        break;
    case 'h':
        value = price ? price->rent_per_hour : NAN;
        break;
    case '_':
        value = -left;
        break;
    case '+':
        value = left + right;
        break;
    case '-':
        value = left - right;
        break;
    case '*':
        value = left * right;
        break;
    case '/':
        value = left / right;
        break;
    default:
        break;
    }
    return isfinite(value) ? value : NAN; /* over 0 is unknown, too */
}

static enum duel_truth compare_text(char what, const char *left, const char *right)
{
    if (!*left)
        return TRUTH_UNKNOWN;
    const bool equal = strcasecmp(left, right) == 0;
    return (what == '~' ? strcasestr(left, right) != NULL : what == '=' ? equal : !equal) ? TRUTH_YES : TRUTH_NO;
}

static enum duel_truth compare(char what, double left, double right)
{
    if (isnan(left) || isnan(right))
        return TRUTH_UNKNOWN;
    const bool equal = left == right;
    const bool truth = what == '<'   ? left < right
                       : what == '>' ? left > right
                       : what == 'l' ? left <= right
                       : what == 'g' ? left >= right
                       : what == '=' ? equal
                                     : !equal;
    return truth ? TRUTH_YES : TRUTH_NO;
}

enum duel_truth filter_truth(const struct duel_filter *filter, int node, const struct duel_card *card,
                             const struct duel_price *price)
{
    const struct duel_filter_node *own = &filter->node[node];
    if (own->type == FILTER_TRUTH && strchr("&|!", own->what)) {
        const enum duel_truth left = filter_truth(filter, own->left, card, price);
        if (own->what == '!')
            return left == TRUTH_UNKNOWN ? left : left == TRUTH_NO ? TRUTH_YES : TRUTH_NO;
        const enum duel_truth right = filter_truth(filter, own->right, card, price);
        const enum duel_truth decides = own->what == '&' ? TRUTH_NO : TRUTH_YES;
        if (left == decides || right == decides)
            return decides;
        return left == TRUTH_UNKNOWN ? left : right;
    }
    if (filter->node[own->left].type == FILTER_TEXT)
        return compare_text(own->what, filter_text(filter, own->left, card), filter_text(filter, own->right, card));
    return compare(own->what, filter_number(filter, own->left, card, price),
                   filter_number(filter, own->right, card, price));
}

static int collect(const struct duel_filter *filter, int node, int *out, int count, int most)
{
    const struct duel_filter_node *own = &filter->node[node];
    if (own->what == '&') {
        count = collect(filter, own->left, out, count, most);
        return collect(filter, own->right, out, count, most);
    }
    if (count < most)
        out[count++] = node;
    return count;
}

int filter_parts(const struct duel_filter *filter, int *node, int most)
{
    return collect(filter, filter->root, node, 0, most);
}
