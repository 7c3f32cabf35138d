/* cpu/cholesky/openmp: column by column, the rows of a column shared out to all cores.
 * Needs: openmp
 *
 * Idea     The elements of one column need only columns to the left and the pivot on top: not each other. So all rows
 *          below the pivot can be done at once, but the next column waits until they are.
 * Mapping  Rows of a column go to the threads in equal parts. Each sum stays inside one thread, so the result does not
 *          depend on the number of threads.
 * Traffic  As in the rung below, two loads for each multiply-subtract; vector instructions take 4 to 16 terms at once.
 * Limits   The pivots are a serial spine of n steps with two meetings of all threads each, and memory is read as often
 *          as before. Next rung: blocked, which meets once for many columns and reads far less.
 */
#include <math.h>

#include "bench/duel.h"
#include "cpu/team.h"

enum { A = 0, L = 1 };

/* C has no templates: the macro writes the loops once for float and once for double. `real` is the element type.
 * "simd reduction" allows the compiler to take the terms of a sum in another order, and so to use vectors. */
#define DEFINE_CHOLESKY(name, real)                                                                          \
    static real rest_##name(const real *a, const real *row, const real *above, int64_t count)                \
    {                                                                                                        \
        real sum = 0;                                                                                        \
        _Pragma("omp simd reduction(+ : sum)") for (int64_t k = 0; k < count; k++) sum += row[k] * above[k]; \
        return *a - sum;                                                                                     \
    }                                                                                                        \
    static void name(const struct duel_problem *p, const real *a, real *l)                                   \
    {                                                                                                        \
        const int64_t n = p->n, lda = p->ld[A], ldl = p->ld[L];                                              \
        _Pragma("omp parallel") for (int64_t j = 0; j < n; j++)                                              \
        {                                                                                                    \
            real *top = l + j * ldl;                                                                         \
            /* One thread finds the pivot; the others wait for it at the end of "single". */                 \
            _Pragma("omp single")                                                                            \
            {                                                                                                \
                const real pivot = rest_##name(a + j * lda + j, top, top, j);                                \
                top[j] = pivot > 0 ? (real)sqrt(pivot) : (real)NAN; /* no pivot, no factor: NaN says so */   \
                for (int64_t k = j + 1; k < n; k++)                                                          \
                    top[k] = 0;                                                                              \
            }                                                                                                \
            _Pragma("omp for schedule(static)") for (int64_t i = j + 1; i < n; i++) l[i * ldl + j] =         \
                rest_##name(a + i * lda + j, l + i * ldl, top, j) / top[j];                                  \
        }                                                                                                    \
    }

DEFINE_CHOLESKY(cholesky_fp32, float)  /* A and L are n x n, row-major; of A only the lower triangle is read */
DEFINE_CHOLESKY(cholesky_fp64, double) /* the same loops: half as many elements in a vector */

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        cholesky_fp64(call->problem, call->operand[A], call->operand[L]);
    else
        cholesky_fp32(call->problem, call->operand[A], call->operand[L]);
    return DUEL_OK;
}

DUEL_IMPL(cpu_cholesky_openmp) = {
    .name = "cpu/cholesky/openmp",
    .builds_on = "cpu/cholesky/serial",
    .doc = "Column by column instead of row by row, because the elements of a column do not need each other. "
           "All cores share the rows of a column and meet before the next one. "
           "The pivots remain a chain of n steps that nobody can shorten: with more cores it takes a growing share of "
           "the time, which is Amdahl's law. "
           "The next rung, blocked, takes many columns between two meetings.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .threads = cpu_team,
    .run = run,
};
