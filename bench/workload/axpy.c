/* axpy.c: y = alpha x + y: two operations for every three numbers that move, so memory sets the pace and nothing else.
 */
#include <math.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/workload.h"

enum { X = 0, Y = 1 };

/* A vector is a matrix of one column: its leading dimension is the increment of BLAS. */
static void extent(const struct duel_problem *p, int operand, int64_t *rows, int64_t *columns)
{
    (void)operand;
    *rows = p->m;
    *columns = 1;
}

static double flops(const struct duel_problem *p)
{
    return 2.0 * (double)p->m;
}

static double bytes(const struct duel_problem *p)
{
    return (double)p->m * (double)(dtype_size(p->types.in) + 2 * dtype_size(p->types.out));
}

static int64_t terms(const struct duel_problem *p)
{
    (void)p;
    return 1;
}

static double element(const struct duel_matrix *vector, int64_t i)
{
    return dtype_load(vector->type, vector->data, (size_t)(i * vector->ld));
}

static void reference(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                      double *result, double *magnitude)
{
    for (int64_t i = 0; i < p->m; i++) {
        const double product = p->alpha * element(&operand[X], i), old = element(&before[Y], i);
        result[i] = product + old;
        magnitude[i] = fabs(product) + fabs(old);
    }
}

/* With one column a probe is a single sign, and the residual is each element's own error. */
static void probe(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                  const signed char *x, double *residual, double *magnitude)
{
    reference(p, operand, before, residual, magnitude);
    for (int64_t i = 0; i < p->m; i++)
        residual[i] = x[0] * ((operand[Y].data ? element(&operand[Y], i) : 0) - residual[i]);
}

/* What kernels do only beyond a block of threads, a round of a grid, or the elements that a second core pays for. */
static const struct duel_zoo_shape zoo[] = {
    {.m = 1023, .note = "one below the elements of a block"},
    {.m = 1025, .note = "one above them"},
    {.m = 20011, .note = "more than one core"},
    {.note = NULL},
};

const struct duel_workload axpy_workload = {
    .name = "axpy",
    .doc = "Adds a multiple of one vector to another: what a machine can do when nothing is used twice.",
    .formula = "y = alpha x + y",
    .lesson = "Each number is read once and used once, so memory sets the pace: more threads help only until it "
              "is busy, and vector units hardly at all. A GPU's memory is many times as fast, but both vectors "
              "must cross the link first and one must come back: with these copies counted the gain is gone. It "
              "stays where the data already are on the device.",
    .extents = "m",
    .by_n = "m",
    .empty = "",
    .sizes = {"16384:4194304:x16", "16384:67108864:x16", "1000,4096"},
    .fixed = {.n = 1, .k = 1, .count = 1, .beta = 1},
    .scalars = DUEL_ALPHA,
    .zoo = zoo,
    .sums = true,
    .operands = 2,
    .operand_name = {"x", "y"},
    .role = {DUEL_IN, DUEL_OUT},
    .extent = extent,
    .flops = flops,
    .bytes = bytes,
    .terms = terms,
    .reference = reference,
    .probe = probe,
    .memory_bound = true,
    .split_by_rows = 1u << X | 1u << Y,
};
