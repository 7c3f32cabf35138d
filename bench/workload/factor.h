/* factor.h: Cholesky's factor in FP64, and how far rounding may move one that was computed in a lesser type. */
#ifndef DUEL_WORKLOAD_FACTOR_H
#define DUEL_WORKLOAD_FACTOR_H

#include "bench/workload/workload.h"

/* The factor of `a`, of which only the lower triangle is read, into the lower triangle of `l`, n x n. Returns the first
 * column whose pivot is not above 0, or n; from there on the elements of later rows are NaN. */
int64_t factor_make(int64_t n, const struct duel_matrix *a, double *l);

/* The magnitudes of the roundings in a whole factor `l`, into `size`, n x n; fills what stands above the diagonals of
 * both with 0.
 *
 * The computed factor is the exact one of A + E with |E| <= g |L||L^T| (Higham, Accuracy and Stability, 2nd ed.,
 * Theorem 10.3), and E moves L by L F(L^-1 E L^-T), where F takes the lower triangle and half the diagonal (Chang,
 * Paige & Stewart, IMA J. Numer. Anal. 16, 1996). So with S = |L^-1||L| no element moves by more than g |L| F(S S^T),
 * to first order. */
void factor_magnitudes(int64_t n, double *l, double *size);

#endif
