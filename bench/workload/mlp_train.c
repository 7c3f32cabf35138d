/* mlp_train.c: one training step of a two-layer network: forward, backward, and a step down the slope of the loss. The
 * loss is the cross entropy of softmax(Y), the mean over all samples; alpha is the learning rate. The parameters are
 * master copies in types.out, changed in place, so runs that follow each other train on. With narrower inputs the
 * products with X, and they alone, see rounded weights. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/network.h"
#include "bench/workload/share.h"

enum { X = 0, T = 1, W = 2 };

static void extent(const struct duel_problem *p, int operand, int64_t *rows, int64_t *columns)
{
    *rows = operand == W ? 1 : p->m;
    *columns = operand == X ? p->k : operand == T ? 1 : network_parameters(p);
}

static enum duel_dtype type(const struct duel_problem *p, int operand)
{
    return operand == X ? p->types.in : p->types.out;
}

/* Labels are whole numbers 0 .. c - 1. */
static void prepare(const struct duel_problem *p, struct duel_matrix *operand)
{
    const struct duel_matrix *t = &operand[T];
    network_prepare(p, &operand[W]);
    for (int64_t i = 0; i < p->m; i++) {
        const int64_t draw = (int64_t)(1024 * fabs(dtype_load(t->type, t->data, (size_t)(i * t->ld))));
        dtype_store(t->type, t->data, (size_t)(i * t->ld), (double)(draw % p->count));
    }
}

/* The products with X and W1, forward and backward; three with W2; and the step. */
static double flops(const struct duel_problem *p)
{
    const double m = (double)p->m, n = (double)p->n, k = (double)p->k, c = (double)p->count;
    return 4 * m * n * k + 6 * m * n * c + 2 * (double)network_parameters(p);
}

static double bytes(const struct duel_problem *p)
{
    return (double)p->m * (double)p->k * (double)dtype_size(p->types.in) +
           ((double)p->m + 2 * (double)network_parameters(p)) * (double)dtype_size(p->types.out);
}

static int64_t terms(const struct duel_problem *p)
{
    const int64_t layer = p->k > p->n ? p->k : p->n;
    return (layer > p->m ? layer : p->m) + 1;
}

/* ---- the reference ---------------------------------------------------------------------------------------- */

/* Over all samples, for the error bars of the gradient: largest value and sum of squares of each input and of 1, which
 * a bias is multiplied with; sums of squares of e, of its error, of h (and 1) and of d. */
struct tally {
    double *x_most, *x_squares, *e_squares, *e_errors, *h_squares, *d_squares;
};

static double *tally_open(struct tally *tally, const struct duel_problem *p)
{
    double *memory = calloc((size_t)(2 * (p->k + 1) + 3 * p->n + 1 + p->count), sizeof *memory);
    tally->x_most = memory;
    tally->x_squares = tally->x_most + p->k + 1;
    tally->e_squares = tally->x_squares + p->k + 1;
    tally->e_errors = tally->e_squares + p->n;
    tally->h_squares = tally->e_errors + p->n;
    tally->d_squares = tally->h_squares + p->n + 1;
    return memory;
}

/* Adds what a sample does to the gradient of W1 and b1, and to its error bars. */
static void add_first(const struct duel_problem *p, const struct network *net, double *g, struct tally *tally)
{
    for (int64_t q = 0; q <= p->k; q++) {
        const double x = q < p->k ? net->x[q] : 1;
        tally->x_most[q] = fmax(tally->x_most[q], fabs(x));
        tally->x_squares[q] += x * x;
        for (int64_t l = 0; l < p->n; l++)
            g[q * p->n + l] += x * net->e[l];
    }
    for (int64_t l = 0; l < p->n; l++) {
        tally->e_squares[l] += net->e[l] * net->e[l];
        tally->e_errors[l] += net->e_error[l] * net->e_error[l];
    }
}

/* The same for W2 and b2; their error bars need the errors of both factors, element by element. */
static void add_second(const struct duel_problem *p, const struct network *net, double *g, double *squares,
                       struct tally *tally)
{
    for (int64_t l = 0; l <= p->n; l++) {
        const double h = l < p->n ? net->h[l] : 1, h_error = l < p->n ? net->h_error[l] : 0;
        tally->h_squares[l] += h * h;
        for (int64_t j = 0; j < p->count; j++) {
            const double by_h = h_error * net->d[j], by_d = h * net->d_error[j];
            g[l * p->count + j] += h * net->d[j];
            squares[l * p->count + j] += by_h * by_h + by_d * by_d;
        }
    }
    for (int64_t j = 0; j < p->count; j++)
        tally->d_squares[j] += net->d[j] * net->d[j];
}

/* From the sums of squares of both factors of a gradient, and what the errors of the factors make of it, its error. */
static double error_of(double share, double a_squares, double b_squares, double inherited)
{
    return inherited + share * sqrt(a_squares * b_squares);
}

