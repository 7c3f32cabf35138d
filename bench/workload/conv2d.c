/* conv2d.c: slides k x k filters over images: Y_o(i, j) = sum over channels c and filter places (u, v) of
 * W_oc(u, v) X_c(i + u, j + v).
 *
 * It is the convolution of neural networks, which mathematics calls a cross-correlation: the filter is not turned over.
 * Output o sees every input channel through a filter of its own; there are as many outputs as inputs. "Valid" padding:
 * Y is m x n, and X has the k - 1 further rows and columns that the filter reaches; whoever wants zeros or repeated
 * pixels around an image puts them there. The planes of X and Y, and the filters of W, stand one below the other. */
#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/workload.h"

enum { X = 0, W = 1, Y = 2 };

static void extent(const struct duel_problem *p, int operand, int64_t *rows, int64_t *columns)
{
    *rows = operand == X   ? p->count * (p->m + p->k - 1)
            : operand == W ? p->count * p->count * p->k /* that of output o and channel c: o count + c */
                           : p->count * p->m;
    *columns = operand == X ? p->n + p->k - 1 : operand == W ? p->k : p->n;
}

static double elements(const struct duel_problem *p, int operand)
{
    int64_t rows, columns;
    extent(p, operand, &rows, &columns);
    return (double)rows * (double)columns;
}

static double flops(const struct duel_problem *p)
{
    return 2 * elements(p, Y) * (double)p->count * (double)p->k * (double)p->k;
}

static double bytes(const struct duel_problem *p)
{
    return (elements(p, X) + elements(p, W)) * (double)dtype_size(p->types.in) +
           elements(p, Y) * (double)dtype_size(p->types.out);
}

static int64_t terms(const struct duel_problem *p)
{
    return p->count * p->k * p->k;
}

static double element(const struct duel_matrix *matrix, int64_t row, int64_t column)
{
    return dtype_load(matrix->type, matrix->data, (size_t)(row * matrix->ld + column));
}

/* Adds what one row of one filter, from row w_row of W, makes of row x_row of X to n results. */
static void add_row(const struct duel_problem *p, const struct duel_matrix *operand, int64_t x_row, int64_t w_row,
                    double *result, double *magnitude)
{
    for (int64_t v = 0; v < p->k; v++) {
        const double weight = element(&operand[W], w_row, v);
        for (int64_t j = 0; j < p->n; j++) {
            const double product = weight * element(&operand[X], x_row, j + v);
            result[j] += product;
            magnitude[j] += fabs(product);
        }
    }
}

static void reference(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                      double *result, double *magnitude)
{
    const size_t all = (size_t)(p->count * p->m) * (size_t)p->n * sizeof *result;
    (void)before;
    memset(result, 0, all);
    memset(magnitude, 0, all);
    for (int64_t o = 0; o < p->count; o++)
        for (int64_t c = 0; c < p->count; c++)
            for (int64_t i = 0; i < p->m; i++)
                for (int64_t u = 0; u < p->k; u++)
                    add_row(p, operand, c * (p->m + p->k - 1) + i + u, (o * p->count + c) * p->k + u,
                            result + (o * p->m + i) * p->n, magnitude + (o * p->m + i) * p->n);
}

static const struct duel_zoo_shape zoo[] = {
    {31, 33, 3, "around a tile of 32, and odd", 1},
    {1, 1, 1, "one element, one product", 1},
    {1, 1, 3, "a single pixel", 1},
    {1, 1, 7, "a single pixel below a large filter", 2},
    {5, 3, 2, "a filter without a middle", 1},
    {0, 5, 3, "no rows", 1},
    {5, 0, 3, "no columns", 2},
    {7, 6, 1, "a filter of one weight", 3},
    {16, 16, 3, "a tile of 16", 1},
    {32, 32, 3, "a tile of 32", 1},
    {33, 32, 3, "m one over", 1},
    {32, 33, 3, "n one over", 1},
    {8, 9, 3, "red, green and blue", 3},
    {4, 5, 3, "more channels than rows", 9},
    {33, 31, 5, "a larger filter", 1},
    {65, 64, 7, "several tiles, and a filter of 7", 1},
    {3, 4, 11, "a filter larger than the image", 1},
    {1, 257, 3, "one row", 1},
    {257, 1, 3, "one column", 1},
    {129, 67, 3, "several tiles each way, none at the edge whole", 2},
    {0, 0, 0, NULL, 0},
};

const struct duel_workload conv2d_workload = {
    .name = "conv2d",
    .doc = "Slides small filters over images: edges, blurs, and the layers of a vision network.",
    .formula = "Y(o, i, j) = sum over c, u, v of W(o, c, u, v) X(c, i + u, j + v)",
    .lesson = "Neighbouring outputs read the same inputs, so locality decides: a tile with its halo, in shared "
              "memory or in the cache, is read once, and the filter fits constant memory. Written as a matrix "
              "product (im2col) it profits from the fastest GEMM, and pays with a copy of the input for each "
              "element of the filter.",
    .extents = "mnkc",
    .by_n = "mn",
    .empty = "mn",
    .sizes = {"256:2048:x2", "512:4096:x2", "64,97"},
    .fixed = {.k = 3, .count = 1, .alpha = 1},
    .zoo = zoo,
    .zoo_only = true,
    .sums = true,
    .operands = 3,
    .operand_name = {"X", "W", "Y"},
    .role = {DUEL_IN, DUEL_IN, DUEL_OUT},
    .extent = extent,
    .flops = flops,
    .bytes = bytes,
    .terms = terms,
    .reference = reference,
};
