#include "bench/workload/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/share.h"

double network_norm(const double *x, int64_t count, int64_t stride)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += x[i * stride] * x[i * stride];
    return sqrt(sum);
}

/* Hands out the next `count` doubles. */
static double *take(double **next, int64_t count)
{
    double *taken = *next;
    *next += count;
    return taken;
}

static void divide_memory(struct network *net)
{
    const struct duel_problem *p = net->p;
    double *next = net->memory;
    net->w1 = take(&next, p->k * p->n);
    net->b1 = take(&next, p->n);
    net->w2 = take(&next, p->n * p->count);
    net->b2 = take(&next, p->count);
    net->x = take(&next, p->k);
    double **hidden[] = {&net->w1_norm, &net->z, &net->z_error, &net->h, &net->h_error, &net->e, &net->e_error};
    double **outer[] = {&net->w2_norm, &net->y, &net->y_error, &net->d, &net->d_error};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        *hidden[i] = take(&next, p->n);
    for (size_t i = 0; i < sizeof outer / sizeof *outer; i++)
        *outer[i] = take(&next, p->count);
}

/* What Tensor Cores multiply with: weights in the inputs' type, whatever type the master copy has. */
static void round_weights(struct network *net, enum duel_dtype type, enum duel_dtype master)
{
    double stored = 0;
    if (dtype_roundoff(type) <= dtype_roundoff(master))
        return;
    for (int64_t i = 0; i < net->p->k * net->p->n; i++) {
        dtype_store(type, &stored, 0, net->w1[i]);
        net->w1[i] = dtype_load(type, &stored, 0);
    }
}

bool network_open(struct network *net, const struct duel_problem *problem, const struct duel_matrix *parameters)
{
    const struct duel_problem *p = problem;
    const int64_t count = network_parameters(p) + p->k + 7 * p->n + 5 * p->count;
    const bool narrow = dtype_roundoff(p->types.in) > dtype_roundoff(p->types.acc);
    *net = (struct network){.p = p};
    /* The largest error of one number; errors of several are added as if they were typical ones, so three of it. */
    net->rounding = narrow ? 3 * dtype_roundoff(p->types.in) : 0;
    net->least = narrow ? 0x1p-24 : 0;
    net->memory = calloc((size_t)count, sizeof *net->memory);
    if (!net->memory)
        return false;
    divide_memory(net);
    dtype_convert(parameters->type, parameters->data, DUEL_FP64, net->memory, (size_t)network_parameters(p));
    round_weights(net, p->types.in, parameters->type);
    for (int64_t l = 0; l < p->n; l++)
        net->w1_norm[l] = network_norm(net->w1 + l, p->k, p->n);
    for (int64_t j = 0; j < p->count; j++)
        net->w2_norm[j] = network_norm(net->w2 + j, p->n, p->count);
    return true;
}

void network_close(struct network *net)
{
    free(net->memory);
    net->memory = NULL;
}

/* to = from M + start, for M with `rows` rows and `columns` columns. Four rows at a time: `to` is loaded and stored
 * once for all of them. */
