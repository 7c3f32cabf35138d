/* cpu/mlp/serial: one sample after the other, one layer after the other, on one thread.
 *
 * Idea     The hidden units of a sample are sums over its inputs; what is below 0 becomes 0; the answers are sums over
 *          the hidden units.
 * Mapping  One thread, sample by sample. Loops go along the rows of W1 and W2, so that memory is read in order.
 * Traffic  All of W1 and W2 again for each sample: 2 operations for each weight that is read.
 * Limits   Weights that do not fit in a cache come from memory for each sample. Next rung: cpu/mlp/openmp, where many
 *          samples share each piece of W1.
 */
#include "bench/duel.h"

enum { X = 0, W = 1, Y = 2 };

/* C has no templates: the macro writes the loops once for float and once for double. `real` is the element type; X is
 * m x k, Y is m x c, and W holds W1 (k x n), b1, W2 (n x c), b2 one after the other; h has room for n numbers. */
#define DEFINE_MLP(name, real)                                                                                       \
    static void name(const struct duel_problem *p, const real *x, const real *w, real *restrict y, real *restrict h) \
    {                                                                                                                \
        const int64_t n = p->n, k = p->k, c = p->count;                                                              \
        const real *w1 = w, *b1 = w1 + k * n, *w2 = b1 + n, *b2 = w2 + n * c;                                        \
        for (int64_t i = 0; i < p->m; i++, x += p->ld[X], y += p->ld[Y]) {                                           \
            for (int64_t l = 0; l < n; l++)                                                                          \
                h[l] = b1[l];                                                                                        \
            for (int64_t q = 0; q < k; q++)                                                                          \
                for (int64_t l = 0; l < n; l++)                                                                      \
                    h[l] += x[q] * w1[q * n + l];                                                                    \
            for (int64_t j = 0; j < c; j++)                                                                          \
                y[j] = b2[j];                                                                                        \
            for (int64_t l = 0; l < n; l++)                                                                          \
                for (int64_t j = 0; j < c; j++)                                                                      \
                    y[j] += (h[l] > 0 ? h[l] : 0) * w2[l * c + j];                                                   \
        }                                                                                                            \
    }

DEFINE_MLP(mlp_fp32, float)
DEFINE_MLP(mlp_fp64, double)

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        mlp_fp64(call->problem, call->operand[X], call->operand[W], call->operand[Y], call->workspace);
    else
        mlp_fp32(call->problem, call->operand[X], call->operand[W], call->operand[Y], call->workspace);
    return DUEL_OK;
}

static size_t workspace(const struct duel_problem *p)
{
    return (size_t)p->n * (size_t)duel_element_bytes(p->types.in);
}

DUEL_IMPL(cpu_mlp_serial) = {
    .name = "cpu/mlp/serial",
    .doc = "One sample at a time through both layers of the network, on one core. "
           "Each layer is a sum of products for each unit; between them negative numbers become 0, which is all the "
           "nonlinearity there is. "
           "All weights are read again for each sample, so memory works harder than the arithmetic. "
           "It is shown for teaching; a fair comparison uses the best CPU row.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .workspace = workspace,
    .run = run,
};
