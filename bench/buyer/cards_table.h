/* cards_table.h: the chosen cards for people, with sources, and as data. */
#ifndef DUEL_CARDS_TABLE_H
#define DUEL_CARDS_TABLE_H

#include "bench/buyer/choice.h"

void cards_table(FILE *stream, const struct duel_choice *choice, const struct duel_options *options);
/* --json and --csv: every column of the table, price, rent, their date, and `sort_value`. */
enum duel_status cards_data(const struct duel_choice *choice, const struct duel_options *options, struct duel_why *why);

#endif
