/* cpu/mlp_train/openblas: all of a step but the bends as five matrix multiplications of the library.
 * Needs: openblas
 *
 * Idea     Forward H = max(0, X W1 + b1) and Y = H W2 + b2; backward E = D W2^T, where units are on; and the step
 *          W1 -= rate X^T E, W2 -= rate H^T D. BLAS multiplies transposed matrices as fast as others, and adds the
 *          product to what is there: so the step needs no gradient in memory.
 * Mapping  The library shares out each product to its own threads; what stands between them is done by one thread.
 * Traffic  The hidden layer and E (m x n each) travel to memory and back between the products.
 * Limits   Sizes and leading dimensions are int; bias, max and softmax are serial and pass over the layers again.
 */
#include <cblas.h>
#include <math.h>

#include "cpu/openblas.h"

enum { X = 0, T = 1, W = 2 };

/* C has no templates: the macro writes everything once for float and once for double; `s` is the library's letter. w
 * holds W1 (k x n), b1, W2 (n x c), b2 one after the other; h and e are m x n, d is m x c. */
#define DEFINE_TRAIN(name, real, s, exp)                                                                             \
    static void bend_##name(int64_t m, int64_t n, const real *b1, real *restrict h)                                  \
    {                                                                                                                \
        for (int64_t i = 0; i < m; i++)                                                                              \
            for (int64_t l = 0; l < n; l++)                                                                          \
                h[i * n + l] = h[i * n + l] + b1[l] > 0 ? h[i * n + l] + b1[l] : 0;                                  \
    }                                                                                                                \
    /* A row of answers becomes softmax(y + b2), less 1 at the label; without the largest exp could overflow. */     \
    static void blame_##name(int64_t c, int64_t label, const real *b2, real *restrict d)                             \
    {                                                                                                                \
        real most = d[0] + b2[0], sum = 0;                                                                           \
        for (int64_t j = 0; j < c; j++)                                                                              \
            most = (d[j] += b2[j]) > most ? d[j] : most;                                                             \
        for (int64_t j = 0; j < c; j++)                                                                              \
            sum += d[j] = exp(d[j] - most);                                                                          \
        for (int64_t j = 0; j < c; j++)                                                                              \
            d[j] = d[j] / sum - (real)(j == label);                                                                  \
    }                                                                                                                \
    /* bias -= rate (sum of the rows of b); rows are summed first, so that the bias rounds once. */                  \
    static void bias_##name(int64_t m, int64_t n, real rate, const real *b, real *restrict bias, real *restrict sum) \
    {                                                                                                                \
        for (int64_t l = 0; l < n; l++)                                                                              \
            sum[l] = 0;                                                                                              \
        for (int64_t i = 0; i < m; i++)                                                                              \
            for (int64_t l = 0; l < n; l++)                                                                          \
                sum[l] += b[i * n + l];                                                                              \
        for (int64_t l = 0; l < n; l++)                                                                              \
            bias[l] -= rate * sum[l];                                                                                \
    }                                                                                                                \
    static void name(const struct duel_problem *p, const real *x, const real *t, real *w, real *h)                   \
    {                                                                                                                \
        const int m = (int)p->m, n = (int)p->n, k = (int)p->k, c = (int)p->count;                                    \
        const int ldx = p->ld[X] > 0 ? (int)p->ld[X] : 1;                                                            \
        const real rate = (real)(p->alpha / (double)m);                                                              \
        real *b1 = w + p->k * p->n, *w2 = b1 + n, *b2 = w2 + p->n * p->count;                                        \
        real *e = h + p->m * p->n, *d = e + p->m * p->n, *sum = d + p->m * p->count;                                 \
        cblas_##s##gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, x, ldx, w, n, 0, h, n);               \
        bend_##name(m, n, b1, h);                                                                                    \
        cblas_##s##gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, c, n, 1, h, n, w2, c, 0, d, c);                \
        for (int64_t i = 0; i < m; i++)                                                                              \
            blame_##name(c, (int64_t)t[i * p->ld[T]], b2, d + i * c);                                                \
        cblas_##s##gemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, c, 1, d, c, w2, c, 0, e, n);                  \
        for (int64_t i = 0; i < p->m * p->n; i++)                                                                    \
            e[i] = h[i] > 0 ? e[i] : 0;                                                                              \
        if (k > 0)                                                                                                   \
            cblas_##s##gemm(CblasRowMajor, CblasTrans, CblasNoTrans, k, n, m, -rate, x, ldx, e, n, 1, w, n);         \
        bias_##name(m, n, rate, e, b1, sum);                                                                         \
        cblas_##s##gemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, c, m, -rate, h, n, d, c, 1, w2, c);              \
        bias_##name(m, c, rate, d, b2, sum);                                                                         \
    }

DEFINE_TRAIN(train_fp32, float, s, expf)
DEFINE_TRAIN(train_fp64, double, d, exp)

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    const int64_t extent[] = {p->m, p->n, p->k, p->count, p->ld[X]};
    return cpu_openblas_counts(extent, sizeof extent / sizeof extent[0], "cpu/mlp_train/openmp", why);
}

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        train_fp64(call->problem, call->operand[X], call->operand[T], call->operand[W], call->workspace);
    else
        train_fp32(call->problem, call->operand[X], call->operand[T], call->operand[W], call->workspace);
    return DUEL_OK;
}

/* The hidden layer, what comes back to it, what was wrong with the answers, and a sum for each bias. */
static size_t workspace(const struct duel_problem *p)
{
    const int64_t biases = p->n > p->count ? p->n : p->count;
    return (size_t)(p->m * (2 * p->n + p->count) + biases) * (size_t)duel_element_bytes(p->types.in);
}

DUEL_IMPL(cpu_mlp_train_openblas) = {
    .name = "cpu/mlp_train/openblas",
    .builds_on = "cpu/mlp_train/openmp",
    .doc = "The whole step as five matrix multiplications of the OpenBLAS library: two forward, one backward, and two "
           "that move the weights. "
           "The last two add their product to the weights that are there, so the gradient itself is never stored. "
           "Training is nearly all matrix multiplication, which is why hardware for AI is hardware for that.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .workspace = workspace,
    .threads = cpu_openblas_threads,
    .library = cpu_openblas_library,
    .run = run,
};
