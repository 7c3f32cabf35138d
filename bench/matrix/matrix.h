/* matrix.h: operands in host memory: sizes with overflow checks, and the values they hold.
 *
 * Values are a pure function of (seed, operand, row, column): every implementation, device and thread count sees the
 * same numbers, no master copy is kept, and any element can be computed again. */
#ifndef DUEL_MATRIX_H
#define DUEL_MATRIX_H

#include "bench/duel.h"

enum duel_data {
    DUEL_UNIFORM,  /* [-1, 1) */
    DUEL_INTEGERS, /* whole numbers -2 .. 2, exact in every type */
    DUEL_NORMAL,   /* mean 0, variance 1 */
    DUEL_ZEROS     /* power-limited GPUs run faster on them than on any real data: for that lesson only */
};

/* A rows x columns operand in row-major storage with leading dimension ld >= columns. */
struct duel_matrix {
    enum duel_dtype type;
    int64_t rows, columns, ld;
    void *data; /* matrix_bytes() bytes; owned by whoever allocated it */
};

/* Bytes of storage, rows * ld * size, computed with overflow checks: DUEL_EINVAL when it does not fit in 63 bits. */
enum duel_status matrix_bytes(enum duel_dtype type, int64_t rows, int64_t ld, size_t *bytes, struct duel_why *why);

/* The value of element (row, column) of operand number `operand`. For DUEL_UNIFORM it is a multiple of 2^-23, so
 * FP32 holds it exactly and FP32 and FP64 rows multiply the same numbers. */
double matrix_value(enum duel_data data, uint64_t seed, int operand, int64_t row, int64_t column);

/* What a value is multiplied by before it is stored in this type. Whole numbers are the data quantised symmetrically,
 * and the problem is the one of the whole numbers: 127 for DUEL_UNIFORM, 32 for DUEL_NORMAL; else 1. */
double matrix_scale(enum duel_data data, enum duel_dtype type);

/* Writes every element rounded to the matrix's type; padding beyond `columns` becomes NaN, so that reading it shows.
 * convert_s (may be NULL) receives the seconds spent in rounding FP32 values to a narrower type, which is what a user
 * with FP32 data would pay; it stays untouched for FP32 and FP64. */
void matrix_fill(struct duel_matrix *matrix, enum duel_data data, uint64_t seed, int operand, double *convert_s);
/* Every byte 0xFF: NaN in every floating type; -1 in whole numbers, whose results are compared exactly. */
void matrix_poison(struct duel_matrix *matrix);

#endif
