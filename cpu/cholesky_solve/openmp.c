/* cpu/cholesky_solve/openmp: a block of unknowns by one thread, and what it does to all others by all threads.
 * Needs: openmp
 *
 * Idea     When 64 unknowns are known they can be taken out of all the rest at once, and that is nearly all of the
 *          work: only a triangle of 64 x 64 on the diagonal must be solved in order.
 * Mapping  Downwards the threads share the rows below a block; upwards, where L^T has columns, the columns left of it.
 *          Every sum has its own order, so the result does not depend on the number of threads.
 * Traffic  As in the rung below; each thread reads its own part of the triangle, so more of the memory's bandwidth is
 *          used. With several right-hand sides, a number of L is used for all of them while it is in a register.
 * Limits   The blocks on the diagonal are the serial spine: m / 64 of them each way, with a meeting of all threads
 *          after each. Next rung: openblas.
 */
#include <string.h>

#include "bench/duel.h"
#include "cpu/team.h"

enum { L = 0, B = 1, X = 2 };

/* Unknowns between two meetings: the square on the diagonal is 16 KiB in FP32, so it stays in L1. CHUNK columns are a
 * thread's share upwards: whole cache lines of each row. */
enum { BLOCK = 64, CHUNK = 256 };

static inline int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* C has no templates: the macro writes the loops once for float and once for double. `real` is the element type; l is
 * m x m, x is m x n, row-major. "simd reduction" allows the compiler to sum in vectors. */
#define DEFINE_SOLVE(name, real)                                                                                       \
    /* x(i) -= L(i, from .. to) x(from .. to). */                                                                      \
    static void down_##name(const struct duel_problem *p, const real *l, real *x, int64_t i, int64_t from, int64_t to) \
    {                                                                                                                  \
        const int64_t ldx = p->ld[X];                                                                                  \
        const real *row = l + i * p->ld[L];                                                                            \
        for (int64_t j = 0; j < p->n; j++) {                                                                           \
            real sum = 0;                                                                                              \
            if (ldx == 1) {                                                                                            \
                _Pragma("omp simd reduction(+ : sum)") for (int64_t k = from; k < to; k++) sum += row[k] * x[k];       \
            } else {                                                                                                   \
                for (int64_t k = from; k < to; k++)                                                                    \
                    sum += row[k] * x[k * ldx + j];                                                                    \
            }                                                                                                          \
            x[i * ldx + j] -= sum;                                                                                     \
        }                                                                                                              \
    }                                                                                                                  \
    /* x(i) /= L(i, i): then it is known. */                                                                           \
    static void divide_##name(const struct duel_problem *p, const real *l, real *x, int64_t i)                         \
    {                                                                                                                  \
        for (int64_t j = 0; j < p->n; j++)                                                                             \
            x[i * p->ld[X] + j] /= l[i * p->ld[L] + i];                                                                \
    }                                                                                                                  \
    /* x(from .. to) -= L(i, from .. to)^T x(i). */                                                                    \
    static void up_##name(const struct duel_problem *p, const real *l, real *x, int64_t i, int64_t from, int64_t to)   \
    {                                                                                                                  \
        const int64_t ldx = p->ld[X];                                                                                  \
        const real *row = l + i * p->ld[L];                                                                            \
        for (int64_t j = 0; j < p->n; j++) {                                                                           \
            const real known = x[i * ldx + j];                                                                         \
            if (ldx == 1) {                                                                                            \
                _Pragma("omp simd") for (int64_t k = from; k < to; k++) x[k] -= row[k] * known;                        \
            } else {                                                                                                   \
                for (int64_t k = from; k < to; k++)                                                                    \
                    x[k * ldx + j] -= row[k] * known;                                                                  \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void name(const struct duel_problem *p, const real *l, const real *b, real *x)                              \
    {                                                                                                                  \
        const int64_t m = p->m, last = (m - 1) / BLOCK * BLOCK;                                                        \
        for (int64_t i = 0; i < m; i++)                                                                                \
            memcpy(x + i * p->ld[X], b + i * p->ld[B], (size_t)p->n * sizeof *x);                                      \
        _Pragma("omp parallel")                                                                                        \
        {                                                                                                              \
            for (int64_t i0 = 0; i0 < m; i0 += BLOCK) {                                                                \
                const int64_t i1 = smaller(i0 + BLOCK, m);                                                             \
                /* One thread solves the block; the others wait for it at the end of "single". */                      \
                _Pragma("omp single") for (int64_t i = i0; i < i1; i++)                                                \
                {                                                                                                      \
                    down_##name(p, l, x, i, i0, i);                                                                    \
                    divide_##name(p, l, x, i);                                                                         \
                }                                                                                                      \
                _Pragma("omp for schedule(static)") for (int64_t i = i1; i < m; i++) down_##name(p, l, x, i, i0, i1);  \
            }                                                                                                          \
            for (int64_t i0 = last; i0 >= 0; i0 -= BLOCK) {                                                            \
                const int64_t i1 = smaller(i0 + BLOCK, m);                                                             \
                _Pragma("omp single") for (int64_t i = i1 - 1; i >= i0; i--)                                           \
                {                                                                                                      \
                    divide_##name(p, l, x, i);                                                                         \
                    up_##name(p, l, x, i, i0, i);                                                                      \
                }                                                                                                      \
                _Pragma("omp for schedule(static)") for (int64_t k0 = 0; k0 < i0; k0 += CHUNK)                         \
                {                                                                                                      \
                    for (int64_t i = i0; i < i1; i++)                                                                  \
                        up_##name(p, l, x, i, k0, smaller(k0 + CHUNK, i0));                                            \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

DEFINE_SOLVE(solve_fp32, float)
DEFINE_SOLVE(solve_fp64, double)

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        solve_fp64(call->problem, call->operand[L], call->operand[B], call->operand[X]);
    else
        solve_fp32(call->problem, call->operand[L], call->operand[B], call->operand[X]);
    return DUEL_OK;
}

DUEL_IMPL(cpu_cholesky_solve_openmp) = {
    .name = "cpu/cholesky_solve/openmp",
    .builds_on = "cpu/cholesky_solve/serial",
    .doc =
        "The unknowns in blocks of 64: one core solves a block, then all cores take it out of what is left. "
        "The blocks themselves must be solved one after the other, and all cores meet after each: a serial spine "
        "that no core can help with. "
        "With one right-hand side memory sets the pace anyway, so it gains what a second core adds to the bandwidth.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .threads = cpu_team,
    .run = run,
};
