#include "bench/workload/factor.h"

#include <math.h>

#include "bench/matrix/dtype.h"

static double at(const struct duel_matrix *matrix, int64_t i, int64_t j)
{
    return dtype_load(matrix->type, matrix->data, (size_t)(i * matrix->ld + j));
}

/* Eight sums side by side, because one alone would wait for its own addition each time. */
static double dot(const double *x, const double *y, int64_t count)
{
    enum { LANES = 8 };
    double lane[LANES] = {0}, sum = 0;
    int64_t j = 0;
    for (; j + LANES <= count; j += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] += x[j + l] * y[j + l];
    for (; j < count; j++)
        lane[0] += x[j] * y[j];
    for (int l = 0; l < LANES; l++)
        sum += lane[l];
    return sum;
}

int64_t factor_make(int64_t n, const struct duel_matrix *a, double *l)
{
    int64_t stop = n;
    for (int64_t i = 0; i < n; i++) {
        double *row = l + i * n;
        for (int64_t j = 0; j < i; j++)
            row[j] = j >= stop ? NAN : (at(a, i, j) - dot(row, l + j * n, j)) / l[j * n + j];
        const double pivot = stop < n ? NAN : at(a, i, i) - dot(row, row, i);
        if (!(pivot > 0) && stop == n)
            stop = i;
        row[i] = pivot > 0 ? sqrt(pivot) : NAN;
    }
    return stop;
}

/* Everything has its place in the two results, so no other memory is needed: L^-1 transposed above the diagonal of
 * `l`, S below the diagonal of `size`, S S^T from the diagonal upwards. The diagonals of L^-1 and S are 1 / l and 1. */
static void invert(int64_t n, double *l)
{
    for (int64_t j = 0; j < n; j++) {
        double *column = l + j * n; /* of L^-1, from j + 1 on */
        for (int64_t i = j + 1; i < n; i++) {
            const double *row = l + i * n;
            column[i] = -(row[j] / l[j * n + j] + dot(row + j + 1, column + j + 1, i - j - 1)) / row[i];
        }
    }
}

/* S = |L^-1||L|, row by row. */
static void scale_rows(int64_t n, const double *l, double *size)
{
    for (int64_t i = 0; i < n; i++) {
        double *s = size + i * n;
        for (int64_t j = 0; j < i; j++)
            s[j] = fabs(l[i * n + j]) / l[i * n + i];
        for (int64_t k = 0; k < i; k++) {
            const double factor = fabs(l[k * n + i]);
            for (int64_t j = 0; j <= k; j++)
                s[j] += factor * fabs(l[k * n + j]);
        }
    }
}

void factor_magnitudes(int64_t n, double *l, double *size)
{
    invert(n, l);
    scale_rows(n, l, size);
    for (int64_t j = 0; j < n; j++) {
        const double *s = size + j * n;
        for (int64_t k = j + 1; k < n; k++)
            size[j * n + k] = dot(s, size + k * n, j) + size[k * n + j];
        size[j * n + j] = dot(s, s, j) + 1;
    }
    for (int64_t i = 0; i < n; i++) {
        double *row = l + i * n;
        for (int64_t k = i + 1; k < n; k++)
            row[k] = 0; /* L^-1 has done its duty; what stands there is now L's own zero */
        for (int64_t j = 0; j < i; j++) {
            double sum = fabs(row[j]) * size[j * n + j] / 2;
            for (int64_t k = j + 1; k <= i; k++)
                sum += fabs(row[k]) * size[j * n + k];
            size[i * n + j] = sum;
        }
    }
    for (int64_t i = 0; i < n; i++) {
        size[i * n + i] *= l[i * n + i] / 2;
        for (int64_t k = i + 1; k < n; k++)
            size[i * n + k] = 0;
    }
}
