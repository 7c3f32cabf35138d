/* layout.h: where labels and tick marks go, so that none lies on another. */
#ifndef DUEL_LAYOUT_H
#define DUEL_LAYOUT_H

#include <stddef.h>
#include <stdio.h>

/* Moves labels apart: place[i] is where label i would like to be. Afterwards all lie in [low, high], at least `gap`
 * apart (or evenly spread when there is no room for that), in the same order, moved as little as possible in the least
 * squares sense. */
void layout_spread(double *place, size_t count, double gap, double low, double high);

/* Writes the inside of gnuplot's `set tics (...)` for a logarithmic axis from low to high: decades, and 2 and 5 between
 * them when there are fewer than three decades. Returns the length of the longest. */
int layout_decades(FILE *stream, double low, double high);
typedef void layout_name(double value, char *out, size_t room);
/* With names of their own for the marks. */
int layout_decades_named(FILE *stream, double low, double high, layout_name *name);
/* The same for the sizes of a run: as many of them as fit without touching, the largest always. */
void layout_sizes(FILE *stream, const double *size, size_t count, double low, double high);
/* With names of their own for the sizes. */
void layout_named(FILE *stream, const double *size, size_t count, double low, double high, layout_name *name);

#endif
