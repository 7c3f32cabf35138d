/* dot.c: r = x . y: one number out of two vectors. It is GEMM with one row and one column, so its one extent is k. */
#include <math.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/workload.h"

enum { X = 0, Y = 1, R = 2 };

/* A vector is a matrix of one column: its leading dimension is the increment of BLAS. */
static void extent(const struct duel_problem *p, int operand, int64_t *rows, int64_t *columns)
{
    *rows = operand == R ? 1 : p->k;
    *columns = 1;
}

static double flops(const struct duel_problem *p)
{
    return 2.0 * (double)p->k;
}

static double bytes(const struct duel_problem *p)
{
    return 2.0 * (double)p->k * (double)dtype_size(p->types.in) + (double)dtype_size(p->types.out);
}

static int64_t terms(const struct duel_problem *p)
{
    return p->k;
}

/* Eight sums side by side: one alone would wait for its own addition each time. */
enum { LANES = 8 };

static void reference(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                      double *result, double *magnitude)
{
    const struct duel_matrix *x = &operand[X], *y = &operand[Y];
    double sum[LANES] = {0}, size[LANES] = {0};
    (void)before;
    for (int64_t i = 0; i < p->k; i++) {
        const double product =
            dtype_load(x->type, x->data, (size_t)(i * x->ld)) * dtype_load(y->type, y->data, (size_t)(i * y->ld));
        sum[i % LANES] += product;
        size[i % LANES] += fabs(product);
    }
    *result = *magnitude = 0;
    for (int lane = 0; lane < LANES; lane++) {
        *result += sum[lane];
        *magnitude += size[lane];
    }
}

/* What kernels do only beyond a block of threads, a round of a grid, or the elements that a second core pays for. */
static const struct duel_zoo_shape zoo[] = {
    {.k = 255, .note = "one below a block of threads"},
    {.k = 257, .note = "one above it"},
    {.k = 1023, .note = "one below the elements of a block"},
    {.k = 1025, .note = "one above them"},
    {.k = 4099, .note = "a long sum, in primes"},
    {.k = 70001, .note = "more than one block, and more than one core"},
    {.note = NULL},
};

const struct duel_workload dot_workload = {
    .name = "dot",
    .doc = "Sums the products of two vectors: how many workers agree on one number.",
    .formula = "r = x . y",
    .lesson = "Many workers must agree on one number: each sums its share, and the shares are summed as a tree, "
              "in shared memory, between the lanes of a warp, or by atomics. The order of the additions is not "
              "that of the serial loop, and so the last bits differ; the tree's are usually the better ones, "
              "because each of its sums is short.",
    .extents = "k",
    .by_n = "k",
    .empty = "k",
    .sizes = {"16384:4194304:x16", "16384:67108864:x16", "1000,16384"},
    .fixed = {.m = 1, .n = 1, .count = 1, .alpha = 1},
    .zoo = zoo,
    .sums = true,
    .operands = 3,
    .operand_name = {"x", "y", "r"},
    .role = {DUEL_IN, DUEL_IN, DUEL_OUT},
    .extent = extent,
    .flops = flops,
    .bytes = bytes,
    .terms = terms,
    .reference = reference,
    .memory_bound = true,
};
