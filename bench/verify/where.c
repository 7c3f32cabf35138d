/* where.c: which rows and columns of an output are wrong, in words. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/verify/pattern.h"

/* Which of the lines (rows, or columns) have a wrong element: first, last, how many, and how far apart if evenly. */
struct lines {
    int64_t all, count, first, last, step;
};

static struct lines lines_of(const unsigned char *wrong, int64_t rows, int64_t columns, bool of_rows)
{
    struct lines lines = {.all = of_rows ? rows : columns, .first = -1, .last = -1};
    for (int64_t i = 0; i < lines.all; i++) {
        bool any = false;
        for (int64_t j = 0; !any && j < (of_rows ? columns : rows); j++)
            any = wrong[of_rows ? i * columns + j : j * columns + i];
        if (!any)
            continue;
        if (lines.count == 1)
            lines.step = i - lines.last;
        else if (lines.count > 1 && lines.step != i - lines.last)
            lines.step = 0; /* not evenly */
        lines.first = lines.count == 0 ? i : lines.first;
        lines.last = i;
        lines.count++;
    }
    return lines;
}

/* "" when all of them are. */
static void say(const struct lines *lines, const char *what, char *text, size_t size)
{
    const long long first = lines->first, last = lines->last;
    if (lines->count == lines->all)
        text[0] = '\0';
    else if (lines->count == 1 && first == lines->all - 1)
        snprintf(text, size, "the last %s", what);
    else if (lines->count == 1)
        snprintf(text, size, "%s %lld", what, first);
    else if (lines->count == last - first + 1)
        snprintf(text, size, "%ss %lld to %lld", what, first, last);
    else if (lines->step > 1 && lines->count > 2)
        snprintf(text, size, "%ss %lld, %lld, .. %lld", what, first, first + (long long)lines->step, last);
    else
        snprintf(text, size, "%lld %ss from %lld to %lld", (long long)lines->count, what, first, last);
}

void pattern_where(const unsigned char *wrong, int64_t rows, int64_t columns, char *text, size_t size)
{
    char row[64], column[64];
    const struct lines down = lines_of(wrong, rows, columns, true), across = lines_of(wrong, rows, columns, false);
    if (down.count == 0) {
        snprintf(text, size, "nowhere");
        return;
    }
    say(&down, "row", row, sizeof row);
    say(&across, "column", column, sizeof column);
    snprintf(text, size, "%s%s%s", row, row[0] && column[0] ? ", " : "", column);
    if (!row[0] && !column[0])
        snprintf(text, size, "in all rows and columns");
}
