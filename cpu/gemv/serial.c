/* cpu/gemv/serial: y = alpha A x + beta y, one row after the other.
 *
 * Idea     Element i of y is a dot product: row i of A times x.
 * Mapping  One thread computes one element after the other.
 * Traffic  4 bytes of A for two operations in FP32: each element of A is used once, only x is used again for each row
 *          and stays in a cache.
 * Limits   Each sum is one chain of additions that wait for each other, because another order would give other last
 *          bits. Next rung: cpu/gemv/openmp shares out the rows.
 */
#include "bench/duel.h"

enum { A = 0, X = 1, Y = 2 };

#define DEFINE_GEMV(name, real)                                                               \
    static void name(const struct duel_problem *p, const real *a, const real *x, real *y)     \
    {                                                                                         \
        const int64_t lda = p->ld[A], incx = p->ld[X], incy = p->ld[Y];                       \
        const real alpha = (real)p->alpha, beta = (real)p->beta;                              \
        for (int64_t i = 0; i < p->m; i++) {                                                  \
            real sum = 0;                                                                     \
            for (int64_t j = 0; j < p->k; j++)                                                \
                sum += a[i * lda + j] * x[j * incx];                                          \
            /* beta == 0 means "y is not read": it may hold NaN, and 0 * NaN would be NaN. */ \
            y[i * incy] = beta == 0 ? alpha * sum : alpha * sum + beta * y[i * incy];         \
        }                                                                                     \
    }

DEFINE_GEMV(gemv_fp32, float)  /* A is m x k, x has k elements, y has m */
DEFINE_GEMV(gemv_fp64, double) /* the same loops */

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        gemv_fp64(call->problem, call->operand[A], call->operand[X], call->operand[Y]);
    else
        gemv_fp32(call->problem, call->operand[A], call->operand[X], call->operand[Y]);
    return DUEL_OK;
}

DUEL_IMPL(cpu_gemv_serial) = {
    .name = "cpu/gemv/serial",
    .doc =
        "One dot product after the other, on one core. "
        "Every element of the matrix is read once and used once, so no cache helps with it. "
        "The sum is added in order, which keeps the core from using its vector units, and memory waits for the core.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