/* W - alpha / m g, and its magnitude: for the judge multiplies all of it with `share`. */
static void step(const struct duel_problem *p, double parameter, double error, double share, double *g,
                 double *magnitude)
{
    const double rate = p->alpha / (double)p->m, change = rate * *g;
    *magnitude = fabs(rate) * error / share + fabs(parameter) + 2 * fabs(change);
    *g = parameter - change;
}

static void step_all(const struct duel_problem *p, const double *parameter, const struct tally *tally, double *g,
                     double *magnitude)
{
    const int64_t n = p->n, c = p->count, first = (p->k + 1) * n;
    const double share_m = workload_share(&p->types, p->m, false), share = workload_share(&p->types, terms(p), false);
    for (int64_t i = 0; i < first; i++) {
        const int64_t q = i / n, l = i % n;
        const double inherited = tally->x_most[q] * sqrt(tally->e_errors[l]);
        step(p, parameter[i], error_of(share_m, tally->x_squares[q], tally->e_squares[l], inherited), share, g + i,
             magnitude + i);
    }
    for (int64_t i = 0; i < (n + 1) * c; i++) {
        const double inherited = sqrt(magnitude[first + i]);
        step(p, parameter[first + i], error_of(share_m, tally->h_squares[i / c], tally->d_squares[i % c], inherited),
             share, g + first + i, magnitude + first + i);
    }
}

/* The master copy, which the network may have rounded for its own use. */
static double *masters(const struct duel_problem *p, const struct duel_matrix *w)
{
    double *all = malloc((size_t)network_parameters(p) * sizeof *all);
    if (all)
        dtype_convert(w->type, w->data, DUEL_FP64, all, (size_t)network_parameters(p));
    return all;
}

static void reference(const struct duel_problem *p, const struct duel_matrix *operand, const struct duel_matrix *before,
                      double *result, double *magnitude)
{
    const size_t count = (size_t)network_parameters(p);
    const int64_t first = (p->k + 1) * p->n;
    const struct duel_matrix *t = &operand[T];
    struct network net;
    struct tally tally;
    double *memory = tally_open(&tally, p), *parameter = masters(p, &before[W]);
    memset(result, 0, count * sizeof *result);
    memset(magnitude, 0, count * sizeof *magnitude);
    if (!network_open(&net, p, &before[W]) || !memory || !parameter) {
        for (size_t i = 0; i < count; i++)
            result[i] = NAN; /* without memory nothing can be right */
        goto cleanup;
    }
    for (int64_t i = 0; i < p->m; i++) {
        network_forward(&net, &operand[X], i);
        network_backward(&net, (int64_t)dtype_load(t->type, t->data, (size_t)(i * t->ld)));
        add_first(p, &net, result, &tally);
        add_second(p, &net, result + first, magnitude + first, &tally);
    }
    step_all(p, parameter, &tally, result, magnitude);
cleanup:
    network_close(&net);
    free(memory);
    free(parameter);
}

static const struct duel_zoo_shape zoo[] = {
    {31, 33, 35, "around a tile of 32, and odd", 10},
    {1, 1, 1, "one of everything", 1},
    {1, 7, 5, "one sample", 3},
    {9, 1, 5, "one hidden unit", 2},
    {9, 5, 1, "one input", 4},
    {5, 3, 0, "no inputs: the biases alone", 4},
    {16, 16, 16, "a tile of 16", 16},
    {33, 32, 31, "m one over", 33},
    {32, 65, 17, "n one over", 10},
    {64, 64, 65, "k one over", 7},
    {65, 64, 64, "m one over", 10},
    {3, 130, 67, "few samples", 2},
    {130, 3, 9, "few units", 17},
    {0, 0, 0, NULL, 0},
};

const struct duel_workload mlp_train_workload = {
    .name = "mlp_train",
    .doc = "Trains a two-layer neural network by one step: what it answers, how wrong that is, and each weight moved a "
           "little against its share of the blame.",
    .formula = "W = W - alpha d loss(X, T, W) / d W",
    .lesson = "An answer forward, the blame for its error backward with two multiplications for a layer instead "
              "of one, and a small change of each weight. Inputs in FP16 can use Tensor Cores, but such small "
              "changes would be lost in FP16 weights: a master copy in FP32 keeps them.",
    .extents = "mnkc",
    .by_n = "mnk",
    .empty = "k",
    .sizes = {"128:512:x2", "256:1024:x2", "32,65"},
    .fixed = {.count = 10, .beta = 1},
    .scalars = DUEL_ALPHA,
    .zoo = zoo,
    .zoo_only = true,
    .operands = 3,
    .operand_name = {"X", "T", "W"},
    .role = {DUEL_IN, DUEL_IN, DUEL_OUT},
    .extent = extent,
    .type = type,
    .prepare = prepare,
    .flops = flops,
    .bytes = bytes,
    .terms = terms,
    .reference = reference,
};
