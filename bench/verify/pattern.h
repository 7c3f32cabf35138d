/* pattern.h: which elements of a wrong answer are wrong, what stands there instead, and what mistake does that. Pure
 * numbers: whole inputs and exact results, as the exact tier has them. */
#ifndef DUEL_PATTERN_H
#define DUEL_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/record/cause.h"

/* A wrong answer of C = alpha A B + beta C. Matrices are dense, row by row, and borrowed. */
struct duel_pattern {
    int64_t m, n, k;
    double alpha, beta;
    const double *A, *B;         /* m x k, k x n: whole numbers */
    const double *before;        /* m x n; NULL when beta == 0 */
    const double *right, *value; /* m x n: what should be there, what is */
};

/* Where the wrong elements lie: "the last row", "columns 32 to 63", "every 8th row from row 7", "rows 0 to 3, columns 8
 * to 9". `wrong` has rows x columns bytes, 0 for right. */
void pattern_where(const unsigned char *wrong, int64_t rows, int64_t columns, char *text, size_t size);

/* What speaks for which cause. Nothing when the answer is right. False only for lack of memory. */
bool pattern_find(const struct duel_pattern *pattern, struct duel_suspects *suspects);

/* factors.c: which A', or which B', gives this product? True when whole numbers do, and then what differs between them
 * and the right ones has been added with this weight. `product` is m x n, A' B or A B'. */
bool factors_find(const struct duel_pattern *pattern, const double *product, double weight,
                  struct duel_suspects *suspects);

#endif
