/* moved.c: right numbers in wrong places: rows or columns that hold another's, and elements that changed places. */
#include <stdlib.h>

#include "bench/verify/pattern_view.h"

enum { ENOUGH_IN_LINE = 4 };
#define MIRACLE 1e-9

/* Does line i hold, where it is wrong, what belongs into line `other`? Lines are rows, or columns. */
static bool same_line(const struct pattern_view *v, bool rows, int64_t i, int64_t other)
{
    const int64_t across = rows ? v->p->n : v->p->m, n = v->p->n;
    int64_t seen = 0;
    for (int64_t j = 0; j < across; j++) {
        const int64_t here = rows ? i * n + j : j * n + i, there = rows ? other * n + j : j * n + other;
        if (!v->wrong[here])
            continue;
        if (!equal(v->product[here], other < 0 ? 0 : v->wanted[there]))
            return false;
        seen++;
    }
    return seen >= ENOUGH_IN_LINE;
}

static bool moved_lines(const struct pattern_view *v, bool rows)
{
    const int64_t lines = rows ? v->p->m : v->p->n, across = rows ? v->p->n : v->p->m;
    int64_t moved = 0;
    for (int64_t i = 0; i < lines; i++) {
        bool wrong = false;
        for (int64_t j = 0; j < across; j++)
            wrong = wrong || v->wrong[rows ? i * v->p->n + j : j * v->p->n + i];
        int64_t other = wrong ? lines - 1 : -2;
        while (other >= 0 && !same_line(v, rows, i, other))
            other--;
        if (other == -1 && !same_line(v, rows, i, -1)) /* from outside the matrix a line of zeros comes */
            return false;
        moved += other >= 0;
    }
    if (moved == 0)
        return false;
    blame(v, rows ? CAUSE_ROW : CAUSE_COLUMN, 1);
    return true;
}

bool moved_rows(const struct pattern_view *v)
{
    return v->p->k >= ENOUGH_TERMS && moved_lines(v, true);
}

bool moved_columns(const struct pattern_view *v)
{
    return v->p->k >= ENOUGH_TERMS && moved_lines(v, false);
}

/* Is `number` somewhere in line i? Outside the matrix there are zeros. */
static bool in_line(const struct pattern_view *v, bool rows, int64_t i, double number)
{
    const int64_t across = rows ? v->p->n : v->p->m, n = v->p->n;
    bool found = equal(number, 0);
    for (int64_t j = 0; !found && j < across; j++)
        found = equal(number, v->wanted[rows ? i * n + j : j * n + i]);
    return found;
}

/* Every wrong element holds a number of its own row (or column), though not of one and the same place. How often that
 * happens by chance is seen with numbers that belong into the next row: all of so many would be a miracle. */
static bool borrowed(const struct pattern_view *v, bool rows)
{
    const int64_t m = v->p->m, n = v->p->n;
    int64_t chance = 0;
    for (int64_t e = 0; e < m * n; e++) {
        const int64_t i = e / n, j = e % n;
        if (!v->wrong[e])
            continue;
        if (!in_line(v, rows, rows ? i : j, v->product[e]))
            return false;
        chance += in_line(v, rows, rows ? i : j, v->wanted[rows ? (i + 1) % m * n + j : i * n + (j + 1) % n]);
    }
    const double share = (double)chance / (double)v->count;
    if (v->count < ENOUGH_ELEMENTS || (double)v->count * log(share) > log(MIRACLE))
        return false;
    blame_two(v, rows ? CAUSE_COLUMN : CAUSE_ROW, CAUSE_PLACE);
    return true;
}

bool borrowed_in_row(const struct pattern_view *v)
{
    return borrowed(v, true);
}

bool borrowed_in_column(const struct pattern_view *v)
{
    return borrowed(v, false);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The wrong elements hold the right numbers in another order. */
bool moved_anywhere(const struct pattern_view *v)
{
    double *have = malloc((size_t)v->count * 2 * sizeof *have + 1), *want = have + v->count;
    int64_t count = 0;
    bool all = have && v->count >= ENOUGH_ELEMENTS;
    for (int64_t e = 0; all && e < v->p->m * v->p->n; e++)
        if (v->wrong[e]) {
            have[count] = v->product[e];
            want[count++] = v->wanted[e];
        }
    if (all) {
        qsort(have, (size_t)count, sizeof *have, ascending);
        qsort(want, (size_t)count, sizeof *want, ascending);
    }
    for (int64_t i = 0; all && i < count; i++)
        all = equal(have[i], want[i]);
    free(have);
    if (all)
        blame(v, CAUSE_PLACE, 1);
    return all;
}
