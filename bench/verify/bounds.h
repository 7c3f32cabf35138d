/* bounds.h: how far a right answer may lie from the reference. Pure numbers, no matrices. */
#ifndef DUEL_BOUNDS_H
#define DUEL_BOUNDS_H

#include "bench/duel.h"

struct duel_bounds {
    double magnitude;   /* share of |alpha| (|A||B|) + |beta C| that rounding may move an element */
    double value;       /* share of |C|: the last rounding, to the output type */
    double floor;       /* absolute: what flushing tiny numbers to zero may lose */
    double fingerprint; /* largest relative Frobenius error of the whole output; INFINITY when it proves nothing */
    double probe;       /* share of the magnitude that FP64 may lose in one Freivalds probe */
    bool any_data;
};

/* `any_data` and `columns` as in struct duel_expectation: columns of the output, which a probe sums over. */
struct duel_bounds bounds_make(const struct duel_problem *problem, int64_t terms, int64_t columns, bool any_data);
/* Largest error of an element of this magnitude and value. */
double bounds_element(const struct duel_bounds *bounds, double magnitude, double value);
/* Largest residual of a row whose `columns` elements have these magnitudes in sum. */
double bounds_row(const struct duel_bounds *bounds, double magnitude, int64_t columns);

/* True when no rounding at all can happen on whole numbers -2 .. 2: alpha and beta are short binary fractions, and
 * every partial sum fits in the significand of the accumulator. For INT32 sums: on any INT8 data. */
bool bounds_exact(const struct duel_problem *problem, int64_t terms, enum duel_dtype accumulator);

/* Words for a relative Frobenius error that is typical of inputs narrower than `in`, or NULL. `spread` is the largest
 * error over the RMS error. */
const char *bounds_fingerprint_words(double relative, double spread, enum duel_dtype in);

#endif
