/* cpu/mlp_train/serial: forward and backward, one sample after the other, then one step, on one thread.
 *
 * Idea     Forward: hidden units h = max(0, x W1 + b1), answers y = h W2 + b2. Backward: d = softmax(y), less 1 for the
 *          right class, says how the loss falls with each answer; e = d W2^T, where h is on, how with each unit. What
 *          each weight has to answer for is the product of what goes into it and what comes back: x e and h d.
 * Mapping  One thread. The gradient is summed over all samples before any weight moves.
 * Traffic  All weights and the whole gradient again for each sample: memory sets the pace when they leave the cache.
 * Limits   One core, one sample at a time. Next rung: cpu/mlp_train/openmp.
 */
#include <math.h>
#include <string.h>

#include "bench/duel.h"

enum { X = 0, T = 1, W = 2 };

static int64_t parameters(const struct duel_problem *p)
{
    return p->n * (p->k + 1) + p->count * (p->n + 1);
}

/* C has no templates: the macro writes everything once for float and once for double. `real` is the element type; w
 * holds W1 (k x n), b1, W2 (n x c), b2 one after the other, and g their gradient in the same order. */
#define DEFINE_TRAIN(name, real, exp)                                                                        \
    static void forward_##name(const struct duel_problem *p, const real *x, const real *w, real *h, real *d) \
    {                                                                                                        \
        const int64_t n = p->n, k = p->k, c = p->count;                                                      \
        const real *b1 = w + k * n, *w2 = b1 + n, *b2 = w2 + n * c;                                          \
        memcpy(h, b1, (size_t)n * sizeof *h);                                                                \
        for (int64_t q = 0; q < k; q++)                                                                      \
            for (int64_t l = 0; l < n; l++)                                                                  \
                h[l] += x[q] * w[q * n + l];                                                                 \
        memcpy(d, b2, (size_t)c * sizeof *d);                                                                \
        for (int64_t l = 0; l < n; l++) {                                                                    \
            h[l] = h[l] > 0 ? h[l] : 0;                                                                      \
            for (int64_t j = 0; j < c; j++)                                                                  \
                d[j] += h[l] * w2[l * c + j];                                                                \
        }                                                                                                    \
    }                                                                                                        \
    /* Answers become softmax(y), less 1 at the label. Without the largest answer exp could overflow. */     \
    static void blame_##name(int64_t c, int64_t label, real *d)                                              \
    {                                                                                                        \
        real most = d[0], sum = 0;                                                                           \
        for (int64_t j = 1; j < c; j++)                                                                      \
            most = d[j] > most ? d[j] : most;                                                                \
        for (int64_t j = 0; j < c; j++)                                                                      \
            sum += d[j] = exp(d[j] - most);                                                                  \
        for (int64_t j = 0; j < c; j++)                                                                      \
            d[j] = d[j] / sum - (real)(j == label);                                                          \
    }                                                                                                        \
    static void backward_##name(const struct duel_problem *p, const real *x, const real *w, const real *h,   \
                                const real *d, real *restrict g)                                             \
    {                                                                                                        \
        const int64_t n = p->n, k = p->k, c = p->count, first = (k + 1) * n;                                 \
        const real *w2 = w + first;                                                                          \
        real *g2 = g + first, *b2 = g2 + n * c;                                                              \
        for (int64_t l = 0; l < n; l++) {                                                                    \
            real e = 0;                                                                                      \
            for (int64_t j = 0; j < c; j++) {                                                                \
                e += d[j] * w2[l * c + j];                                                                   \
                g2[l * c + j] += h[l] * d[j];                                                                \
            }                                                                                                \
            for (int64_t q = 0; q < k && h[l] > 0; q++) /* a unit that is off passes nothing back */         \
                g[q * n + l] += x[q] * e;                                                                    \
            g[k * n + l] += h[l] > 0 ? e : 0;                                                                \
        }                                                                                                    \
        for (int64_t j = 0; j < c; j++)                                                                      \
            b2[j] += d[j];                                                                                   \
    }                                                                                                        \
    static void name(const struct duel_problem *p, const real *x, const real *t, real *w, real *g)           \
    {                                                                                                        \
        const int64_t count = parameters(p);                                                                 \
        const real rate = (real)(p->alpha / (double)p->m);                                                   \
        real *h = g + count, *d = h + p->n;                                                                  \
        memset(g, 0, (size_t)count * sizeof *g);                                                             \
        for (int64_t i = 0; i < p->m; i++) {                                                                 \
            forward_##name(p, x + i * p->ld[X], w, h, d);                                                    \
            blame_##name(p->count, (int64_t)t[i * p->ld[T]], d);                                             \
            backward_##name(p, x + i * p->ld[X], w, h, d, g);                                                \
        }                                                                                                    \
        for (int64_t i = 0; i < count; i++)                                                                  \
            w[i] -= rate * g[i];                                                                             \
    }

DEFINE_TRAIN(train_fp32, float, expf)
DEFINE_TRAIN(train_fp64, double, exp)

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        train_fp64(call->problem, call->operand[X], call->operand[T], call->operand[W], call->workspace);
    else
        train_fp32(call->problem, call->operand[X], call->operand[T], call->operand[W], call->workspace);
    return DUEL_OK;
}

/* The gradient, and one sample's hidden units and answers. */
static size_t workspace(const struct duel_problem *p)
{
    return (size_t)(parameters(p) + p->n + p->count) * (size_t)duel_element_bytes(p->types.in);
}

DUEL_IMPL(cpu_mlp_train_serial) = {
    .name = "cpu/mlp_train/serial",
    .doc = "One training step on one core: each sample goes forward through the network, and what was wrong with its "
           "answer goes back through the same weights. "
           "What a weight has to answer for is what went into it times what comes back to it, summed over all samples; "
           "then every weight moves a little against that. "
           "Backward costs twice as much as forward. "
           "It is shown for teaching; a fair comparison uses the best CPU row.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .workspace = workspace,
    .run = run,
};
