/* cholesky.c: A = L L^T for a symmetric positive definite A. Only the lower triangle of A is read; L is lower
 * triangular with zeros above its diagonal.
 *
 * Where A is not positive definite there is no L: elimination meets a pivot that is not above 0. LAPACK calls the
 * 1-based index of that column `info`. A GPU cannot return it without a copy, so here it stands in L itself, on every
 * device alike: the first NaN of L, row by row, is on the diagonal of that column. */
#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/factor.h"

enum { A = 0, L = 1 };

static void extent(const struct duel_problem *p, int operand, int64_t *rows, int64_t *columns)
{
    (void)operand;
    *rows = *columns = p->n;
}

/* Multiplications and additions as LAPACK counts them (Working Note 41), and n square roots. */
static double flops(const struct duel_problem *p)
{
    const double n = (double)p->n;
    return n * n * n / 3 + n * n / 2 + n / 6;
}

static double bytes(const struct duel_problem *p)
{
    const double n = (double)p->n;
    return n * (n + 1) / 2 * (double)dtype_size(p->types.in) + n * n * (double)dtype_size(p->types.out);
}

static int64_t terms(const struct duel_problem *p)
{
    return p->n;
}

/* ---- a matrix that has a factor --------------------------------------------------------------------------- */

static double at(const struct duel_matrix *matrix, int64_t i, int64_t j)
{
    return dtype_load(matrix->type, matrix->data, (size_t)(i * matrix->ld + j));
}

/* The lower triangle is mirrored, and the diagonal raised above the largest eigenvalue that random signs make: about
 * 1.2 sqrt(n) for uniform numbers, 2.8 sqrt(n) for the whole ones (Wigner's semicircle). So A is positive definite and
 * well conditioned at every size, and yet not so diagonal that the products would not matter. */
static void prepare(const struct duel_problem *p, struct duel_matrix *operand)
{
    struct duel_matrix *a = &operand[A];
    const double raise = ceil(4 * sqrt((double)p->n)) + 4;
    for (int64_t i = 0; i < p->n; i++) {
        for (int64_t j = 0; j < i; j++)
            dtype_store(a->type, a->data, (size_t)(j * a->ld + i), at(a, i, j));
        dtype_store(a->type, a->data, (size_t)(i * a->ld + i), at(a, i, i) + raise);
    }
}

/* ---- the user's own matrix ------------------------------------------------------------------------------- */

static enum duel_status take(const struct duel_matrix *file, const char *const *name, int count, struct duel_problem *p,
                             struct duel_why *why)
{
    if (count != 1)
        return duel_fail(why, DUEL_EINVAL, "one matrix is factored", "give --input A.npy", "--input %s %s", name[0],
                         name[1]);
    if (file->rows != file->columns || file->rows < 1)
        return duel_fail(why, DUEL_EINVAL, "only a square matrix can be symmetric", "give a square one",
                         "%s is %lld x %lld", name[0], (long long)file->rows, (long long)file->columns);
    p->n = file->rows;
    return DUEL_OK;
}

/* Nobody reads what stands above the diagonal, so a matrix that is not symmetric would be taken for another one. */
static enum duel_status check(const struct duel_matrix *file, const char *const *name, struct duel_why *why)
{
    for (int64_t i = 0; i < file->rows; i++)
        for (int64_t j = 0; j < i; j++)
            if (at(file, i, j) != at(file, j, i))
                return duel_fail(why, DUEL_EINVAL, "only a symmetric matrix has such a factor",
                                 "if it differs by rounding alone, write (A + A.T) / 2",
                                 "%s is not symmetric: (%lld, %lld) is %.17g and (%lld, %lld) is %.17g", name[0],
                                 (long long)i, (long long)j, at(file, i, j), (long long)j, (long long)i,
                                 at(file, j, i));
    return DUEL_OK;
}

/* ---- the reference ---------------------------------------------------------------------------------------- */

static void reference(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                      double *result, double *magnitude)
{
    const size_t elements = (size_t)(p->n * p->n);
    (void)before;
    memset(result, 0, elements * sizeof *result);
    memset(magnitude, 0, elements * sizeof *magnitude);
    if (factor_make(p->n, &operand[A], result) == p->n)
        factor_magnitudes(p->n, result, magnitude);
}

/* ---- the probe -------------------------------------------------------------------------------------------- */

enum { STRIP = 512 };

/* `count` elements of row i from column j on. */
static void load(const struct duel_matrix *matrix, int64_t i, int64_t j, int64_t count, double *to)
{
    const char *from = (const char *)matrix->data + (size_t)(i * matrix->ld + j) * dtype_size(matrix->type);
    dtype_convert(matrix->type, from, DUEL_FP64, to, (size_t)count);
}

