/* columns.h: the columns of the terminal table as a const table: a heading, and what stands in each row. */
#ifndef DUEL_COLUMNS_H
#define DUEL_COLUMNS_H

#include "bench/record/result.h"
#include "bench/report/console.h"

#define DUEL_CELL 128   /* bytes of one cell */
#define DUEL_COLUMNS 20 /* at most */

struct duel_view {
    const struct duel_console *console;
    FILE *stream;
    bool copies; /* some timed row copies: only then is end-to-end a column of its own */
};

struct duel_column {
    const char *head, *head_utf8; /* the second one where the terminal can show it */
    bool left;
    /* Writes at most DUEL_CELL bytes; leaves `out` empty when there is nothing to say. */
    void (*cell)(const struct duel_view *view, const struct duel_result *row, char *out);
    enum duel_shade shade; /* of a row that is not FAILED */
};

extern const struct duel_column duel_columns[]; /* head == NULL ends it */

#endif
