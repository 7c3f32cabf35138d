/* cpu/transpose/blocked: square by square, so that a cache line is full before it is given up.
 * Needs: openmp
 *
 * Idea     The elements of a square of A are those of a square of B. While one square is done, only a few lines of each
 *          are touched, and all of them stay in L1.
 * Mapping  Squares of 8 x 8; each thread has one band of columns of A, which is a band of rows of B, and walks down it:
 *          the next square writes the other half of the same lines of B.
 * Traffic  8 lines of A and 8 of B at a time. That small, because an L1 cache has 8 places for lines whose addresses
 *          are a power of two apart: with a leading dimension of 4096 a square of 16 x 16 would push itself out.
 * Limits   Each line of B is still fetched from memory before it is overwritten, and elements move one by one. Next
 *          rung: cpu/transpose/simd.
 */
#include "bench/duel.h"
#include "cpu/team.h"

enum { A = 0, B = 1 };

enum {
    SIDE = 8,         /* of a square: places of one set in L1 */
    TEAM_FROM = 16384 /* elements from which a team pays for itself */
};
#define SHARED_OUT _Pragma("omp parallel for schedule(static) if (p->m * p->n >= TEAM_FROM)")

static inline int64_t smaller(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

/* Squares at the lower and right edges end where the matrix ends: that is all that `smaller` does. */
#define DEFINE_TRANSPOSE(name, real)                                                \
    static void name(const struct duel_problem *p, const real *a, real *restrict b) \
    {                                                                               \
        const int64_t lda = p->ld[A], ldb = p->ld[B];                               \
        SHARED_OUT for (int64_t j0 = 0; j0 < p->n; j0 += SIDE)                      \
        {                                                                           \
            const int64_t j1 = smaller(j0 + SIDE, p->n);                            \
            for (int64_t i0 = 0; i0 < p->m; i0 += SIDE)                             \
                for (int64_t j = j0; j < j1; j++)                                   \
                    for (int64_t i = i0; i < smaller(i0 + SIDE, p->m); i++)         \
                        b[j * ldb + i] = a[i * lda + j];                            \
        }                                                                           \
    }

DEFINE_TRANSPOSE(transpose_fp32, float)  /* A is m x n, B is n x m, both row-major */
DEFINE_TRANSPOSE(transpose_fp64, double) /* the same loops: a square is whole lines of B */

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        transpose_fp64(call->problem, call->operand[A], call->operand[B]);
    else
        transpose_fp32(call->problem, call->operand[A], call->operand[B]);
    return DUEL_OK;
}

DUEL_IMPL(cpu_transpose_blocked) = {
    .name = "cpu/transpose/blocked",
    .builds_on = "cpu/transpose/openmp",
    .doc = "The matrix is moved in squares of 8 x 8. "
           "A square touches 8 cache lines of A and 8 of B, which the innermost cache holds at the same time, so each "
           "line is used as a whole. "
           "Larger squares are slower where the size is a power of two, because then their lines compete for the same "
           "few places of the cache.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .threads = cpu_team,
    .run = run,
};
