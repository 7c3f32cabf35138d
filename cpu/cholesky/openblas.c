/* cpu/cholesky/openblas: one call of LAPACK's potrf, in OpenBLAS's own version of it.
 * Needs: openblas
 *
 * Idea     The same halves as in blocked, with leaves, solves and products that share one packed copy of each panel,
 *          and kernels in assembly.
 * Mapping  The library shares out its products to its own threads.
 * Traffic  As in blocked; what a panel costs to pack is paid once.
 * Limits   The same serial spine. Sizes and leading dimensions are int.
 *
 * LAPACK was born column-major. Read column by column, our row-major A is its transpose, and A^T = A; our L, lower
 * triangular, is L^T, upper triangular. So the library is told to find the upper triangle U in A = U^T U, and U is L^T.
 */
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "cpu/openblas.h"

enum { A = 0, L = 1 };

/* LAPACK in Fortran; the last argument is the length of the text. Weak: an OpenBLAS may be built without it. */
extern void spotrf_(const char *uplo, const int *n, float *a, const int *lda, int *info, size_t length)
    __attribute__((weak));
extern void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t length)
    __attribute__((weak));

/* C has no templates: the macro writes the calls once for float and once for double. Where the library stops at a
 * column, what stands in the rest is half-done work: NaN instead says that there is no factor, and from where on. A
 * pivot that is NaN itself, from NaN in A, is not below 0, and so the library does not stop there. */
#define DEFINE_CHOLESKY(name, real, potrf)                                     \
    static int name(const struct duel_problem *p, const real *a, real *l)      \
    {                                                                          \
        const int n = (int)p->n, ld = (int)p->ld[L];                           \
        int64_t stop = 0;                                                      \
        int info = 0;                                                          \
        for (int64_t i = 0; i < n; i++) {                                      \
            memcpy(l + i * ld, a + i * p->ld[A], (size_t)(i + 1) * sizeof *l); \
            memset(l + i * ld + i + 1, 0, (size_t)(n - i - 1) * sizeof *l);    \
        }                                                                      \
        potrf("U", &n, l, &ld, &info, 1);                                      \
        while (stop < n && stop != info - 1 && l[stop * ld + stop] > 0)        \
            stop++;                                                            \
        for (int64_t i = stop; i < n; i++)                                     \
            for (int64_t j = stop; j <= i; j++)                                \
                l[i * ld + j] = (real)NAN;                                     \
        return info;                                                           \
    }

DEFINE_CHOLESKY(cholesky_fp32, float, spotrf_)  /* A and L are n x n, row-major; only A's lower triangle is read */
DEFINE_CHOLESKY(cholesky_fp64, double, dpotrf_) /* the same: half as many elements in a vector */

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    if (!spotrf_ || !dpotrf_)
        return duel_fail(why, DUEL_SKIP, "there is no library's factor to compare with",
                         "install an OpenBLAS with LAPACK in it", "this OpenBLAS was built without LAPACK");
    return cpu_openblas_counts(&p->ld[L], 1, "cpu/cholesky/openmp", why); /* at least n */
}

static enum duel_status run(const struct duel_call *call)
{
    const int info = call->problem->types.in == DUEL_FP64
                         ? cholesky_fp64(call->problem, call->operand[A], call->operand[L])
                         : cholesky_fp32(call->problem, call->operand[A], call->operand[L]);
    if (info >= 0)
        return DUEL_OK; /* a column without a pivot stands in L */
    return duel_fail(call->why, DUEL_EDEVICE, "the library did not do this work", "report this with the library's name",
                     "potrf refuses its argument number %d", -info);
}

DUEL_IMPL(cpu_cholesky_openblas) = {
    .name = "cpu/cholesky/openblas",
    .builds_on = "cpu/cholesky/blocked",
    .doc = "One call of LAPACK's potrf in the version of the OpenBLAS library. "
           "It halves the matrix as blocked does, but packs each panel once for all products that need it. "
           "This is the honest opponent of a GPU. "
           "Its info argument names the first column without a pivot; all rows here say the same with NaN in L.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .threads = cpu_openblas_threads,
    .library = cpu_openblas_library,
    .run = run,
};
