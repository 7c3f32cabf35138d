/* grid.h: a table for the terminal made of text cells: columns as wide as they need, empty ones left out. */
#ifndef DUEL_GRID_H
#define DUEL_GRID_H

#include "bench/report/console.h"

#define GRID_COLUMNS 16
#define GRID_CELL 128

struct duel_grid_row {
    char cell[GRID_COLUMNS][GRID_CELL];
    enum duel_shade shade;
    bool across; /* its first cell alone, over the columns of the rows below, which it does not widen */
};

/* The first row is the heading: a column that is empty below it is not printed. Zero-initialised it is empty. */
struct duel_grid {
    struct duel_grid_row *row;
    int rows, capacity, columns, at;
    unsigned left; /* bit i: column i is text and stands left; the others are numbers */
    bool failed;   /* out of memory: rows are missing */
};

/* Begins a row; cells follow from left to right. */
void grid_row(struct duel_grid *grid, enum duel_shade shade);
/* A row that is the heading of those below it, up to the next one. */
void grid_heading(struct duel_grid *grid, const char *text);
void grid_cell(struct duel_grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));
void grid_print(const struct duel_grid *grid, FILE *stream, const struct duel_console *console);
void grid_free(struct duel_grid *grid);

#endif
