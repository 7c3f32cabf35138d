/* cpu/batched_gemm/openmp: the matrices of cpu/batched_gemm/serial, shared out to all cores.
 * Needs: openmp
 *
 * Idea     One product of 32 x 32 is over before a second core has woken up. A thousand of them are not: share out the
 *          matrices and leave each whole to one core.
 * Mapping  A stretch of the batch for each thread, the same at every call.
 * Traffic  As the rung below it; each core has caches of its own.
 * Limits   The loops of the textbook, without vectors. A batch that is smaller than the machine leaves cores idle.
 */
#include <omp.h>

#include "bench/duel.h"

/* C has no templates: the macro writes the loops once for float and once for double. `real` is the element type. */
#define DEFINE_GEMM(name, real)                                                                   \
    static void name(const struct duel_problem *p, const real *A, const real *B, real *C)         \
    {                                                                                             \
        const int64_t lda = p->ld[DUEL_A], ldb = p->ld[DUEL_B], ldc = p->ld[DUEL_C];              \
        const real alpha = (real)p->alpha, beta = (real)p->beta;                                  \
        for (int64_t i = 0; i < p->m; i++)                                                        \
            for (int64_t j = 0; j < p->n; j++) {                                                  \
                real sum = 0;                                                                     \
                for (int64_t l = 0; l < p->k; l++)                                                \
                    sum += A[i * lda + l] * B[l * ldb + j];                                       \
                /* beta == 0 means "C is not read": it may hold NaN, and 0 * NaN would be NaN. */ \
                C[i * ldc + j] = beta == 0 ? alpha * sum : alpha * sum + beta * C[i * ldc + j];   \
            }                                                                                     \
    }

DEFINE_GEMM(gemm_fp32, float)  /* A is m x k, B is k x n, C is m x n, all row-major */
DEFINE_GEMM(gemm_fp64, double) /* the same loops: half as many elements in a cache line */

/* Multiplications from which a team pays for itself. */
#define TEAM_FROM 30000.0

/* Matrix b begins m or k rows further down than the one before it. */
static void multiply(const struct duel_call *call, int64_t b)
{
    const struct duel_problem *p = call->problem;
    const int64_t a = b * p->m * p->ld[DUEL_A], c = b * p->m * p->ld[DUEL_C], k = b * p->k * p->ld[DUEL_B];
    if (p->types.in == DUEL_FP64)
        gemm_fp64(p, (const double *)call->operand[DUEL_A] + a, (const double *)call->operand[DUEL_B] + k,
                  (double *)call->operand[DUEL_C] + c);
    else
        gemm_fp32(p, (const float *)call->operand[DUEL_A] + a, (const float *)call->operand[DUEL_B] + k,
                  (float *)call->operand[DUEL_C] + c);
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const double products = (double)p->count * (double)p->m * (double)p->n * (double)p->k;
#pragma omp parallel for schedule(static) if (products >= TEAM_FROM)
    for (int64_t b = 0; b < p->count; b++)
        multiply(call, b);
    return DUEL_OK;
}

/* Sets the size of the team and asks a team how many came: a limit such as OMP_THREAD_LIMIT shows here. */
static int threads(int wanted)
{
    int came = 1;
    omp_set_num_threads(wanted);
#pragma omp parallel
#pragma omp single
    came = omp_get_num_threads();
    return came;
}

DUEL_IMPL(cpu_batched_gemm_openmp) = {
    .name = "cpu/batched_gemm/openmp",
    .builds_on = "cpu/batched_gemm/serial",
    .doc = "The same loops, with the matrices of the batch shared out to all cores. "
           "Each matrix stays with one core, so nobody waits for anybody until the whole batch is done. "
           "To share out the rows of each small matrix instead would cost more than it brings.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .threads = threads,
    .run = run,
};
