/* filter_parser.h: the parser of conditions, between its two files. Internal to bench/cards. */
#ifndef DUEL_FILTER_PARSER_H
#define DUEL_FILTER_PARSER_H

#include "bench/cards/filter.h"

struct filter_parser {
    struct duel_filter *filter;
    const char *option;
    const char *at;
    int depth;
    bool failed;
    struct duel_why *why;
};

/* All of these return the position of a node, or -1: then the text is no condition and *why says it. Only the first
 * fault is told. */
int filter_refuse(struct filter_parser *parser, const char *fault, const char *next);
int filter_add(struct filter_parser *parser, char what, enum duel_filter_type type, int left, int right);
int filter_column(struct filter_parser *parser);  /* memory_gb */
int filter_quoted(struct filter_parser *parser);  /* 'in quotes'; or a bare word, behind a comparison with a text */
int filter_literal(struct filter_parser *parser); /* 24 */

void filter_pass_blanks(struct filter_parser *parser);
size_t filter_word_length(const char *at);

#endif
