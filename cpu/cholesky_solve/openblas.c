/* cpu/cholesky_solve/openblas: what LAPACK's potrs does: two triangular solves of the BLAS.
 * Needs: openblas
 *
 * Idea     trsv solves for one vector; trsm for many at once, in blocks, so that most of its work is multiplication.
 * Mapping  The library's own threads share the right-hand sides; a single one is solved by one thread.
 * Traffic  The triangle twice, as in all rungs; trsm reads it once for all right-hand sides together.
 * Limits   With one right-hand side one core reads the triangle alone. Sizes and leading dimensions are int.
 *
 * BLAS was born column-major; its C interface does what that takes for row-major matrices, and nothing is copied.
 */
#include <cblas.h>
#include <string.h>

#include "cpu/openblas.h"

enum { L = 0, B = 1, X = 2 };

/* C has no templates: the macro writes the calls once for float and once for double. L is m x m and lower triangular,
 * B and X are m x n, row-major; `s` is the library's letter. A vector stands in X with the increment ldx. */
#define DEFINE_SOLVE(name, real, s)                                                                                 \
    static void name(const struct duel_problem *p, const real *l, const real *b, real *x)                           \
    {                                                                                                               \
        const int m = (int)p->m, n = (int)p->n, ldl = (int)p->ld[L], ldx = (int)p->ld[X];                           \
        for (int64_t i = 0; i < m; i++)                                                                             \
            memcpy(x + i * ldx, b + i * p->ld[B], (size_t)n * sizeof *x);                                           \
        for (int pass = 0; pass < 2; pass++) {                                                                      \
            const CBLAS_TRANSPOSE turn = pass == 0 ? CblasNoTrans : CblasTrans;                                     \
            if (n == 1)                                                                                             \
                cblas_##s##trsv(CblasRowMajor, CblasLower, turn, CblasNonUnit, m, l, ldl, x, ldx);                  \
            else                                                                                                    \
                cblas_##s##trsm(CblasRowMajor, CblasLeft, CblasLower, turn, CblasNonUnit, m, n, 1, l, ldl, x, ldx); \
        }                                                                                                           \
    }

DEFINE_SOLVE(solve_fp32, float, s)
DEFINE_SOLVE(solve_fp64, double, d)

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    return cpu_openblas_counts(p->ld, 3, "cpu/cholesky_solve/openmp", why); /* at least m and n */
}

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        solve_fp64(call->problem, call->operand[L], call->operand[B], call->operand[X]);
    else
        solve_fp32(call->problem, call->operand[L], call->operand[B], call->operand[X]);
    return DUEL_OK;
}

DUEL_IMPL(cpu_cholesky_solve_openblas) = {
    .name = "cpu/cholesky_solve/openblas",
    .builds_on = "cpu/cholesky_solve/openmp",
    .doc = "Two triangular solves of the OpenBLAS library. "
           "For one right-hand side it is a pass over the triangle that memory limits; for many it becomes matrix "
           "multiplication, and much faster for each of them. "
           "This is the honest opponent of a GPU.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .threads = cpu_openblas_threads,
    .library = cpu_openblas_library,
    .run = run,
};
