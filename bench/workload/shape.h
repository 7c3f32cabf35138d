/* shape.h: sizes of problems: from the command line into extents, and from extents into words. */
#ifndef DUEL_WORKLOAD_SHAPE_H
#define DUEL_WORKLOAD_SHAPE_H

#include "bench/options/options.h"
#include "bench/workload/workload.h"

/* Gives `problem` the extents of a size as it was typed: --n sets those that the workload says, --shape all of them in
 * the workload's order. False when --shape has another number of extents than the workload. */
bool shape_apply(const struct duel_workload *workload, const struct duel_shape *shape, struct duel_problem *problem);

/* Do two problems have the same extents? */
bool shape_same(const struct duel_problem *a, const struct duel_problem *b);
/* Could --n alone have given this problem? The name may be of a workload that this version does not know. */
bool shape_by_n(const char *workload, const struct duel_problem *problem);
/* The number that --n would have to be: the geometric mean of the extents that it sets. */
double shape_size(const char *workload, const struct duel_problem *problem);
/* The letter that stands for a size that --n gave: n, or m where the workload has no n. */
char shape_letter(const char *workload);
/* The sizes of an axis: "n (m = n = k)" or "m" where all are of --n, else the extents whose mean they are: "m n k".
 * Returns `text`. */
const char *shape_axis(const char *workload, bool by_n, char *text, size_t size);
/* "n = 512", or "m x n x k = 1000 x 10 x 500". Returns `text`. */
const char *shape_words(const char *workload, const struct duel_problem *problem, char *text, size_t size);
/* The letters of its extents: "m x n x k". Returns `text`. */
const char *shape_names(const char *workload, const char *between, char *text, size_t size);
/* As one would type it after --n or --shape: "512", "1000x10x500". Returns `text`. */
const char *shape_typed(const char *workload, const struct duel_problem *problem, char *text, size_t size);

#endif
