/* csv.h: results as comma-separated values (RFC 4180, with a bare newline as line end). Unknown is an empty cell. */
#ifndef DUEL_CSV_H
#define DUEL_CSV_H

#include <stdio.h>

#include "bench/record/result.h"
#include "bench/record/value.h"

void csv_header(FILE *stream);
void csv_result(FILE *stream, const struct duel_result *result);
/* One cell of text: quoted where RFC 4180 asks for it; text that a spreadsheet would take for a formula (it begins with
 * = + - @, a tab or a carriage return) is led by an apostrophe. */
void csv_text(FILE *stream, const char *text);
/* One cell with a finite number: the fewest digits that read back as the same double, with a point in every locale. */
void csv_real(FILE *stream, double value);
/* One cell of any kind; unknown and lists of samples leave it empty. */
void csv_value(FILE *stream, const struct duel_value *value);

#endif
