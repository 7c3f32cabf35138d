#include "bench/cards/spreadsheet.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Anything larger is another kind of file. */
#define MOST_BYTES ((size_t)1 << 20)

enum duel_status spreadsheet_refuse(const struct duel_spreadsheet *sheet, struct duel_why *why, const char *next,
                                    const char *fault, const char *cell)
{
    return duel_fail(why, DUEL_EINVAL, sheet->matters, next, "%s, line %d: %s%s%.60s", sheet->path, sheet->line, fault,
                     *cell ? ": " : "", cell);
}

/* The whole file with a zero at its end; NULL with *why filled. */
static char *read_text(const struct duel_spreadsheet *sheet, enum duel_status *status, struct duel_why *why)
{
    FILE *file = fopen(sheet->path, "re");
    char *text = file ? malloc(MOST_BYTES + 2) : NULL;
    size_t bytes = text ? fread(text, 1, MOST_BYTES + 1, file) : 0;
    const bool broken = !text || ferror(file);
    const int reason = errno;
    if (file)
        fclose(file);
    if (!broken && bytes <= MOST_BYTES && !memchr(text, '\0', bytes)) {
        text[bytes] = '\0';
        return text;
    }
    free(text);
    if (broken)
        *status = duel_fail(why, DUEL_EIO, sheet->matters, "give a file that can be read", "%s cannot be read: %s",
                            sheet->path, strerror(reason));
    else
        *status =
            duel_fail(why, DUEL_EINVAL, sheet->matters, "give a table of text, of 1 MiB at most",
                      "%s is no such table: it is longer than 1 MiB, or holds bytes that are no text", sheet->path);
    return NULL;
}

/* Reads one cell into `out`. Returns what ended it: ',', '\n' or '\0'; -1 when it is broken or too long. */
static int read_cell(struct duel_spreadsheet *sheet, char out[SPREADSHEET_CELL])
{
    size_t used = 0;
    const bool quoted = *sheet->at == '"';
    sheet->at += quoted;
    for (;; sheet->at++) {
        const char letter = *sheet->at;
        if (quoted && letter == '"' && *++sheet->at != '"')
            break;
        if (letter == '\0' || (!quoted && (letter == ',' || letter == '\n')))
            break;
        if (used == SPREADSHEET_CELL - 1 || (quoted && letter == '\n'))
            return -1;
        out[used++] = letter;
    }
    if (!quoted && used > 0 && out[used - 1] == '\r')
        used--;
    out[used] = '\0';
    sheet->at += quoted && *sheet->at == '\r';
    const char end = *sheet->at;
    if (end != ',' && end != '\n' && end != '\0')
        return -1;
    sheet->at += end != '\0';
    return end;
}

static size_t position(const char *const *names, const char *cell)
{
    size_t i = 0;
    while (names[i] && strcmp(names[i], cell) != 0)
        i++;
    return i;
}

static enum duel_status read_names(struct duel_spreadsheet *sheet, const char *const *names, struct duel_why *why)
{
    char cell[SPREADSHEET_CELL];
    bool found[SPREADSHEET_COLUMNS] = {false};
    for (int end = ','; end == ','; sheet->cells++) {
        end = read_cell(sheet, cell);
        if (end < 0 || sheet->cells == SPREADSHEET_COLUMNS)
            return spreadsheet_refuse(sheet, why, "write the names of the columns, joined by commas",
                                      "the first line is broken", "");
        const size_t column = position(names, cell);
        if (names[column] && found[column])
            return spreadsheet_refuse(sheet, why, "leave one of them", "two columns have one name", cell);
        found[column] = true;
        sheet->column_of[sheet->cells] = column;
    }
    for (size_t column = 0; names[column]; column++)
        if (!found[column])
            return spreadsheet_refuse(sheet, why, "add it; its cells may be empty", "a column is missing",
                                      names[column]);
    return DUEL_OK;
}

enum duel_status spreadsheet_open(struct duel_spreadsheet *sheet, const char *path, const char *const *names,
                                  const char *matters, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    *sheet = (struct duel_spreadsheet){.path = path, .line = 1, .matters = matters};
    sheet->text = read_text(sheet, &status, why);
    if (!sheet->text)
        return status;
    sheet->at = sheet->text;
    status = read_names(sheet, names, why);
    if (status != DUEL_OK)
        spreadsheet_close(sheet);
    return status;
}

/* A line of nothing but blanks and commas is what is left of a row that someone emptied. */
static void pass_blank_lines(struct duel_spreadsheet *sheet)
{
    for (size_t length; (length = strspn(sheet->at, ", \t\r")), sheet->at[length] == '\n';) {
        sheet->at += length + 1;
        sheet->line++;
    }
    if (sheet->at[strspn(sheet->at, ", \t\r")] == '\0')
        sheet->at += strlen(sheet->at);
}

enum duel_status spreadsheet_next(struct duel_spreadsheet *sheet, char (*cell)[SPREADSHEET_CELL], size_t names,
                                  bool *more, struct duel_why *why)
{
    char text[SPREADSHEET_CELL];
    int cells = 0;
    sheet->line++;
    pass_blank_lines(sheet);
    *more = *sheet->at != '\0';
    if (!*more)
        return DUEL_OK;
    memset(cell, 0, names * sizeof *cell);
    for (int end = ','; end == ','; cells++) {
        end = read_cell(sheet, text);
        if (end < 0)
            return spreadsheet_refuse(sheet, why, "close its quotes, or shorten it", "a cell is broken", cell[0]);
        if (cells == sheet->cells || (end != ',' && cells + 1 < sheet->cells))
            return spreadsheet_refuse(sheet, why, "put cells that hold a comma into quotes", "wrong number of cells",
                                      cell[0]);
        if (sheet->column_of[cells] < names)
            memcpy(cell[sheet->column_of[cells]], text, sizeof text);
    }
    return DUEL_OK;
}

bool spreadsheet_number(const char *cell, double *value)
{
    char *end = NULL;
    *value = *cell ? strtod(cell, &end) : NAN;
    return !*cell || (strspn(cell, "0123456789.") == strlen(cell) && !*end && *value > 0 && isfinite(*value));
}

void spreadsheet_close(struct duel_spreadsheet *sheet)
{
    free(sheet->text);
    *sheet = (struct duel_spreadsheet){.text = NULL};
}
