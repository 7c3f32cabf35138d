/* gemm.c: C = alpha A B + beta C, what it costs and what it must give. */
#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/workload.h"

static void extent(const struct duel_problem *p, int operand, int64_t *rows, int64_t *columns)
{
    *rows = operand == DUEL_B ? p->k : p->m;
    *columns = operand == DUEL_A ? p->k : p->n;
}

static enum duel_status take(const struct duel_matrix *file, const char *const *name, int count, struct duel_problem *p,
                             struct duel_why *why)
{
    if (count != 2)
        return duel_fail(why, DUEL_EINVAL, "a product needs two matrices", "give --input A.npy B.npy",
                         "--input %s alone", name[0]);
    if (file[DUEL_A].columns != file[DUEL_B].rows)
        return duel_fail(why, DUEL_EINVAL, "A B needs as many columns in A as rows in B",
                         "swap the files or transpose one of them", "%s is %lld x %lld and %s is %lld x %lld", name[0],
                         (long long)file[DUEL_A].rows, (long long)file[DUEL_A].columns, name[1],
                         (long long)file[DUEL_B].rows, (long long)file[DUEL_B].columns);
    p->m = file[DUEL_A].rows;
    p->n = file[DUEL_B].columns;
    p->k = file[DUEL_A].columns;
    return DUEL_OK;
}

static double flops(const struct duel_problem *p)
{
    return 2.0 * (double)p->m * (double)p->n * (double)p->k;
}

static double bytes(const struct duel_problem *p)
{
    const double m = (double)p->m, n = (double)p->n, k = (double)p->k;
    const double passes_over_c = p->beta == 0 ? 1 : 2; /* written, and read only when beta asks for it */
    return (m * k + k * n) * (double)dtype_size(p->types.in) + passes_over_c * m * n * (double)dtype_size(p->types.out);
}

static int64_t terms(const struct duel_problem *p)
{
    return p->k;
}

/* `count` elements of a row as double. */
static void load_row(const struct duel_matrix *matrix, int64_t row, int64_t column, int64_t count, double *to)
{
    const char *from = (const char *)matrix->data + (size_t)(row * matrix->ld + column) * dtype_size(matrix->type);
    dtype_convert(matrix->type, from, DUEL_FP64, to, (size_t)count);
}

/* ---- the reference ---------------------------------------------------------------------------------------- */

/* A piece of B in FP64 is converted once and used for all rows of A: 64 x 128 doubles = 64 KiB, for an L2 cache. */
enum { PIECE_K = 64, PIECE_N = 128 };

static void start_from_before(const struct duel_problem *p, const struct duel_matrix *before, double *result,
                              double *magnitude)
{
    for (int64_t i = 0; i < p->m; i++) {
        double *row = result + i * p->n, *size = magnitude + i * p->n;
        if (p->beta == 0) { /* C may hold NaN then, and 0 * NaN is NaN */
            memset(row, 0, (size_t)p->n * sizeof *row);
            memset(size, 0, (size_t)p->n * sizeof *size);
            continue;
        }
        load_row(&before[DUEL_C], i, 0, p->n, row);
        for (int64_t j = 0; j < p->n; j++) {
            row[j] *= p->beta;
            size[j] = fabs(row[j]);
        }
    }
}

/* One row of A times one piece of B. */
static void add_row(const double *a, double alpha, double (*b)[PIECE_N], int64_t k, int64_t n, double *restrict c,
                    double *restrict size)
{
    for (int64_t l = 0; l < k; l++) {
        const double factor = alpha * a[l], positive = fabs(factor);
        for (int64_t j = 0; j < n; j++) {
            c[j] += factor * b[l][j];
            size[j] += positive * fabs(b[l][j]);
        }
    }
}

static void reference(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                      double *result, double *magnitude)
{
    double b[PIECE_K][PIECE_N], a[PIECE_K];
    start_from_before(p, before, result, magnitude);
    for (int64_t j0 = 0; j0 < p->n; j0 += PIECE_N)
        for (int64_t l0 = 0; l0 < p->k; l0 += PIECE_K) {
            const int64_t n = p->n - j0 < PIECE_N ? p->n - j0 : PIECE_N, k = p->k - l0 < PIECE_K ? p->k - l0 : PIECE_K;
            for (int64_t l = 0; l < k; l++)
                load_row(&operand[DUEL_B], l0 + l, j0, n, b[l]);
            for (int64_t i = 0; i < p->m; i++) {
                load_row(&operand[DUEL_A], i, l0, k, a);
                add_row(a, p->alpha, b, k, n, result + i * p->n + j0, magnitude + i * p->n + j0);
            }
        }
}

/* ---- Freivalds' probe ------------------------------------------------------------------------------------- */

