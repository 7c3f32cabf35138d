/* spreadsheet.h: a small table of text as a spreadsheet writes it: a first line of names, cells in quotes where they
 * hold a comma. People edit these files, so a mistake in one is answered with its line; what is too large to be one is
 * refused before it is read whole. */
#ifndef DUEL_SPREADSHEET_H
#define DUEL_SPREADSHEET_H

#include "bench/duel.h"

#define SPREADSHEET_CELL 512   /* bytes of one cell */
#define SPREADSHEET_COLUMNS 64 /* of one line */

struct duel_spreadsheet {
    const char *path;
    char *text;                            /* all of it */
    const char *at;                        /* where the rest begins */
    int line;                              /* being read, from 1 */
    int cells;                             /* of the first line */
    size_t column_of[SPREADSHEET_COLUMNS]; /* position in `names` of each cell; their number: none of them */
    const char *matters;                   /* of every message */
};

/* Reads the file, and its first line against the NULL-terminated list of names that it must have, in any order; other
 * columns are passed over. `matters` says in messages why the table is needed. DUEL_EIO: it cannot be read. */
enum duel_status spreadsheet_open(struct duel_spreadsheet *sheet, const char *path, const char *const *names,
                                  const char *matters, struct duel_why *why);
/* The next line that is not blank, into as many cells as there are `names`, in their order. *more is false at the end.
 */
enum duel_status spreadsheet_next(struct duel_spreadsheet *sheet, char (*cell)[SPREADSHEET_CELL], size_t names,
                                  bool *more, struct duel_why *why);
/* DUEL_EINVAL with file and line: "FILE, line 3: FAULT: CELL". */
enum duel_status spreadsheet_refuse(const struct duel_spreadsheet *sheet, struct duel_why *why, const char *next,
                                    const char *fault, const char *cell);
/* A cell as a number above 0; NaN for an empty one. False when it is neither. */
bool spreadsheet_number(const char *cell, double *value);
void spreadsheet_close(struct duel_spreadsheet *sheet);

#endif
