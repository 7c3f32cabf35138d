/* cpu/gemm/interchanged: the same three loops in the order i-l-j, and nothing else.
 *
 * Idea     Let the inner loop walk along a row of B and a row of C instead of down a column of B: row i of C becomes
 *          the sum of the rows of B, each scaled by one element of A.
 * Mapping  One thread; row i of C grows by one scaled row of B for each l.
 * Traffic  Each multiply-add loads an element of B, loads one of C and stores it: 6 bytes for each flop in FP32, more
 *          than before. But every element of a fetched cache line is used, the hardware prefetcher sees the pattern,
 *          and neighbouring elements of C do not depend on each other, so one instruction works on a whole vector.
 * Limits   All of B streams past for each row of C: once B is larger than the cache, memory sets the pace.
 *          Next rung: cpu/gemm/blocked uses a piece of B many times before it leaves the cache.
 */
#include "bench/duel.h"

/* C has no templates: the macro writes the loops once for float and once for double. `real` is the element type.
 * restrict promises that C overlaps neither A nor B; else no vector could be loaded ahead. */
#define DEFINE_GEMM(name, real)                                                                    \
    static void name(const struct duel_problem *p, const real *A, const real *B, real *restrict C) \
    {                                                                                              \
        const int64_t lda = p->ld[DUEL_A], ldb = p->ld[DUEL_B], ldc = p->ld[DUEL_C];               \
        const real alpha = (real)p->alpha, beta = (real)p->beta;                                   \
        for (int64_t i = 0; i < p->m; i++) {                                                       \
            /* beta == 0 means "C is not read": it may hold NaN, and 0 * NaN would be NaN. */      \
            for (int64_t j = 0; j < p->n; j++)                                                     \
                C[i * ldc + j] = beta == 0 ? 0 : beta * C[i * ldc + j];                            \
            for (int64_t l = 0; l < p->k; l++) {                                                   \
                const real a = alpha * A[i * lda + l];                                             \
                for (int64_t j = 0; j < p->n; j++)                                                 \
                    C[i * ldc + j] += a * B[l * ldb + j];                                          \
            }                                                                                      \
        }                                                                                          \
    }

DEFINE_GEMM(gemm_fp32, float)  /* A is m x k, B is k x n, C is m x n, all row-major */
DEFINE_GEMM(gemm_fp64, double) /* the same loops: half as many elements in a vector */

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        gemm_fp64(call->problem, call->operand[DUEL_A], call->operand[DUEL_B], call->operand[DUEL_C]);
    else
        gemm_fp32(call->problem, call->operand[DUEL_A], call->operand[DUEL_B], call->operand[DUEL_C]);
    return DUEL_OK;
}

/* All of B passes by for each row of C; a row of C that the cache does not hold goes out and comes back for each row of
 * B. */
static duel_bytes traffic(const struct duel_problem *p, duel_bytes cache_bytes)
{
    const double row = (double)p->n * duel_element_bytes(p->types.out);
    const double again = row > cache_bytes && p->k > 1 ? 2 * ((double)p->k - 1) * (double)p->m * row : 0;
    return duel_tile_traffic(p, cache_bytes, 1, p->n > 0 ? p->n : 1) + again;
}

DUEL_IMPL(cpu_gemm_interchanged) = {
    .name = "cpu/gemm/interchanged",
    .builds_on = "cpu/gemm/serial",
    .doc = "The textbook loops with the two inner ones swapped. "
           "The inner loop now runs along rows of B and C, so every element of a fetched cache line is used. "
           "Its steps no longer wait for each other, so the compiler turns them into vector instructions. "
           "Not one operation was saved: the whole gain comes from the order of the memory accesses.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .traffic = traffic,
    .traffic_model = "B is read anew for each row of C unless the cache holds all of it; a row of C stays while "
                     "it grows if it fits.",
    .run = run,
};
