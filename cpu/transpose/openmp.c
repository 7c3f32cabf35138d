/* cpu/transpose/openmp: the loops of cpu/transpose/serial, with the rows of A shared out to all cores.
 * Needs: openmp
 *
 * Idea     No element depends on another, so any core may move any of them.
 * Mapping  schedule(static): each thread has one band of rows of A, which is a band of columns of B. Two threads write
 *          into the same cache line only where two bands meet.
 * Traffic  As in the rung below; the caches of a core hold its own lines.
 * Limits   All cores together still move a whole line for each element. Next rung: cpu/transpose/blocked.
 */
#include "bench/duel.h"
#include "cpu/team.h"

enum { A = 0, B = 1 };

/* Elements from which a team pays for itself. */
enum { TEAM_FROM = 16384 };
#define SHARED_OUT _Pragma("omp parallel for schedule(static) if (p->m * p->n >= TEAM_FROM)")

#define DEFINE_TRANSPOSE(name, real)                                                \
    static void name(const struct duel_problem *p, const real *a, real *restrict b) \
    {                                                                               \
        const int64_t lda = p->ld[A], ldb = p->ld[B];                               \
        SHARED_OUT for (int64_t i = 0; i < p->m; i++)                               \
        {                                                                           \
            for (int64_t j = 0; j < p->n; j++)                                      \
                b[j * ldb + i] = a[i * lda + j];                                    \
        }                                                                           \
    }

DEFINE_TRANSPOSE(transpose_fp32, float)  /* A is m x n, B is n x m, both row-major */
DEFINE_TRANSPOSE(transpose_fp64, double) /* the same loops */

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        transpose_fp64(call->problem, call->operand[A], call->operand[B]);
    else
        transpose_fp32(call->problem, call->operand[A], call->operand[B]);
    return DUEL_OK;
}

DUEL_IMPL(cpu_transpose_openmp) = {
    .name = "cpu/transpose/openmp",
    .builds_on = "cpu/transpose/serial",
    .doc = "The same loops on all cores, each with a band of rows. "
           "It is faster by less than the number of cores: what has to change is the order in which memory is touched.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .threads = cpu_team,
    .run = run,
};
