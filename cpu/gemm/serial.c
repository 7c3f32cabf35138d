/* cpu/gemm/serial: the textbook triple loop on one thread, and the bottom rung of the ladder.
 *
 * Idea     Element (i, j) of C is a dot product: row i of A times column j of B.
 * Mapping  One thread computes one element after the other, row by row.
 * Traffic  Two loads for each multiply-add, so 4 bytes for each flop in FP32. Row i of A is read in order and stays in
 *          the L1 cache. Column j of B is not: its elements stand ldb apart, so every step of the inner loop fetches a
 *          cache line of 16 floats and uses one of them, and large matrices miss the TLB as well.
 * Limits   Floating-point addition is not associative, so the compiler must add in the order that is written: the sum
 *          is one chain of additions that wait for each other, without vector instructions, at any -O level.
 *          Next rung: cpu/gemm/interchanged swaps two loops and changes nothing else.
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

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        gemm_fp64(call->problem, call->operand[DUEL_A], call->operand[DUEL_B], call->operand[DUEL_C]);
    else
        gemm_fp32(call->problem, call->operand[DUEL_A], call->operand[DUEL_B], call->operand[DUEL_C]);
    return DUEL_OK;
}

/* Down a column of B each element lies in another cache line: when the cache cannot hold the lines of a whole column
 * until the next one needs their neighbours, every element brings a line of its own. */
static duel_bytes traffic(const struct duel_problem *p, duel_bytes cache_bytes)
{
    enum { LINE = 64 };
    const double k = (double)p->k, b = k * (double)p->n * duel_element_bytes(p->types.in);
    double lines = k * LINE > cache_bytes && b > cache_bytes ? LINE / duel_element_bytes(p->types.in) : 1;
    return duel_tile_traffic(p, cache_bytes, 1, 1) + (lines - 1) * (double)p->m * b;
}

DUEL_IMPL(cpu_gemm_serial) = {
    .name = "cpu/gemm/serial",
    .doc = "Three nested loops, as matrix multiplication stands in a textbook, on one core. "
           "Each element of C is a dot product of a row of A and a column of B. "
           "Reading a column means jumping a whole row ahead for every multiplication, so most of each fetched cache "
           "line is thrown away. "
           "The sum has to be added in order, so the core's vector units stay idle. "
           "It is shown for teaching; a fair comparison uses the best CPU row.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .traffic = traffic,
    .traffic_model = "B is read anew for each row of C unless the cache holds all of it, a whole line for each "
                     "element where the lines of one column do not fit.",
    .run = run,
};
