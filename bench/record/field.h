/* field.h: the fields of a result as one const table. JSON, CSV and the column dictionary of reports/README.md all
 * read it, so that they cannot disagree; a new field is one new line in field.c. */
#ifndef DUEL_FIELD_H
#define DUEL_FIELD_H

#include <stdio.h>

#include "bench/record/value.h"

/* On which rows a field may appear at all. */
enum duel_field_scope {
    SCOPE_ALWAYS,
    SCOPE_TIMED,  /* times and what follows from them: only where result_timed() */
    SCOPE_JUDGED, /* only where the output was verified, rightly or wrongly */
    SCOPE_FAILED
};

struct duel_field {
    const char *name; /* with its unit */
    const char *unit; /* for the dictionary; "" when there is none */
    enum duel_field_scope scope;
    bool csv; /* arrays of samples are in the JSON only */
    duel_value_reader *read;
    size_t offset, size;                                  /* of the member in struct duel_result */
    const char *(*why)(const struct duel_result *result); /* optional: why it is unknown; NULL when that says nothing */
    const char *help;                                     /* one sentence */
};

extern const struct duel_field duel_field_table[]; /* in the order of the CSV columns; name == NULL ends it */

/* Reads one field. Unknown, not finite and not allowed on this row all give VALUE_UNKNOWN. */
void field_value(const struct duel_field *field, const struct duel_result *result, struct duel_value *value);
/* Why field_value() is unknown, when that is worth telling; else NULL. */
const char *field_why(const struct duel_field *field, const struct duel_result *result);
/* Writes the column dictionary as a Markdown table. */
void field_dictionary(FILE *stream);

#endif
