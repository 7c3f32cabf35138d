/* filter_parse.c: from the text of a condition to its nodes, by recursive descent: `or` binds least, then `and`, `not`,
 * comparisons, + and -, * and /. Nodes and depth are bounded: whoever types the text may type anything. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "bench/cards/filter_parser.h"

#define DEEPEST 24

/* Takes `word` when it stands here as a whole word. */
static bool take_word(struct filter_parser *parser, const char *word)
{
    filter_pass_blanks(parser);
    const size_t length = strlen(word);
    if (filter_word_length(parser->at) != length || strncasecmp(parser->at, word, length) != 0)
        return false;
    parser->at += length;
    return true;
}

static bool take_sign(struct filter_parser *parser, const char *sign)
{
    filter_pass_blanks(parser);
    const size_t length = strlen(sign);
    if (strncmp(parser->at, sign, length) != 0)
        return false;
    parser->at += length;
    return true;
}

static int parse_or(struct filter_parser *parser);

static int parse_operand(struct filter_parser *parser)
{
    int node;
    filter_pass_blanks(parser);
    if (++parser->depth > DEEPEST)
        return filter_refuse(parser, "brackets are too deep", "write fewer of them");
    if (take_sign(parser, "(")) {
        node = parse_or(parser);
        if (!parser->failed && !take_sign(parser, ")"))
            return filter_refuse(parser, "a bracket is not closed", "close it with )");
    } else if (take_sign(parser, "-")) {
        const int operand = parse_operand(parser);
        if (operand >= 0 && parser->filter->node[operand].type != FILTER_NUMBER)
            return filter_refuse(parser, "only numbers have a sign", "leave the - out");
        node = filter_add(parser, '_', FILTER_NUMBER, operand, -1);
    } else if (isdigit((unsigned char)*parser->at) || *parser->at == '.') {
        node = filter_literal(parser);
    } else if (*parser->at == '"' || *parser->at == '\'') {
        node = filter_quoted(parser);
    } else if (filter_word_length(parser->at) > 0) {
        node = filter_column(parser);
    } else {
        node = filter_refuse(parser, "a column or a number is missing", "write for example memory_gb>=24");
    }
    parser->depth--;
    return node;
}

/* ---- operators -------------------------------------------------------------------------------------------------- */

static int join(struct filter_parser *parser, char what, enum duel_filter_type wanted, int left, int right)
{
    const struct duel_filter_node *node = parser->filter->node;
    if (parser->failed)
        return -1;
    if (node[left].type == wanted && (right < 0 || node[right].type == wanted))
        return filter_add(parser, what, wanted, left, right);
    return wanted == FILTER_TRUTH
               ? filter_refuse(parser, "`and`, `or` and `not` join comparisons",
                               "compare with something: memory_gb>=24")
               : filter_refuse(parser, "only numbers can be calculated with", "use columns that hold numbers");
}

static int parse_product(struct filter_parser *parser)
{
    int node = parse_operand(parser);
    while (!parser->failed) {
        const char what = take_sign(parser, "*") ? '*' : take_sign(parser, "/") ? '/' : '\0';
        if (!what)
            break;
        node = join(parser, what, FILTER_NUMBER, node, parse_operand(parser));
    }
    return node;
}

static int parse_sum(struct filter_parser *parser)
{
    int node = parse_product(parser);
    while (!parser->failed) {
        const char what = take_sign(parser, "+") ? '+' : take_sign(parser, "-") ? '-' : '\0';
        if (!what)
            break;
        node = join(parser, what, FILTER_NUMBER, node, parse_product(parser));
    }
    return node;
}

static int parse_comparison(struct filter_parser *parser)
{
    static const struct {
        const char *sign;
        char what;
    } signs[] = {{"<=", 'l'}, {">=", 'g'}, {"!=", 'n'}, {"==", '='}, {"<", '<'}, {">", '>'}, {"=", '='}, {"~", '~'}};
    const int left = parse_sum(parser);
    size_t i = 0;
    while (i < sizeof signs / sizeof *signs && !take_sign(parser, signs[i].sign))
        i++;
    if (parser->failed || i == sizeof signs / sizeof *signs)
        return left;
    const struct duel_filter_node *node = parser->filter->node;
    const bool text = node[left].type == FILTER_TEXT;
    filter_pass_blanks(parser);
    const int right = text ? filter_quoted(parser) : parse_sum(parser);
    if (parser->failed)
        return -1;
    if (node[left].type == FILTER_TRUTH || node[left].type != node[right].type)
        return filter_refuse(parser, "the two sides of a comparison are of different kinds",
                             "compare numbers with numbers and texts with texts");
    if (text ? !strchr("=n~", signs[i].what) : signs[i].what == '~')
        return filter_refuse(parser, "texts are compared with =, != and ~, numbers with <, <=, >, >=, = and !=",
                             "use another comparison");
    return filter_add(parser, signs[i].what, FILTER_TRUTH, left, right);
}

static int parse_not(struct filter_parser *parser)
{
    if (!take_word(parser, "not"))
        return parse_comparison(parser);
    if (++parser->depth > DEEPEST)
        return filter_refuse(parser, "too many of `not`", "write fewer of them");
    const int node = join(parser, '!', FILTER_TRUTH, parse_not(parser), -1);
    parser->depth--;
    return node;
}

static int parse_and(struct filter_parser *parser)
{
    int node = parse_not(parser);
    while (!parser->failed && take_word(parser, "and"))
        node = join(parser, '&', FILTER_TRUTH, node, parse_not(parser));
    return node;
}

static int parse_or(struct filter_parser *parser)
{
    int node = parse_and(parser);
    while (!parser->failed && take_word(parser, "or"))
        node = join(parser, '|', FILTER_TRUTH, node, parse_and(parser));
    return node;
}

/* ---- whole texts ------------------------------------------------------------------------------------------------ */

static struct filter_parser begin(struct duel_filter *filter, const char *option, const char *text,
                                  struct duel_why *why)
{
    *filter = (struct duel_filter){.text = text, .root = -1};
    return (struct filter_parser){.filter = filter, .option = option, .at = text, .why = why};
}

static enum duel_status end(struct filter_parser *parser)
{
    filter_pass_blanks(parser);
    if (!parser->failed && *parser->at)
        filter_refuse(parser, "nothing is expected here, but something stands", "join conditions with `and` or `or`");
    return parser->failed ? DUEL_EINVAL : DUEL_OK;
}

enum duel_status filter_condition(struct duel_filter *filter, const char *option, const char *text,
                                  struct duel_why *why)
{
    struct filter_parser parser = begin(filter, option, text, why);
    filter->root = parse_or(&parser);
    if (!parser.failed && filter->node[filter->root].type != FILTER_TRUTH)
        filter_refuse(&parser, "a comparison is missing", "write for example memory_gb>=24");
    return end(&parser);
}

enum duel_status filter_order(struct duel_filter *filter, const char *option, const char *text, struct duel_why *why)
{
    struct filter_parser parser = begin(filter, option, text, why);
    filter->root = parse_sum(&parser);
    if (!parser.failed && filter->node[filter->root].type == FILTER_TRUTH)
        filter_refuse(&parser, "this is a condition, and no order", "write a number such as fp16/price");
    filter->ascending = !parser.failed && filter->node[filter->root].type == FILTER_TEXT;
    if (take_word(&parser, "asc"))
        filter->ascending = true;
    else if (take_word(&parser, "desc"))
        filter->ascending = false;
    return end(&parser);
}
