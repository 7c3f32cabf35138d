/* cpu/mlp/openblas: each layer a matrix multiplication of the library, with a pass for biases and max after it.
 * Needs: openblas
 *
 * Idea     All samples of a layer together are a product of two matrices, X W1 and H W2: the work that libraries are
 *          best at.
 * Mapping  The library shares out each product to its own threads; the passes between them go through one thread.
 * Traffic  The product writes the hidden layer (m x n) to memory, the pass for bias and max reads and writes it again,
 *          and the second product reads it once more. Next rung: fused, where it never leaves the cache.
 * Limits   Sizes and leading dimensions are int.
 */
#include <cblas.h>

#include "cpu/openblas.h"

enum { X = 0, W = 1, Y = 2 };

/* C has no templates: the macro writes everything once for float and once for double; `s` is the library's letter. X is
 * m x k, Y is m x c, and W holds W1 (k x n), b1, W2 (n x c), b2 one after the other; h is m x n. */
#define DEFINE_MLP(name, real, s)                                                                           \
    static void name(const struct duel_problem *p, const real *x, const real *w, real *y, real *restrict h) \
    {                                                                                                       \
        const int m = (int)p->m, n = (int)p->n, k = (int)p->k, c = (int)p->count;                           \
        const int ldx = p->ld[X] > 0 ? (int)p->ld[X] : 1, ldy = (int)p->ld[Y];                              \
        const real *b1 = w + p->k * p->n, *w2 = b1 + n, *b2 = w2 + p->n * p->count;                         \
        cblas_##s##gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, x, ldx, w, n, 0, h, n);      \
        for (int64_t i = 0; i < m; i++)                                                                     \
            for (int64_t l = 0; l < n; l++)                                                                 \
                h[i * n + l] = h[i * n + l] + b1[l] > 0 ? h[i * n + l] + b1[l] : 0;                         \
        cblas_##s##gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, c, n, 1, h, n, w2, c, 0, y, ldy);     \
        for (int64_t i = 0; i < m; i++)                                                                     \
            for (int64_t j = 0; j < c; j++)                                                                 \
                y[i * ldy + j] += b2[j];                                                                    \
    }

DEFINE_MLP(mlp_fp32, float, s)
DEFINE_MLP(mlp_fp64, double, d)

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    const int64_t extent[] = {p->m, p->n, p->k, p->count, p->ld[X], p->ld[Y]};
    return cpu_openblas_counts(extent, sizeof extent / sizeof extent[0], "cpu/mlp/openmp", why);
}

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

DUEL_IMPL(cpu_mlp_openblas) = {
    .name = "cpu/mlp/openblas",
    .builds_on = "cpu/mlp/openmp",
    .doc = "Each layer is one matrix multiplication of the OpenBLAS library for all samples together. "
           "Biases and the maximum with 0 take a pass of their own, which reads and writes the whole hidden layer "
           "again. "
           "The next rung, fused, does that pass while the numbers are still in the cache.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .workspace = workspace,
    .threads = cpu_openblas_threads,
    .library = cpu_openblas_library,
    .run = run,
};