static int64_t strip(int64_t start, int64_t end)
{
    return end - start < STRIP ? end - start : STRIP;
}

/* y += L^T x, and its magnitudes. */
static void multiply_transposed(const struct duel_problem *p, const struct duel_matrix *l, const signed char *x,
                                double *y, double *size)
{
    double element[STRIP];
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j0 = 0; j0 <= i; j0 += STRIP) {
            const int64_t count = strip(j0, i + 1);
            load(l, i, j0, count, element);
            for (int64_t j = 0; j < count; j++) {
                y[j0 + j] += element[j] * x[i];
                size[j0 + j] += fabs(element[j]);
            }
        }
}

/* Row i of a factor ends on a diagonal above 0, with zeros behind it. */
static bool is_row_of_factor(const struct duel_problem *p, const struct duel_matrix *l, int64_t i)
{
    double element[STRIP];
    bool zeros = at(l, i, i) > 0;
    for (int64_t j0 = i + 1; j0 < p->n; j0 += STRIP) {
        load(l, i, j0, strip(j0, p->n), element);
        for (int64_t j = 0; j < strip(j0, p->n); j++)
            zeros = zeros && element[j] == 0;
    }
    return zeros;
}

/* r = L (L^T x) - A x, of magnitude |L||L^T||x|: the backward error, which needs no condition number. L^T x stands in
 * `residual` until the rows, from the last one upwards, need no more of it than what is left. The diagonal of A
 * outweighs the rest of its row, so it is counted as if it stood in every column. */
static void probe(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                  const signed char *x, double *residual, double *magnitude)
{
    const int64_t n = p->n;
    double l[STRIP], a[STRIP];
    (void)before;
    memset(residual, 0, (size_t)n * sizeof *residual);
    memset(magnitude, 0, (size_t)n * sizeof *magnitude);
    multiply_transposed(p, &operand[L], x, residual, magnitude);
    for (int64_t i = n - 1; i >= 0; i--) {
        double sum = 0, size = 0, squares = 0;
        for (int64_t j0 = 0; j0 < n; j0 += STRIP) {
            load(&operand[A], i, j0, strip(j0, n), a);
            for (int64_t j = 0; j < strip(j0, n); j++)
                sum -= a[j] * x[j0 + j];
        }
        for (int64_t j0 = 0; j0 <= i; j0 += STRIP) {
            load(&operand[L], i, j0, strip(j0, i + 1), l);
            for (int64_t j = 0; j < strip(j0, i + 1); j++) {
                sum += l[j] * residual[j0 + j];
                size += fabs(l[j]) * magnitude[j0 + j];
                squares += l[j] * l[j];
            }
        }
        residual[i] = is_row_of_factor(p, &operand[L], i) ? sum : NAN;
        magnitude[i] = size + sqrt((double)n) * squares;
    }
}

/* ---- what has no factor ----------------------------------------------------------------------------------- */

static bool refused(const struct duel_problem *p, int64_t row, int64_t column, char *text, size_t size)
{
    if (row != column)
        return false;
    snprintf(text, size,
             "A is not positive definite in %s: its leading minor of order %lld is not (LAPACK's info = %lld)",
             dtype_name(p->types.acc), (long long)row + 1, (long long)row + 1);
    return true;
}

const struct duel_workload cholesky_workload = {
    .name = "cholesky",
    .doc = "Factors a symmetric positive definite matrix: parallel linear algebra with a serial spine, because each "
           "column waits for the ones before it.",
    .formula = "A = L L^T",
    .lesson = "Each column waits for the ones before it: this serial spine is little work, but nothing else can "
              "go on meanwhile (Amdahl's law). In blocks almost everything becomes the multiplication of what "
              "is left, and the spine a few small blocks: the larger the matrix, the closer it comes to GEMM.",
    .extents = "n",
    .by_n = "n",
    .empty = "",
    .sizes = {"128:2048:x2", "256:4096:x2", "64,97,128"},
    .fixed = {.m = 1, .k = 1, .count = 1, .alpha = 1},
    .operands = 2,
    .operand_name = {"A", "L"},
    .role = {DUEL_IN, DUEL_OUT},
    .extent = extent,
    .prepare = prepare,
    .take = take,
    .check = check,
    .flops = flops,
    .bytes = bytes,
    .terms = terms,
    .reference = reference,
    .probe = probe,
    .probe_output = true,
    .refused = refused,
};
