/* cpu/batched_gemm/serial: the textbook's triple loop, for one small matrix after the other on one thread.
 *
 * Idea     Matrices of a batch do not depend on each other, so a loop around the loops of cpu/gemm/serial is all.
 * Mapping  One thread computes one element after the other.
 * Traffic  A matrix of 32 x 32 in FP32 has 4 KiB: all three stay in the L1 cache while they are used, and memory moves
 *          each of them once. Jumping down a column of B costs nothing there.
 * Limits   Each sum is one chain of additions that wait for each other, without vector instructions. Next rungs:
 *          cpu/batched_gemm/openmp for the other cores, cpu/batched_gemm/simd for the vectors.
 */
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
    for (int64_t b = 0; b < call->problem->count; b++)
        multiply(call, b);
    return DUEL_OK;
}

DUEL_IMPL(cpu_batched_gemm_serial) = {
    .name = "cpu/batched_gemm/serial",
    .doc = "Three nested loops for each of many small matrices, on one core. "
           "The matrices fit the innermost cache, so memory is no trouble; the sums are, because each addition waits "
           "for the one before it.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
