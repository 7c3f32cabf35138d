/* changes.h: where a series of times jumps to another level and stays there. */
#ifndef DUEL_CHANGES_H
#define DUEL_CHANGES_H

#include <stdbool.h>
#include <stddef.h>

#define CHANGES_SHORTEST 3 /* values of a level; fewer are outliers */
#define CHANGES_FEWEST 10  /* values that can prove a change */

/* A stretch of values without a change inside. */
struct duel_level {
    size_t begin, count;
    double median;
};

/* Cuts a series of positive values into *levels stretches; *level, to be freed, describes them in order. Neighbours
 * differ significantly (among series without a change about one in a hundred is cut) and by at least the share `least`
 * of their medians. Only the order of the values counts, so outliers and the shape of the noise do not matter; but they
 * are taken to be independent of each other, as those of fresh processes are. false: out of memory. */
bool stats_changes(const double *value, size_t count, double least, struct duel_level **level, size_t *levels);

#endif
