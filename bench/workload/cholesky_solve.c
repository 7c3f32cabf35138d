/* cholesky_solve.c: L L^T X = B with a factor L that is there already: first L Y = B from the top, then L^T X = Y from
 * the bottom. Each unknown waits for the one before it, and each number of L is used once for each right-hand side. */
#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/workload.h"

enum { L = 0, B = 1, X = 2 };

static void extent(const struct duel_problem *p, int operand, int64_t *rows, int64_t *columns)
{
    *rows = p->m;
    *columns = operand == L ? p->m : p->n;
}

/* Two triangles of m (m - 1) / 2 multiplications and subtractions each, and 2 m divisions, for each right-hand side. */
static double flops(const struct duel_problem *p)
{
    return 2 * (double)p->m * (double)p->m * (double)p->n;
}

static double bytes(const struct duel_problem *p)
{
    const double m = (double)p->m, n = (double)p->n;
    return (m * (m + 1) / 2 + m * n) * (double)dtype_size(p->types.in) + m * n * (double)dtype_size(p->types.out);
}

static int64_t terms(const struct duel_problem *p)
{
    return p->m;
}

/* Random triangles have solutions that grow like 2^m (Viswanath & Trefethen, SIAM J. Matrix Anal. 19, 1998). With a
 * diagonal above the sum of its row none grows; above it a factor has zeros. */
static void prepare(const struct duel_problem *p, struct duel_matrix *operand)
{
    struct duel_matrix *l = &operand[L];
    for (int64_t i = 0; i < p->m; i++) {
        const size_t diagonal = (size_t)(i * l->ld + i);
        dtype_store(l->type, l->data, diagonal, dtype_load(l->type, l->data, diagonal) + (double)p->m + 3);
        for (int64_t j = i + 1; j < p->m; j++)
            dtype_store(l->type, l->data, (size_t)(i * l->ld + j), 0);
    }
}

/* ---- the reference ---------------------------------------------------------------------------------------- */

enum { STRIP = 512 };

/* A walk through the row i of L, left of its diagonal, in pieces that fit on the stack. */
struct row {
    const struct duel_matrix *l;
    int64_t i, start, count;
    double element[STRIP];
};

static bool next_piece(struct row *row)
{
    row->start += row->count;
    row->count = row->i - row->start < STRIP ? row->i - row->start : STRIP;
    const char *from =
        (const char *)row->l->data + (size_t)(row->i * row->l->ld + row->start) * dtype_size(row->l->type);
    if (row->count > 0)
        dtype_convert(row->l->type, from, DUEL_FP64, row->element, (size_t)row->count);
    return row->count > 0;
}

/* to(i) += sign L(i, k) from(k) for all k < i, or the same with |L|; vectors have n columns. */
static void gather(const struct duel_problem *p, const struct duel_matrix *l, int64_t i, double sign, bool absolute,
                   const double *from, double *to)
{
    struct row row = {.l = l, .i = i};
    while (next_piece(&row))
        for (int64_t k = 0; k < row.count; k++) {
            const double factor = sign * (absolute ? fabs(row.element[k]) : row.element[k]);
            const double *x = from + (row.start + k) * p->n;
            for (int64_t j = 0; j < p->n; j++)
                to[i * p->n + j] += factor * (absolute ? fabs(x[j]) : x[j]);
        }
}

/* to(k) += sign L(i, k) from(i) for all k < i, or the same with |L|. */
static void scatter(const struct duel_problem *p, const struct duel_matrix *l, int64_t i, double sign, bool absolute,
                    const double *from, double *to)
{
    struct row row = {.l = l, .i = i};
    const double *x = from + i * p->n;
    while (next_piece(&row))
        for (int64_t k = 0; k < row.count; k++) {
            const double factor = sign * (absolute ? fabs(row.element[k]) : row.element[k]);
            for (int64_t j = 0; j < p->n; j++)
                to[(row.start + k) * p->n + j] += factor * (absolute ? fabs(x[j]) : x[j]);
        }
}

static double pivot(const struct duel_matrix *l, int64_t i)
{
    return dtype_load(l->type, l->data, (size_t)(i * l->ld + i));
}

static void scale(const struct duel_problem *p, int64_t i, double factor, double *vector)
{
    for (int64_t j = 0; j < p->n; j++)
        vector[i * p->n + j] *= factor;
}

/* L Y = B, and how far rounding may move Y: |L^-1||L||Y| (Higham, Accuracy and Stability, 2nd ed., Theorem 8.5). The
 * inverse costs m^3 operations; M(L), which has |L| on the diagonal and -|L| left of it, has an inverse that is nowhere
 * smaller and can be applied like L itself (section 8.3). */
static void forward(const struct duel_problem *p, const struct duel_matrix *l, double *y, double *size)
{
    for (int64_t i = 0; i < p->m; i++) {
        gather(p, l, i, -1, false, y, y);
        scale(p, i, 1 / pivot(l, i), y);
        gather(p, l, i, 1, true, y, size);
        for (int64_t j = 0; j < p->n; j++)
            size[i * p->n + j] += pivot(l, i) * fabs(y[i * p->n + j]);
        gather(p, l, i, 1, true, size, size);
        scale(p, i, 1 / pivot(l, i), size);
    }
}

/* L^T X = Y, and |L^-T| (what Y has, and |L^T||X|). */
static void backward(const struct duel_problem *p, const struct duel_matrix *l, double *x, double *size)
{
    for (int64_t i = p->m - 1; i >= 0; i--) {
        scale(p, i, 1 / pivot(l, i), x);
        scatter(p, l, i, -1, false, x, x);
        for (int64_t j = 0; j < p->n; j++)
            size[i * p->n + j] += pivot(l, i) * fabs(x[i * p->n + j]);
        scatter(p, l, i, 1, true, x, size);
        scale(p, i, 1 / pivot(l, i), size);
        scatter(p, l, i, 1, true, size, size);
    }
}

static void reference(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                      double *result, double *magnitude)
{
    const struct duel_matrix *b = &operand[B];
    (void)before;
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++)
            result[i * p->n + j] = dtype_load(b->type, b->data, (size_t)(i * b->ld + j));
    memset(magnitude, 0, (size_t)(p->m * p->n) * sizeof *magnitude);
    forward(p, &operand[L], result, magnitude);
    backward(p, &operand[L], result, magnitude);
}

const struct duel_workload cholesky_solve_workload = {
    .name = "cholesky_solve",
    .doc = "Solves a system of equations whose Cholesky factor is known: two passes over a triangle in which every "
           "unknown waits for the one before it.",
    .formula = "L L^T X = B",
    .lesson = "Each unknown waits for the one before it, and each number of the triangle is used once for each "
              "right-hand side: with a single one, memory and the chain set the pace. Several of them (--shape "
              "MxN) make a multiplication of it, and a factor that is there already solves for the next ones "
              "too.",
    .extents = "mn",
    .by_n = "m",
    .empty = "",
    .sizes = {"256:4096:x2", "1024:16384:x2", "64,97,128"},
    .fixed = {.n = 1, .k = 1, .count = 1, .alpha = 1},
    .operands = 3,
    .operand_name = {"L", "B", "X"},
    .role = {DUEL_IN, DUEL_IN, DUEL_OUT},
    .extent = extent,
    .prepare = prepare,
    .flops = flops,
    .bytes = bytes,
    .terms = terms,
    .reference = reference,
    .memory_bound = true,
};
