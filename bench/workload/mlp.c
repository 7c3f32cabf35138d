/* mlp.c: the inference of a two-layer network: two matrix multiplications with a bend between them. */
#include <math.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/network.h"
#include "bench/workload/share.h"

enum { X = 0, W = 1, Y = 2 };

static void extent(const struct duel_problem *p, int operand, int64_t *rows, int64_t *columns)
{
    *rows = operand == W ? 1 : p->m;
    *columns = operand == X ? p->k : operand == W ? network_parameters(p) : p->count;
}

static void prepare(const struct duel_problem *p, struct duel_matrix *operand)
{
    network_prepare(p, &operand[W]);
}

/* Multiplications and additions of both layers, and a bias and a max for each unit. */
static double flops(const struct duel_problem *p)
{
    const double m = (double)p->m, n = (double)p->n, k = (double)p->k, c = (double)p->count;
    return 2 * m * n * (k + c) + m * (2 * n + c);
}

/* The hidden layer is nobody's input and nobody's output: whoever keeps it in a cache need not move it. */
static double bytes(const struct duel_problem *p)
{
    const double in = (double)p->m * (double)p->k + (double)network_parameters(p);
    return in * (double)dtype_size(p->types.in) + (double)p->m * (double)p->count * (double)dtype_size(p->types.out);
}

static int64_t terms(const struct duel_problem *p)
{
    return (p->k > p->n ? p->k : p->n) + 1;
}

static void reference(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                      double *result, double *magnitude)
{
    const double share = workload_share(&p->types, terms(p), false);
    struct network net;
    (void)before;
    const bool open = network_open(&net, p, &operand[W]);
    for (int64_t i = 0; i < p->m; i++) {
        if (open)
            network_forward(&net, &operand[X], i);
        for (int64_t j = 0; j < p->count; j++) {
            result[i * p->count + j] = open ? net.y[j] : NAN; /* without memory nothing can be right */
            magnitude[i * p->count + j] = open ? net.y_error[j] / share : 0;
        }
    }
    network_close(&net);
}

static const struct duel_zoo_shape zoo[] = {
    {31, 33, 35, "around a tile of 32, and odd", 10},
    {1, 1, 1, "one of everything", 1},
    {1, 7, 5, "one sample", 3},
    {9, 1, 5, "one hidden unit", 2},
    {9, 5, 1, "one input", 1},
    {5, 3, 0, "no inputs: the biases alone", 4},
    {16, 16, 16, "a tile of 16", 16},
    {32, 32, 32, "a tile of 32", 32},
    {33, 32, 32, "m one over", 33},
    {32, 65, 17, "n one over", 10},
    {64, 64, 64, "a tile of 64", 64},
    {65, 31, 65, "m and k one over", 65},
    {3, 130, 67, "few samples", 2},
    {130, 3, 9, "few units", 17},
    {0, 0, 0, NULL, 0},
};

const struct duel_workload mlp_workload = {
    .name = "mlp",
    .doc = "Runs samples through a two-layer neural network: what AI does most of the time, two matrix multiplications "
           "with a little between them.",
    .formula = "Y = max(0, X W1 + b1) W2 + b2",
    .lesson = "Two matrix multiplications with a bias and max(0, x) between them. Each of these little steps is "
              "a pass over memory of its own, unless it is fused into the end of the multiplication while the "
              "numbers are still in registers. Beyond that the fastest network is made of the fastest GEMM.",
    .extents = "mnkc",
    .by_n = "mnk",
    .empty = "k",
    .sizes = {"128:1024:x2", "256:2048:x2", "32,97"},
    .fixed = {.count = 10, .alpha = 1},
    .zoo = zoo,
    .zoo_only = true,
    .operands = 3,
    .operand_name = {"X", "W", "Y"},
    .role = {DUEL_IN, DUEL_IN, DUEL_OUT},
    .extent = extent,
    .prepare = prepare,
    .flops = flops,
    .bytes = bytes,
    .terms = terms,
    .reference = reference,
    .split_by_rows = 1u << X | 1u << Y,
};
