/* cpu/mlp_train/openmp: layer by layer instead of sample by sample, each layer shared out to all cores.
 * Needs: openmp
 *
 * Idea     Forward and backward, the samples are independent of each other. In the gradient the weights are: each is a
 *          sum over all samples. So the work has two phases, cut along samples first and along weights then.
 * Mapping  First samples go to the threads, then rows of W1 in groups of 8, then rows of W2. The order of each sum is
 *          fixed, so the result does not depend on the number of threads.
 * Traffic  Forward reads W1 once for each sample, as the rung below. The gradient needs no memory of its own: a piece
 *          of it, 8 rows x 256 columns, is summed in the cache and taken from the weights at once.
 * Limits   Each multiply-add still loads and stores the sum that it adds to. Next rung: openblas.
 */
#include <math.h>
#include <string.h>

#include "bench/duel.h"
#include "cpu/team.h"

enum { X = 0, T = 1, W = 2 };

/* Rows and columns of a piece of the gradient: 8 KiB in FP32, so that it stays in L1. */
enum { ROWS = 8, COLUMNS = 256 };

static inline int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* C has no templates: the macro writes everything once for float and once for double. `real` is the element type; w
 * holds W1 (k x n), b1, W2 (n x c), b2 one after the other; h and e are m x n, d is m x c. */
#define DEFINE_TRAIN(name, real, exp)                                                                                 \
    static void forward_##name(const struct duel_problem *p, const real *x, const real *w, real *restrict h,          \
                               real *restrict d)                                                                      \
    {                                                                                                                 \
        const int64_t n = p->n, k = p->k, c = p->count;                                                               \
        const real *b1 = w + k * n, *w2 = b1 + n, *b2 = w2 + n * c;                                                   \
        memcpy(h, b1, (size_t)n * sizeof *h);                                                                         \
        for (int64_t q = 0; q < k; q++)                                                                               \
            for (int64_t l = 0; l < n; l++)                                                                           \
                h[l] += x[q] * w[q * n + l];                                                                          \
        memcpy(d, b2, (size_t)c * sizeof *d);                                                                         \
        for (int64_t l = 0; l < n; l++) {                                                                             \
            h[l] = h[l] > 0 ? h[l] : 0;                                                                               \
            for (int64_t j = 0; j < c; j++)                                                                           \
                d[j] += h[l] * w2[l * c + j];                                                                         \
        }                                                                                                             \
    }                                                                                                                 \
    /* d: answers become softmax(y), less 1 at the label. e = d W2^T, where the unit is on. */                        \
    static void backward_##name(const struct duel_problem *p, int64_t label, const real *w2, const real *h,           \
                                real *restrict d, real *restrict e)                                                   \
    {                                                                                                                 \
        const int64_t c = p->count;                                                                                   \
        real most = d[0], sum = 0; /* without the largest answer exp could overflow */                                \
        for (int64_t j = 1; j < c; j++)                                                                               \
            most = d[j] > most ? d[j] : most;                                                                         \
        for (int64_t j = 0; j < c; j++)                                                                               \
            sum += d[j] = exp(d[j] - most);                                                                           \
        for (int64_t j = 0; j < c; j++)                                                                               \
            d[j] = d[j] / sum - (real)(j == label);                                                                   \
        for (int64_t l = 0; l < p->n; l++) {                                                                          \
            real back = 0;                                                                                            \
            for (int64_t j = 0; j < c; j++)                                                                           \
                back += d[j] * w2[l * c + j];                                                                         \
            e[l] = h[l] > 0 ? back : 0;                                                                               \
        }                                                                                                             \
    }                                                                                                                 \
    /* A piece of M -= rate A^T B: rows from q0 on and columns from l0 on. Behind the last row of A^T stands a row of \
     * ones, for the bias. A is m x rows, B is m x columns. */                                                        \
    static void piece_##name(int64_t m, int64_t rows, int64_t columns, real rate, const real *a, int64_t lda,         \
                             const real *b, real *M, int64_t q0, int64_t l0)                                          \
    {                                                                                                                 \
        const int64_t q1 = smaller(q0 + ROWS, rows + 1), width = smaller(COLUMNS, columns - l0);                      \
        real sum[ROWS][COLUMNS] = {{0}};                                                                              \
        for (int64_t i = 0; i < m; i++)                                                                               \
            for (int64_t q = q0; q < q1; q++) {                                                                       \
                const real factor = q < rows ? a[i * lda + q] : 1, *row = b + i * columns + l0;                       \
                for (int64_t l = 0; l < width; l++)                                                                   \
                    sum[q - q0][l] += factor * row[l];                                                                \
            }                                                                                                         \
        for (int64_t q = q0; q < q1; q++)                                                                             \
            for (int64_t l = 0; l < width; l++)                                                                       \
                M[q * columns + l0 + l] -= rate * sum[q - q0][l];                                                     \
    }                                                                                                                 \
    static void name(const struct duel_problem *p, const real *x, const real *t, real *w, real *h)                    \
    {                                                                                                                 \
        const int64_t m = p->m, n = p->n, k = p->k, c = p->count;                                                     \
        const real rate = (real)(p->alpha / (double)m);                                                               \
        real *w2 = w + (k + 1) * n, *e = h + m * n, *d = e + m * n;                                                   \
        _Pragma("omp parallel")                                                                                       \
        {                                                                                                             \
            _Pragma("omp for schedule(static)") for (int64_t i = 0; i < m; i++)                                       \
            {                                                                                                         \
                forward_##name(p, x + i * p->ld[X], w, h + i * n, d + i * c);                                         \
                backward_##name(p, (int64_t)t[i * p->ld[T]], w2, h + i * n, d + i * c, e + i * n);                    \
            } /* all have read the weights before any of them moves */                                                \
            _Pragma("omp for collapse(2) schedule(dynamic) nowait") for (int64_t q = 0; q <= k;                       \
                                                                         q += ROWS) for (int64_t l = 0; l < n;        \
                                                                                         l += COLUMNS)                \
                piece_##name(m, k, n, rate, x, p->ld[X], e, w, q, l);                                                 \
            _Pragma("omp for collapse(2) schedule(dynamic)") for (int64_t q = 0; q <= n;                              \
                                                                  q += ROWS) for (int64_t l = 0; l < c; l += COLUMNS) \
                piece_##name(m, n, c, rate, h, n, d, w2, q, l);                                                       \
        }                                                                                                             \
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

/* The hidden layer, what comes back to it, and what was wrong with the answers. */
static size_t workspace(const struct duel_problem *p)
{
    return (size_t)p->m * (size_t)(2 * p->n + p->count) * (size_t)duel_element_bytes(p->types.in);
}

DUEL_IMPL(cpu_mlp_train_openmp) = {
    .name = "cpu/mlp_train/openmp",
    .builds_on = "cpu/mlp_train/serial",
    .doc = "The same step on all cores. "
           "On the way forward and back the samples are shared out, because they do not depend on each other; for the "
           "gradient the weights are, because each weight sums over all samples. "
           "Between the two all cores must meet: no weight may move before every sample has used it. "
           "The gradient is never stored whole; each piece is taken from the weights while it is in the cache.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .workspace = workspace,
    .threads = cpu_team,
    .run = run,
};
