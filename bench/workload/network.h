/* network.h: the two-layer network of mlp and mlp_train in FP64, one sample at a time, with error bars: how far the
 * roundings of an implementation may have moved each number (running error analysis, Higham, Accuracy and Stability,
 * 2nd ed., section 3.3). Errors of different numbers are independent, so they add like the sides of a right angle. */
#ifndef DUEL_WORKLOAD_NETWORK_H
#define DUEL_WORKLOAD_NETWORK_H

#include "bench/workload/workload.h"

/* Y = max(0, X W1 + b1) W2 + b2 for m samples of k numbers, n hidden units and c = count classes. The parameters lie
 * one after the other in one row: W1 (k x n), b1 (n), W2 (n x c), b2 (c). */
static inline int64_t network_parameters(const struct duel_problem *p)
{
    return p->n * (p->k + 1) + p->count * (p->n + 1);
}

struct network {
    const struct duel_problem *p;
    double rounding, least; /* of numbers between the layers, when they are kept in types.in: relative, absolute */
    double *memory;         /* everything below */
    double *w1, *b1, *w2, *b2;
    double *w1_norm, *w2_norm; /* of their columns: n and c */
    double *x;                 /* the sample: k */
    double *z, *z_error;       /* before max(0, .): n */
    double *h, *h_error;       /* the hidden layer: n */
    double *y, *y_error;       /* the answer: c */
    double *d, *d_error;       /* what of the answer is wrong, d loss / d y: c */
    double *e, *e_error;       /* d loss / d z: n */
};

/* Weights of `parameters` that are wider than types.in are rounded to it. False for lack of memory. */
bool network_open(struct network *net, const struct duel_problem *problem, const struct duel_matrix *parameters);
void network_close(struct network *net);
/* Sample i of `x`: fills x, z, h and y. */
void network_forward(struct network *net, const struct duel_matrix *x, int64_t i);
/* After that: fills d and e for a sample of this class, with the cross entropy of softmax(y) as loss. */
void network_backward(struct network *net, int64_t label);
/* The loss itself, after network_forward. */
double network_loss(const struct network *net, int64_t label);

/* Turns random numbers into parameters of a fresh network (He et al., ICCV 2015), by powers of two: every type holds
 * the same ones. */
void network_prepare(const struct duel_problem *problem, struct duel_matrix *parameters);

/* The square root of the sum of the squares of `count` numbers that stand `stride` apart. */
double network_norm(const double *x, int64_t count, int64_t stride);

#endif
