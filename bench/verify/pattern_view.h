/* pattern_view.h: a wrong answer as the tests of pattern.c and moved.c see it. */
#ifndef DUEL_PATTERN_VIEW_H
#define DUEL_PATTERN_VIEW_H

#include <math.h>

#include "bench/verify/pattern.h"

/* A few numbers agree with many explanations by chance; rows of a product of few terms are multiples of each other. */
enum { ENOUGH_ELEMENTS = 16, ENOUGH_TERMS = 4 };
#define SECOND 0.3 /* what else the same numbers could mean */

/* The pattern with what follows from it. */
struct pattern_view {
    const struct duel_pattern *p;
    double *product, *wanted; /* m x n: (value - beta C) / alpha, and A B */
    unsigned char *wrong;     /* m x n */
    int64_t count, top, bottom, left, right;
    double weight;
    struct duel_suspects *suspects;
};

static inline bool equal(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1 + fabs(a) + fabs(b));
}

static inline void blame(const struct pattern_view *v, enum duel_cause cause, double share)
{
    v->suspects->weight[cause] += share * v->weight;
}

static inline void blame_two(const struct pattern_view *v, enum duel_cause first, enum duel_cause second)
{
    blame(v, first, 1 - SECOND);
    blame(v, second, SECOND);
}

/* moved.c: does every wrong element hold a right number of another place? Each blames a cause if so. */
bool moved_rows(const struct pattern_view *v);
bool moved_columns(const struct pattern_view *v);
bool moved_anywhere(const struct pattern_view *v);
bool borrowed_in_row(const struct pattern_view *v);
bool borrowed_in_column(const struct pattern_view *v);

#endif