/* Vectors go through in strips that fit on the stack; eight sums side by side, because one alone would wait for its own
 * addition each time. */
enum { STRIP = 512, LANES = 8 };

/* A vector of which only a strip is held, and the magnitudes that stand for it in error bounds. */
struct strip {
    int64_t start, count;
    double value[STRIP], magnitude[STRIP];
};

/* y += scale * M x for the strip x and `rows` rows of M from `row` on; y_magnitude += |scale| |M| |x|. */
static void add_product(const struct duel_matrix *matrix, int64_t row, int64_t rows, const struct strip *x,
                        double scale, double *y, double *y_magnitude)
{
    double element[STRIP];
    for (int64_t i = 0; i < rows; i++) {
        double sum[LANES] = {0}, size[LANES] = {0};
        load_row(matrix, row + i, x->start, x->count, element);
        for (int64_t j = x->count; j % LANES != 0; j++)
            element[j] = 0; /* the strip's own values end in zeros too */
        for (int64_t j = 0; j < x->count; j += LANES)
            for (int lane = 0; lane < LANES; lane++) {
                sum[lane] += element[j + lane] * x->value[j + lane];
                size[lane] += fabs(element[j + lane]) * x->magnitude[j + lane];
            }
        for (int lane = 0; lane < LANES; lane++) {
            y[i] += scale * sum[lane];
            y_magnitude[i] += fabs(scale) * size[lane];
        }
    }
}

static void open_strip(struct strip *strip, int64_t start, int64_t length)
{
    memset(strip, 0, sizeof *strip);
    strip->start = start;
    strip->count = length - start < STRIP ? length - start : STRIP;
}

static void sign_strip(struct strip *strip, const signed char *x, int64_t start, int64_t length)
{
    open_strip(strip, start, length);
    for (int64_t j = 0; j < strip->count; j++) {
        strip->value[j] = (double)x[start + j];
        strip->magnitude[j] = fabs(strip->value[j]);
    }
}

/* An output without data counts as zero: then the residual is what C x should be, with the opposite sign, and depends
 * on the inputs alone. */
static void probe(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                  const signed char *x, double *residual, double *magnitude)
{
    struct strip signs, product;
    memset(magnitude, 0, (size_t)p->m * sizeof *magnitude);
    memset(residual, 0, (size_t)p->m * sizeof *residual);
    for (int64_t j = 0; j < p->n && operand[DUEL_C].data; j += STRIP) { /* C x, under test: adds nothing to the bound */
        sign_strip(&signs, x, j, p->n);
        memset(signs.magnitude, 0, sizeof signs.magnitude);
        add_product(&operand[DUEL_C], 0, p->m, &signs, 1, residual, magnitude);
    }
    for (int64_t j = 0; j < p->n && p->beta != 0; j += STRIP) { /* beta C0 x */
        sign_strip(&signs, x, j, p->n);
        add_product(&before[DUEL_C], 0, p->m, &signs, -p->beta, residual, magnitude);
    }
    for (int64_t l = 0; l < p->k; l += STRIP) { /* alpha A (B x), a strip of B x at a time */
        open_strip(&product, l, p->k);
        for (int64_t j = 0; j < p->n; j += STRIP) {
            sign_strip(&signs, x, j, p->n);
            add_product(&operand[DUEL_B], l, product.count, &signs, 1, product.value, product.magnitude);
        }
        add_product(&operand[DUEL_A], 0, p->m, &product, -p->alpha, residual, magnitude);
    }
}

const struct duel_workload gemm_workload = {
    .name = "gemm",
    .doc = "Multiplies two matrices: the work that linear algebra, simulation and neural networks spend their time in.",
    .formula = "C = alpha A B + beta C",
    .lesson = "Each number is used n times, so it pays to keep it close: in registers, caches and shared "
              "memory. Each rung of the ladders brings the same products nearer to the arithmetic units, and "
              "the libraries stand at their end. Copies grow with n^2 and the work with n^3, so from some size "
              "on a GPU wins with its copies counted; Tensor Cores go faster by giving up digits.",
    .extents = "mnk",
    .by_n = "mnk",
    .empty = "k",
    .sizes = {"128:2048:x2", "128:4096:x2", "64,97,128"},
    .fixed = {.count = 1},
    .scalars = DUEL_ALPHA | DUEL_BETA,
    .sums = true,
    .operands = 3,
    .operand_name = {"A", "B", "C"},
    .role = {DUEL_IN, DUEL_IN, DUEL_OUT},
    .extent = extent,
    .take = take,
    .flops = flops,
    .bytes = bytes,
    .terms = terms,
    .reference = reference,
    .probe = probe,
    .split_by_rows = 1u << DUEL_A | 1u << DUEL_C,
};
