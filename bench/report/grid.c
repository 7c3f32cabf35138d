#include "bench/report/grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void grid_row(struct duel_grid *grid, enum duel_shade shade)
{
    if (grid->rows == grid->capacity) {
        int capacity = grid->capacity ? 2 * grid->capacity : 16;
        struct duel_grid_row *grown = realloc(grid->row, (size_t)capacity * sizeof *grown);
        if (!grown) {
            grid->failed = true;
            grid->at = GRID_COLUMNS;
            return;
        }
        grid->row = grown;
        grid->capacity = capacity;
    }
    memset(&grid->row[grid->rows], 0, sizeof *grid->row);
    grid->row[grid->rows++].shade = shade;
    grid->at = 0;
}

void grid_heading(struct duel_grid *grid, const char *text)
{
    grid_row(grid, SHADE_BOLD);
    grid_cell(grid, "%s", text);
    if (!grid->failed)
        grid->row[grid->rows - 1].across = true;
}

void grid_cell(struct duel_grid *grid, const char *format, ...)
{
    if (grid->rows == 0 || grid->at == GRID_COLUMNS)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(grid->row[grid->rows - 1].cell[grid->at], GRID_CELL, format, args);
    va_end(args);
    grid->at++;
    grid->columns = grid->at > grid->columns ? grid->at : grid->columns;
}

/* 0 for a column in which only the heading says something. */
static int width_of(const struct duel_grid *grid, int column)
{
    int width = 0;
    for (int i = 1; i < grid->rows; i++) {
        int own = grid->row[i].across ? 0 : format_width(grid->row[i].cell[column]);
        width = own > width ? own : width;
    }
    int head = width > 0 ? format_width(grid->row[0].cell[column]) : 0;
    return head > width ? head : width;
}

/* Ends after its last cell that is not empty, so that no line ends in blanks. */
static void print_row(const struct duel_grid *grid, const struct duel_grid_row *row, const int *width, FILE *stream,
                      const struct duel_console *console)
{
    int last = -1;
    for (int c = 0; c < grid->columns; c++)
        last = *row->cell[c] && width[c] > 0 ? c : last;
    for (int c = 0; c <= last; c++) {
        bool left = grid->left >> c & 1;
        int pad = row->across ? 0 : width[c] - format_width(row->cell[c]);
        if (width[c] == 0)
            continue;
        fprintf(stream, "  %*s%s%s%s%*s", left ? 0 : pad, "", console_shade(console, row->shade), row->cell[c],
                console_end(console), left && c < last ? pad : 0, "");
    }
    fputc('\n', stream);
}

void grid_print(const struct duel_grid *grid, FILE *stream, const struct duel_console *console)
{
    int width[GRID_COLUMNS];
    for (int c = 0; c < grid->columns; c++)
        width[c] = width_of(grid, c);
    for (int i = 0; i < grid->rows; i++)
        print_row(grid, &grid->row[i], width, stream, console);
    if (grid->failed)
        fputs("  out of memory: rows are missing here\n", stream);
}

void grid_free(struct duel_grid *grid)
{
    free(grid->row);
    *grid = (struct duel_grid){0};
}
