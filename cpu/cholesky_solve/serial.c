/* cpu/cholesky_solve/serial: forward from the top, then backward from the bottom, on one thread.
 *
 * Idea     L Y = B: row i of L has one unknown more than the rows above it. L^T X = Y is the same from the other end.
 * Mapping  One thread, row after row; all right-hand sides of a row together.
 * Traffic  The triangle is read twice, along its rows both times: downwards a row is multiplied with what is known;
 *          upwards, where L^T has columns, a row is taken out of what is still unknown. One multiply-subtract for each
 *          number read: with one right-hand side memory sets the pace.
 * Limits   One core reads the triangle alone. Next rung: cpu/cholesky_solve/openmp.
 */
#include "bench/duel.h"

enum { L = 0, B = 1, X = 2 };

/* C has no templates: the macro writes the loops once for float and once for double. `real` is the element type. */
#define DEFINE_SOLVE(name, real)                                                                   \
    static void name(const struct duel_problem *p, const real *l, const real *b, real *restrict x) \
    {                                                                                              \
        const int64_t m = p->m, n = p->n, ldl = p->ld[L], ldb = p->ld[B], ldx = p->ld[X];          \
        for (int64_t i = 0; i < m; i++)                                                            \
            for (int64_t j = 0; j < n; j++) {                                                      \
                real sum = b[i * ldb + j];                                                         \
                for (int64_t k = 0; k < i; k++)                                                    \
                    sum -= l[i * ldl + k] * x[k * ldx + j];                                        \
                x[i * ldx + j] = sum / l[i * ldl + i];                                             \
            }                                                                                      \
        for (int64_t i = m - 1; i >= 0; i--)                                                       \
            for (int64_t j = 0; j < n; j++) {                                                      \
                const real known = x[i * ldx + j] /= l[i * ldl + i];                               \
                for (int64_t k = 0; k < i; k++)                                                    \
                    x[k * ldx + j] -= l[i * ldl + k] * known;                                      \
            }                                                                                      \
    }

DEFINE_SOLVE(solve_fp32, float)  /* L is m x m and lower triangular, B and X are m x n, all row-major */
DEFINE_SOLVE(solve_fp64, double) /* the same loops: half as many elements in a cache line */

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        solve_fp64(call->problem, call->operand[L], call->operand[B], call->operand[X]);
    else
        solve_fp32(call->problem, call->operand[L], call->operand[B], call->operand[X]);
    return DUEL_OK;
}

DUEL_IMPL(cpu_cholesky_solve_serial) = {
    .name = "cpu/cholesky_solve/serial",
    .doc = "Two substitutions with the triangle L: from the top down, then from the bottom up. "
           "Every unknown needs all those before it, so there is an order that nothing can change. "
           "Each number of L is read once each way for one multiplication per right-hand side, so memory sets the "
           "pace. "
           "It is shown for teaching; a fair comparison uses the best CPU row.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .run = run,
};
