/* cpu/cholesky/blocked: the factor by halves, so that nearly all of the work is matrix multiplication.
 * Needs: openblas
 *
 * Idea     Cut A into four: A11 = L11 L11^T is a smaller problem of the same kind; L21 follows from A21 = L21 L11^T, a
 *          triangular solve with many right-hand sides; and A22 - L21 L21^T is again a smaller problem. Both products
 *          are the library's, at the speed of its GEMM; what is left to the leaves is a share of LEAF / n.
 * Mapping  The library shares out its products to its own threads; the leaves are done by one thread.
 * Traffic  Each level multiplies blocks as large as itself, so an element that is loaded serves hundreds of
 *          multiply-adds, against one in the rungs below.
 * Limits   The leaves are the serial spine: n / LEAF of them, one after the other, while the other cores wait.
 *          Next rung: openblas, whose library does the same with its own leaves.
 */
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "cpu/openblas.h"

enum { A = 0, L = 1 };

/* Below this a call into the library costs more than it saves. A leaf of 32 rows in FP64 is 8 KiB, well inside L1. */
enum { LEAF = 32 };

/* C has no templates: the macro writes everything once for float and once for double. `real` is the element type, `s`
 * the library's letter for it. The leaf takes the columns to the left out of a whole column at a time, and skips what
 * stands above the diagonal. */
#define DEFINE_CHOLESKY(name, real, s)                                                                               \
    static void leaf_##name(int64_t n, real *l, int64_t ld)                                                          \
    {                                                                                                                \
        for (int64_t j = 0; j < n; j++) {                                                                            \
            const real pivot = l[j * ld + j];                                                                        \
            const real root = pivot > 0 ? (real)sqrt(pivot) : (real)NAN; /* no pivot, no factor: NaN says so */      \
            real column[LEAF];                                                                                       \
            l[j * ld + j] = root;                                                                                    \
            for (int64_t i = j + 1; i < n; i++)                                                                      \
                column[i] = l[i * ld + j] /= root;                                                                   \
            for (int64_t i = j + 1; i < n; i++)                                                                      \
                for (int64_t k = j + 1; k <= i; k++)                                                                 \
                    l[i * ld + k] -= column[i] * column[k];                                                          \
        }                                                                                                            \
    }                                                                                                                \
    static void name(int64_t n, real *l, int64_t ld)                                                                 \
    {                                                                                                                \
        if (n <= LEAF) {                                                                                             \
            leaf_##name(n, l, ld);                                                                                   \
            return;                                                                                                  \
        }                                                                                                            \
        const int64_t half = (n / 2 + LEAF - 1) / LEAF * LEAF; /* whole leaves, as long as there are some */         \
        const int n1 = (int)half, n2 = (int)(n - half);                                                              \
        real *l21 = l + half * ld, *l22 = l21 + half;                                                                \
        name(half, l, ld);                                                                                           \
        cblas_##s##trsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, n2, n1, 1, l, (int)ld, l21, \
                        (int)ld);                                                                                    \
        cblas_##s##syrk(CblasRowMajor, CblasLower, CblasNoTrans, n2, n1, -1, l21, (int)ld, 1, l22, (int)ld);         \
        name(n - half, l22, ld);                                                                                     \
    }                                                                                                                \
    static void start_##name(const struct duel_problem *p, const real *a, real *l)                                   \
    {                                                                                                                \
        for (int64_t i = 0; i < p->n; i++) {                                                                         \
            memcpy(l + i * p->ld[L], a + i * p->ld[A], (size_t)(i + 1) * sizeof *l);                                 \
            memset(l + i * p->ld[L] + i + 1, 0, (size_t)(p->n - i - 1) * sizeof *l);                                 \
        }                                                                                                            \
        name(p->n, l, p->ld[L]);                                                                                     \
    }

DEFINE_CHOLESKY(cholesky_fp32, float, s)  /* L is n x n, row-major, and holds the lower triangle of A at first */
DEFINE_CHOLESKY(cholesky_fp64, double, d) /* the same: half as many elements in a vector */

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    return cpu_openblas_counts(&p->ld[L], 1, "cpu/cholesky/openmp", why); /* at least n */
}

static enum duel_status run(const struct duel_call *call)
{
    if (call->problem->types.in == DUEL_FP64)
        start_cholesky_fp64(call->problem, call->operand[A], call->operand[L]);
    else
        start_cholesky_fp32(call->problem, call->operand[A], call->operand[L]);
    return DUEL_OK;
}

DUEL_IMPL(cpu_cholesky_blocked) = {
    .name = "cpu/cholesky/blocked",
    .builds_on = "cpu/cholesky/openmp",
    .doc = "The matrix is halved again and again: the factor of the upper left half gives, by a triangular solve, the "
           "block below it, and one large product takes both out of the lower right half. "
           "So nearly all of the work becomes matrix multiplication, which reads each number once for hundreds of "
           "operations. "
           "Only small blocks on the diagonal are left to plain loops, one after the other: the serial spine. "
           "It stands on OpenBLAS for the products and is compared with its own Cholesky.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .threads = cpu_openblas_threads,
    .library = cpu_openblas_library,
    .run = run,
};
