/* sheet.h: what one kind of record holds, as a const table, for records other than results: JSON, CSV and the
 * dictionary in reports/README.md all read it, so that they cannot disagree. */
#ifndef DUEL_SHEET_H
#define DUEL_SHEET_H

#include "bench/record/record.h"
#include "bench/record/value.h"

struct duel_cell {
    const char *name, *unit; /* the name carries the unit too */
    bool csv;                /* lists of samples are in the JSON only */
    duel_value_reader *read;
    size_t offset;                    /* of the member in the row's struct */
    const char *(*why)(const void *); /* optional: why it is unknown, from the whole row; NULL says nothing */
    const char *help;                 /* one sentence */
};

struct duel_sheet {
    const char *kind;             /* the record's first value */
    const struct duel_cell *cell; /* in the order of the CSV columns; name == NULL ends it */
};

void sheet_record(const struct duel_sheet *sheet, const void *row, struct duel_record *record);
void sheet_csv_header(const struct duel_sheet *sheet, FILE *stream);
void sheet_csv_row(const struct duel_sheet *sheet, const void *row, FILE *stream);
void sheet_dictionary(const struct duel_sheet *sheet, FILE *stream);

#endif
