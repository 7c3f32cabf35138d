/* batched_gemm.c: many small products of the same size, C_b = alpha A_b B_b + beta C_b: the matrices of a batch stand
 * one below the other in three tall operands, so matrix b of A begins b m rows further down, and B's b k rows. */
#include <math.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/workload.h"

static void extent(const struct duel_problem *p, int operand, int64_t *rows, int64_t *columns)
{
    *rows = p->count * (operand == DUEL_B ? p->k : p->m);
    *columns = operand == DUEL_A ? p->k : p->n;
}

static double flops(const struct duel_problem *p)
{
    return 2.0 * (double)p->count * (double)p->m * (double)p->n * (double)p->k;
}

static double bytes(const struct duel_problem *p)
{
    const double m = (double)p->m, n = (double)p->n, k = (double)p->k;
    const double passes_over_c = p->beta == 0 ? 1 : 2; /* written, and read only when beta asks for it */
    return (double)p->count * ((m * k + k * n) * (double)dtype_size(p->types.in) +
                               passes_over_c * m * n * (double)dtype_size(p->types.out));
}

static int64_t terms(const struct duel_problem *p)
{
    return p->k;
}

static double element(const struct duel_matrix *matrix, int64_t row, int64_t column)
{
    return dtype_load(matrix->type, matrix->data, (size_t)(row * matrix->ld + column));
}

/* One row of C, `row` rows down all of them: alpha times its row of A times B from the row `b_row` on, and beta times
 * what it was. */
static void reference_row(const struct duel_problem *p, const struct duel_matrix *operand,
                          const struct duel_matrix *before, int64_t row, int64_t b_row, double *result,
                          double *magnitude)
{
    for (int64_t j = 0; j < p->n; j++) {
        /* beta == 0: C may hold NaN, and 0 * NaN is NaN. */
        result[j] = p->beta == 0 ? 0 : p->beta * element(&before[DUEL_C], row, j);
        magnitude[j] = fabs(result[j]);
    }
    for (int64_t l = 0; l < p->k; l++) {
        const double a = p->alpha * element(&operand[DUEL_A], row, l);
        for (int64_t j = 0; j < p->n; j++) {
            const double product = a * element(&operand[DUEL_B], b_row + l, j);
            result[j] += product;
            magnitude[j] += fabs(product);
        }
    }
}

static void reference(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                      double *result, double *magnitude)
{
    for (int64_t b = 0; b < p->count; b++)
        for (int64_t i = 0; i < p->m; i++) {
            const int64_t row = b * p->m + i;
            reference_row(p, operand, before, row, b * p->k, result + row * p->n, magnitude + row * p->n);
        }
}

static const struct duel_zoo_shape zoo[] = {
    {7, 5, 6, "small and uneven", 3},
    {31, 33, 35, "around a tile of 32, and odd", 2},
    {1, 1, 1, "numbers", 70},
    {3, 5, 0, "no products: C = beta C", 2},
    {16, 16, 16, "small and even", 5},
    {4, 4, 4, "many, and smaller than any tile", 33},
    {8, 40, 3, "wide", 4},
    {65, 3, 7, "tall", 3},
    {33, 64, 65, "several tiles each way", 2},
    {0, 0, 0, NULL, 0},
};

const struct duel_workload batched_gemm_workload = {
    .name = "batched_gemm",
    .doc = "Multiplies many small matrices of one size at once, as physics on small elements and attention heads do.",
    .formula = "C(b) = alpha A(b) B(b) + beta C(b) for b = 1 ... count",
    .lesson = "Small matrices leave nothing large to hide latencies behind: a launch, a call and the start of a "
              "loop cost as much as the product. Many of them in one launch, a block for each, keep a GPU busy, "
              "and its occupancy says how many at once.",
    .extents = "mnkc",
    .by_n = "mnk",
    .empty = "k",
    .sizes = {"8,16,32,64", "8,16,32,64,128", "8,17"},
    .fixed = {.count = 512},
    .scalars = DUEL_ALPHA | DUEL_BETA,
    .zoo = zoo,
    .zoo_only = true,
    .sums = true,
    .operands = 3,
    .operand_name = {"A", "B", "C"},
    .role = {DUEL_IN, DUEL_IN, DUEL_OUT},
    .extent = extent,
    .flops = flops,
    .bytes = bytes,
    .terms = terms,
    .reference = reference,
};
