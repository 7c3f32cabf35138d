/* filter_operands.c: columns, texts and numbers of a condition. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bench/cards/filter_parser.h"
#include "bench/options/options.h"

/* Short words for what the table calls at length. */
static const struct {
    const char *name, *column;
} short_names[] = {
    {"fp16", "fp16_tensor_tflops_dense"},
    {"fp16_acc16", "fp16_acc16_tensor_tflops_dense"},
    {"tf32", "tf32_tensor_tflops_dense"},
    {"fp8", "fp8_tensor_tflops_dense"},
    {"fp32", "fp32_tflops"},
    {"fp64", "fp64_tflops"},
    {"memory", "memory_gb"},
    {"bandwidth", "memory_bandwidth_gb_s"},
    {"power", "tdp_w"},
    {"link", "host_link_gb_s"},
    {"nvlink", "nvlink_gb_s"},
};
#define SHORT_NAMES (sizeof short_names / sizeof *short_names)

int filter_refuse(struct filter_parser *parser, const char *fault, const char *next)
{
    const char *text = parser->filter->text;
    if (!parser->failed)
        duel_fail(parser->why, DUEL_EINVAL, "cards would be chosen by something else than was meant", next,
                  "%s \"%.100s\": %s%s%.40s%s", parser->option, text, fault, *parser->at ? " at \"" : " at its end",
                  parser->at, *parser->at ? "\"" : "");
    parser->failed = true;
    return -1;
}

int filter_add(struct filter_parser *parser, char what, enum duel_filter_type type, int left, int right)
{
    struct duel_filter *filter = parser->filter;
    if (parser->failed)
        return -1;
    if (filter->count == FILTER_NODES)
        return filter_refuse(parser, "it is too long,", "write a shorter one");
    struct duel_filter_node *node = &filter->node[filter->count];
    *node = (struct duel_filter_node){.what = what, .type = type, .left = left, .right = right, .number = NAN};
    node->from = left >= 0 ? filter->node[left].from : (int)(parser->at - filter->text);
    node->to = right >= 0 ? filter->node[right].to : left >= 0 ? filter->node[left].to : node->from;
    return filter->count++;
}

void filter_pass_blanks(struct filter_parser *parser)
{
    while (*parser->at == ' ' || *parser->at == '\t')
        parser->at++;
}

size_t filter_word_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length;
}

static int unknown_column(struct filter_parser *parser, size_t length)
{
    const char *names[64];
    char word[64], near[160], next[240];
    int count = 0;
    for (const struct duel_card_column *column = duel_card_columns; column->name && count < 40; column++)
        names[count++] = column->name;
    for (size_t i = 0; i < SHORT_NAMES; i++)
        names[count++] = short_names[i].name;
    names[count++] = "price";
    names[count++] = "rent_per_hour";
    names[count] = NULL;
    snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : (int)sizeof word - 1, parser->at);
    nearest_names(word, names, 3, near, sizeof near);
    snprintf(next, sizeof next, "%s%s%s`duel cards --csv -` shows the names of all columns",
             *near ? "did you mean " : "", near, *near ? "? " : "");
    return filter_refuse(parser, "there is no such column", next);
}

int filter_column(struct filter_parser *parser)
{
    const size_t length = filter_word_length(parser->at);
    char word[64] = "";
    if (length < sizeof word)
        memcpy(word, parser->at, length);
    const bool price = strcasecmp(word, "price") == 0, rent = strcasecmp(word, "rent_per_hour") == 0;
    const char *full = word;
    for (size_t i = 0; i < SHORT_NAMES; i++)
        full = strcasecmp(word, short_names[i].name) == 0 ? short_names[i].column : full;
    const struct duel_card_column *column = duel_card_columns;
    while (column->name && strcasecmp(column->name, full) != 0)
        column++;
    if (!price && !rent && !column->name)
        return unknown_column(parser, length);
    const bool number = price || rent || column->number;
    const int node = filter_add(parser, price ? '$' : rent ? 'h' : 'c', number ? FILTER_NUMBER : FILTER_TEXT, -1, -1);
    parser->at += length;
    if (node < 0)
        return node;
    parser->filter->prices |= price || rent;
    parser->filter->node[node].column = price || rent ? NULL : column;
    parser->filter->node[node].to = (int)(parser->at - parser->filter->text);
    return node;
}

int filter_quoted(struct filter_parser *parser)
{
    const char quote = *parser->at == '"' || *parser->at == '\'' ? *parser->at : '\0';
    const char *start = parser->at + (quote != '\0'), *end = start;
    while (*end && (quote ? *end != quote : !strchr(" \t()<>=!~\"'", *end)))
        end++;
    if (quote && *end != quote)
        return filter_refuse(parser, "a quote is not closed", "close it");
    if ((size_t)(end - start) >= sizeof parser->filter->node->text)
        return filter_refuse(parser, "a text is too long", "write a shorter one");
    if (end == start)
        return filter_refuse(parser, "a text is missing", "write a word, or text in quotes");
    const int node = filter_add(parser, '"', FILTER_TEXT, -1, -1);
    parser->at = end + (quote != '\0');
    if (node < 0)
        return node;
    memcpy(parser->filter->node[node].text, start, (size_t)(end - start));
    parser->filter->node[node].to = (int)(parser->at - parser->filter->text);
    return node;
}

int filter_literal(struct filter_parser *parser)
{
    const int node = filter_add(parser, '0', FILTER_NUMBER, -1, -1);
    size_t length = strspn(parser->at, "0123456789.");
    char digits[40] = "", *end = digits;
    if (length < sizeof digits)
        memcpy(digits, parser->at, length);
    const double number = strtod(digits, &end);
    if (end == digits || *end || filter_word_length(parser->at + length) > 0)
        return filter_refuse(parser, "this is no number",
                             "write one such as 24 or 0.5; units stand in the names of columns");
    parser->at += length;
    if (node < 0)
        return node;
    parser->filter->node[node].number = number;
    parser->filter->node[node].to = (int)(parser->at - parser->filter->text);
    return node;
}
