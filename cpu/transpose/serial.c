/* cpu/transpose/serial: B = A^T, one element after the other.
 *
 * Idea     Two loops: element (i, j) of A goes to (j, i) of B.
 * Mapping  One thread reads A row by row, so it writes B column by column.
 * Traffic  8 bytes per element in FP32 would do. But a cache line of B holds 16 elements of one row, and the next one
 *          that is written is a row further down: when the caches cannot hold a line for each row of B until its
 *          neighbour comes, each line is fetched and written back 16 times.
 * Limits   At power-of-two sizes it is worse: then all those lines want the same few places in the cache. Next rung:
 *          cpu/transpose/openmp has more cores do the same.
 */
#include "bench/duel.h"

enum { A = 0, B = 1 };

#define DEFINE_TRANSPOSE(name, real)                                                \
    static void name(const struct duel_problem *p, const real *a, real *restrict b) \
    {                                                                               \
        const int64_t lda = p->ld[A], ldb = p->ld[B];                               \
        for (int64_t i = 0; i < p->m; i++)                                          \
            for (int64_t j = 0; j < p->n; j++)                                      \
                b[j * ldb + i] = a[i * lda + j];                                    \
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

/* The lines of a whole column of B must stay until the next column needs their neighbours. */
static duel_bytes traffic(const struct duel_problem *p, duel_bytes cache_bytes)
{
    enum { LINE = 64 };
    const double size = duel_element_bytes(p->types.in), rows = (double)p->n, each = (double)p->m * rows * size;
    const double inside = (double)p->m < LINE / size ? (double)p->m : LINE / size; /* elements of B in one line */
    return each + (rows * LINE <= cache_bytes ? 1 : 2 * inside - 1) * each;
}

DUEL_IMPL(cpu_transpose_serial) = {
    .name = "cpu/transpose/serial",
    .doc = "Two nested loops copy element (i, j) to (j, i), on one core. "
           "Reading goes along the rows and writing down the columns, so every element that is written lies in another "
           "cache line. "
           "Most of each line that memory delivers is thrown away before it is used. "
           "Exchanging the loops does not help: then the reading has that problem.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .traffic = traffic,
    .traffic_model = "A is read once; a line of B is read and written for each of its elements unless the cache holds "
                     "one for each row of B.",
    .run = run,
};
