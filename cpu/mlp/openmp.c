/* cpu/mlp/openmp: samples in groups that share each piece of the weights, the groups shared out to all cores.
 * Needs: openmp
 *
 * Idea     Samples do not depend on each other, so any core may take any group of them. Within a group all samples use
 *          a piece of W1 while it is in the cache: what was read for one sample serves 32.
 * Mapping  A group of 32 samples goes to whichever thread is free. Each sum stays inside one thread, so the result does
 *          not depend on the number of threads.
 * Traffic  All of W1 once for each group: 64 operations for each weight that is read, 32 times the rung below.
 * Limits   Each multiply-add still loads and stores the sum that it adds to. Next rung: openblas.
 */
#include "bench/duel.h"
#include "cpu/team.h"

enum { X = 0, W = 1, Y = 2 };

/* Budgets, for FP32 (FP64 doubles them): a piece of W1 is DEPTH * WIDTH * 4 = 64 KiB, at home in an L2 cache; the part
 * of the hidden layer that it adds to is WIDTH * 4 = 1 KiB. */
enum { GROUP = 32, DEPTH = 64, WIDTH = 256 };

static inline int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* C has no templates: the macro writes the loops once for float and once for double. `real` is the element type; X is
 * m x k, Y is m x c, and W holds W1 (k x n), b1, W2 (n x c), b2 one after the other; h is m x n. */
#define DEFINE_MLP(name, real)                                                                               \
    static void hidden_##name(const struct duel_problem *p, const real *x, const real *w1, real *restrict h, \
                              int64_t q0, int64_t l0)                                                        \
    {                                                                                                        \
        const int64_t q1 = smaller(q0 + DEPTH, p->k), l1 = smaller(l0 + WIDTH, p->n);                        \
        for (int64_t q = q0; q < q1; q++)                                                                    \
            for (int64_t l = l0; l < l1; l++)                                                                \
                h[l] += x[q] * w1[q * p->n + l];                                                             \
    }                                                                                                        \
    static void group_##name(const struct duel_problem *p, const real *x, const real *w, real *y, real *h,   \
                             int64_t samples)                                                                \
    {                                                                                                        \
        const int64_t n = p->n, k = p->k, c = p->count;                                                      \
        const real *b1 = w + k * n, *w2 = b1 + n, *b2 = w2 + n * c;                                          \
        for (int64_t i = 0; i < samples; i++)                                                                \
            for (int64_t l = 0; l < n; l++)                                                                  \
                h[i * n + l] = b1[l];                                                                        \
        for (int64_t l0 = 0; l0 < n; l0 += WIDTH)                                                            \
            for (int64_t q0 = 0; q0 < k; q0 += DEPTH)                                                        \
                for (int64_t i = 0; i < samples; i++)                                                        \
                    hidden_##name(p, x + i * p->ld[X], w, h + i * n, q0, l0);                                \
        for (int64_t i = 0; i < samples; i++) {                                                              \
            real *restrict answer = y + i * p->ld[Y];                                                        \
            for (int64_t j = 0; j < c; j++)                                                                  \
                answer[j] = b2[j];                                                                           \
            for (int64_t l = 0; l < n; l++)                                                                  \
                for (int64_t j = 0; j < c; j++)                                                              \
                    answer[j] += (h[i * n + l] > 0 ? h[i * n + l] : 0) * w2[l * c + j];                      \
        }                                                                                                    \
    }                                                                                                        \
    static void name(const struct duel_problem *p, const real *x, const real *w, real *y, real *h)           \
    {                                                                                                        \
        _Pragma("omp parallel for schedule(dynamic)") for (int64_t i = 0; i < p->m; i += GROUP)              \
            group_##name(p, x + i * p->ld[X], w, y + i * p->ld[Y], h + i * p->n, smaller(GROUP, p->m - i));  \
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
    return (size_t)p->m * (size_t)p->n * (size_t)duel_element_bytes(p->types.in);
}

DUEL_IMPL(cpu_mlp_openmp) = {
    .name = "cpu/mlp/openmp",
    .builds_on = "cpu/mlp/serial",
    .doc = "Samples in groups of 32 on all cores. "
           "A group uses each piece of the weights while it is in the cache, so memory delivers it once for 32 samples "
           "and not 32 times. "
           "That is why networks are run on batches: one sample at a time is limited by memory, many are limited by "
           "arithmetic.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .workspace = workspace,
    .threads = cpu_team,
    .run = run,
};
