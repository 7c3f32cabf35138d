/* cpu/cholesky/serial: the factor row by row on one thread, as it stands in a textbook.
 *
 * Idea     Row i of A = L L^T read element by element: A(i, j) is the dot product of rows i and j of L up to column j.
 *          Of that sum only its last term is unknown, so each element of L follows from those before it.
 * Mapping  One thread, row after row, from left to right.
 * Traffic  Two loads for each multiply-subtract, both along rows, so every fetched cache line is used whole. All rows
 *          above are read again for each row: n^3 / 6 elements in all.
 * Limits   The sum is one chain of subtractions that wait for each other, and the compiler must keep their order.
 *          Next rung: cpu/cholesky/openmp, where the elements of a column do not wait for each other.
 */
#include <math.h>

#include "bench/duel.h"

enum { A = 0, L = 1 };

/* C has no templates: the macro writes the loops once for float and once for double. `real` is the element type. */
#define DEFINE_CHOLESKY(name, real)                                                                    \
    static void name(const struct duel_problem *p, const real *a, real *l)                             \
    {                                                                                                  \
        const int64_t n = p->n, lda = p->ld[A], ldl = p->ld[L];                                        \
        for (int64_t i = 0; i < n; i++) {                                                              \
            for (int64_t j = 0; j <= i; j++) {                                                         \
                real sum = a[i * lda + j];                                                             \
                for (int64_t k = 0; k < j; k++)                                                        \
                    sum -= l[i * ldl + k] * l[j * ldl + k];                                            \
                /* Without a pivot above 0 there is no factor. NaN says so, and spreads on. */         \
                l[i * ldl + j] = j < i ? sum / l[j * ldl + j] : sum > 0 ? (real)sqrt(sum) : (real)NAN; \
            }                                                                                          \
            for (int64_t j = i + 1; j < n; j++)                                                        \
                l[i * ldl + j] = 0;                                                                    \
        }                                                                                              \
    }

DEFINE_CHOLESKY(cholesky_fp32, float)  /* A and L are n x n, row-major; of A only the lower triangle is read */
DEFINE_CHOLESKY(cholesky_fp64, double) /* the same loops: half as many elements in a cache line */

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        cholesky_fp64(call->problem, call->operand[A], call->operand[L]);
    else
        cholesky_fp32(call->problem, call->operand[A], call->operand[L]);
    return DUEL_OK;
}

DUEL_IMPL(cpu_cholesky_serial) = {
    .name = "cpu/cholesky/serial",
    .doc = "The factor L of A = L L^T, one element after the other, as elimination stands in a textbook. "
           "Each element needs those to its left and the whole rows above it, so the order is fixed. "
           "On the diagonal a square root is taken; if what stands below it is not above 0, A is not positive "
           "definite, and L says so with NaN from there on. "
           "It is shown for teaching; a fair comparison uses the best CPU row.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
