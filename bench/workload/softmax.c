/* softmax.c: every row becomes positive shares whose sum is 1: what a neural network makes of its scores.
 *
 * The largest number of a row is taken off first, or exp() would overflow from 89 on. A row of nothing but -infinity
 * has none: -inf - -inf is NaN, and so is its whole row, as in PyTorch and SciPy; a NaN or a +infinity makes its row
 * NaN too. A -infinity beside finite numbers has a share of exactly 0. */
#include <math.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/workload.h"

enum { X = 0, Y = 1 };

static void extent(const struct duel_problem *p, int operand, int64_t *rows, int64_t *columns)
{
    (void)operand;
    *rows = p->m;
    *columns = p->n;
}

/* A subtraction, an exponential, an addition and a multiplication for each element. */
static double flops(const struct duel_problem *p)
{
    return 4.0 * (double)p->m * (double)p->n;
}

static double bytes(const struct duel_problem *p)
{
    return (double)p->m * (double)p->n * (double)(dtype_size(p->types.in) + dtype_size(p->types.out));
}

static int64_t terms(const struct duel_problem *p)
{
    return p->n;
}

/* Scores of a trained network are not small: 8 times the generator's range, so that shares span 14 powers of ten. */
static void prepare(const struct duel_problem *p, struct duel_matrix *operand)
{
    const struct duel_matrix *x = &operand[X];
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++) {
            const size_t at = (size_t)(i * x->ld + j);
            dtype_store(x->type, x->data, at, 8 * dtype_load(x->type, x->data, at));
        }
}

/* Errors that the words of a sum of n products say nothing of, in units u of the last place, relative to a share:
 *   subtraction     |x - largest| u becomes as many u of the exponential, in the share and, weighted, in the sum;
 *   exponentials    2 u each, CUDA's 4; the division and its kind 2;
 *   the sum         n u, and as much again where the largest number changes on the way and all is scaled anew. Few
 *                   values that repeat round in the same direction each time, so no root of n is to be had here.
 * The bound multiplies a magnitude by n + 2 or 4 sqrt(n), whichever is smaller: so this takes it out again. */
enum { EXPONENTIALS = 10 };

/* The row's numbers in y become shares; `size` first holds their distances from the largest one. */
static void share_row(int64_t n, double *y, double *size)
{
    const double most = fmin((double)n + 2, 4 * sqrt((double)n));
    double largest = -INFINITY, sum = 0, weighted = 0;
    for (int64_t j = 0; j < n; j++)
        if (y[j] > largest)
            largest = y[j];
    for (int64_t j = 0; j < n; j++) {
        size[j] = largest - y[j];
        y[j] = exp(y[j] - largest);
        sum += y[j];
        weighted += y[j] > 0 ? y[j] * size[j] : 0;
    }
    for (int64_t j = 0; j < n; j++) {
        const double distance = y[j] > 0 ? size[j] : 0; /* of a share of 0 it may be infinite */
        y[j] /= sum;
        size[j] = y[j] * (2 * (double)n + EXPONENTIALS + distance + weighted / sum) / most;
    }
}

static void reference(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                      double *result, double *magnitude)
{
    const struct duel_matrix *x = &operand[X];
    (void)before;
    for (int64_t i = 0; i < p->m; i++) {
        const char *from = (const char *)x->data + (size_t)(i * x->ld) * dtype_size(x->type);
        dtype_convert(x->type, from, DUEL_FP64, result + i * p->n, (size_t)p->n);
        share_row(p->n, result + i * p->n, magnitude + i * p->n);
    }
}

static const struct duel_zoo_shape zoo[] = {
    {31, 33, 1, "around a warp, and odd", 1},
    {5, 0, 1, "rows of nothing", 1},
    {0, 7, 1, "no rows", 1},
    {3, 1024, 1, "as many as a warp keeps in registers", 1},
    {2, 1030, 1, "a few more", 1},
    {1, 8192, 1, "as many as a block keeps in registers", 1},
    {1, 8195, 1, "a few more", 1},
    {0, 0, 0, NULL, 0},
};

const struct duel_workload softmax_workload = {
    .name = "softmax",
    .doc = "Turns each row of scores into shares that add up to 1: the last step of a classifier, and the inner step "
           "of attention.",
    .formula = "Y(i, j) = exp(X(i, j) - max X(i)) / sum over l of exp(X(i, l) - max X(i))",
    .lesson = "The largest score of a row is subtracted first, because exp(89) is beyond FP32; so a row is "
              "passed over three times, or twice with a running maximum and a running sum that is corrected on "
              "the way. Once exp() is vectorised, the number of passes over memory sets the pace.",
    .extents = "mn",
    .by_n = "mn",
    .empty = "mn",
    .sizes = {"256:4096:x2", "256:8192:x2", "64,97,128"},
    .fixed = {.k = 1, .count = 1, .alpha = 1},
    .zoo = zoo,
    .operands = 2,
    .operand_name = {"X", "Y"},
    .role = {DUEL_IN, DUEL_OUT},
    .extent = extent,
    .prepare = prepare,
    .flops = flops,
    .bytes = bytes,
    .terms = terms,
    .reference = reference,
    .memory_bound = true,
    .split_by_rows = 1u << X | 1u << Y,
};