static void multiply(const double *from, const double *matrix, const double *start, int64_t rows, int64_t columns,
                     double *restrict to)
{
    int64_t i = 0;
    memcpy(to, start, (size_t)columns * sizeof *to);
    for (; i + 4 <= rows; i += 4) {
        const double *a = matrix + i * columns, *b = a + columns, *c = b + columns, *d = c + columns;
        for (int64_t j = 0; j < columns; j++)
            to[j] += from[i] * a[j] + from[i + 1] * b[j] + from[i + 2] * c[j] + from[i + 3] * d[j];
    }
    for (; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            to[j] += from[i] * matrix[i * columns + j];
}

/* |x| |w| in sum is at most the product of the norms (Cauchy and Schwarz), which costs nothing for each product. */
void network_forward(struct network *net, const struct duel_matrix *x, int64_t i)
{
    const struct duel_problem *p = net->p;
    const double share_k = workload_share(&p->types, p->k + 1, false);
    const double share_n = workload_share(&p->types, p->n + 1, false);
    dtype_convert(x->type, (const char *)x->data + (size_t)(i * x->ld) * dtype_size(x->type), DUEL_FP64, net->x,
                  (size_t)p->k);
    multiply(net->x, net->w1, net->b1, p->k, p->n, net->z);
    const double x_norm = network_norm(net->x, p->k, 1);
    for (int64_t l = 0; l < p->n; l++) {
        net->z_error[l] = share_k * (x_norm * net->w1_norm[l] + fabs(net->b1[l])) + net->least;
        net->h[l] = fmax(net->z[l], 0);
        net->h_error[l] =
            net->z[l] + net->z_error[l] > 0 ? net->z_error[l] + net->rounding * net->h[l] + net->least : 0;
    }
    multiply(net->h, net->w2, net->b2, p->n, p->count, net->y);
    const double h_norm = network_norm(net->h, p->n, 1);
    for (int64_t j = 0; j < p->count; j++) {
        double squares = 0;
        for (int64_t l = 0; l < p->n; l++) {
            const double error = net->w2[l * p->count + j] * net->h_error[l];
            squares += error * error;
        }
        net->y_error[j] = sqrt(squares) + share_n * (h_norm * net->w2_norm[j] + fabs(net->b2[j]));
    }
}

static double largest(const double *x, int64_t count)
{
    double most = -INFINITY;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, x[i]);
    return most;
}

/* softmax(y) - 1 at the label. exp turns the error of its argument into a share of its value; a few units in the last
 * place are its own, and those of sum and division. */
static void answer_backward(struct network *net, int64_t label)
{
    const int64_t c = net->p->count;
    const double most = largest(net->y, c), acc = dtype_roundoff(net->p->types.acc);
    double sum = 0, mean = 0;
    for (int64_t j = 0; j < c; j++)
        sum += net->d[j] = exp(net->y[j] - most);
    for (int64_t j = 0; j < c; j++) {
        net->d[j] /= sum;
        mean += net->d[j] * net->y_error[j];
    }
    for (int64_t j = 0; j < c; j++) {
        const double own = acc * (8 + fabs(net->y[j] - most) + sqrt((double)c));
        net->d_error[j] = net->d[j] * (net->y_error[j] + mean + own) + acc + net->rounding * net->d[j] + net->least;
        net->d[j] -= j == label;
    }
}

void network_backward(struct network *net, int64_t label)
{
    const int64_t n = net->p->n, c = net->p->count;
    const double share_c = workload_share(&net->p->types, c, false);
    answer_backward(net, label);
    const double d_norm = network_norm(net->d, c, 1);
    for (int64_t l = 0; l < n; l++) {
        const double *row = net->w2 + l * c;
        double sum = 0, squares = 0;
        for (int64_t j = 0; j < c; j++) {
            sum += row[j] * net->d[j];
            squares += row[j] * net->d_error[j] * row[j] * net->d_error[j];
        }
        const double error =
            sqrt(squares) + share_c * d_norm * network_norm(row, c, 1) + net->rounding * fabs(sum) + net->least;
        /* Close to 0 nobody knows whether the unit is on: there the whole of it may come or go. */
        const bool on = net->z[l] > 0, unsure = fabs(net->z[l]) <= net->z_error[l];
        net->e[l] = on ? sum : 0;
        net->e_error[l] = unsure ? fabs(sum) + error : on ? error : 0;
    }
}

double network_loss(const struct network *net, int64_t label)
{
    const double most = largest(net->y, net->p->count);
    double sum = 0;
    for (int64_t j = 0; j < net->p->count; j++)
        sum += exp(net->y[j] - most);
    return log(sum) + most - net->y[label];
}

void network_prepare(const struct duel_problem *p, struct duel_matrix *parameters)
{
    const double first = exp2(round(log2(sqrt(6 / fmax((double)p->k, 1))))),
                 second = exp2(round(log2(sqrt(6 / (double)p->n))));
    const int64_t w2 = (p->k + 1) * p->n, b2 = w2 + p->n * p->count;
    for (int64_t i = 0; i < network_parameters(p); i++) {
        const double factor = i < p->k * p->n ? first : i >= w2 && i < b2 ? second : 0x1p-4;
        dtype_store(parameters->type, parameters->data, (size_t)i,
                    factor * dtype_load(parameters->type, parameters->data, (size_t)i));
    }
}
