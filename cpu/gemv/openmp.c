/* cpu/gemv/openmp: the rows of cpu/gemv/serial, shared out to all cores.
 * Needs: openmp
 *
 * Idea     Elements of y do not depend on each other, so any core may compute any of them.
 * Mapping  schedule(static): each thread has the same rows at every call, so its part of a matrix that fits the caches
 *          is still in its own. Each sum stays inside one thread: the result does not depend on their number.
 * Traffic  As in the rung below. x lies in the cache of each core.
 * Limits   Each sum is still one chain of additions. Fewer rows than cores leave cores without work. Next rung:
 *          cpu/gemv/simd adds in vectors, and four rows at a time.
 */
#include "bench/duel.h"
#include "cpu/team.h"

enum { A = 0, X = 1, Y = 2 };

/* Elements of A from which a team pays for itself. */
enum { TEAM_FROM = 16384 };
#define SHARED_OUT _Pragma("omp parallel for schedule(static) if (p->m * p->k >= TEAM_FROM)")

#define DEFINE_GEMV(name, real)                                                               \
    static void name(const struct duel_problem *p, const real *a, const real *x, real *y)     \
    {                                                                                         \
        const int64_t lda = p->ld[A], incx = p->ld[X], incy = p->ld[Y];                       \
        const real alpha = (real)p->alpha, beta = (real)p->beta;                              \
        SHARED_OUT for (int64_t i = 0; i < p->m; i++)                                         \
        {                                                                                     \
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

DUEL_IMPL(cpu_gemv_openmp) = {
    .name = "cpu/gemv/openmp",
    .builds_on = "cpu/gemv/serial",
    .doc = "The same dot products, with the rows shared out to all cores. "
           "No two cores write the same element, and each sum is added by one core in the order of the serial loop, so "
           "the result is the same to the last bit.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .threads = cpu_team,
    .run = run,
};
