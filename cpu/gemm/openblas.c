/* cpu/gemm/openblas: the library, so that a GPU is compared with what a CPU can really do.
 * Needs: openblas
 *
 * Idea     Packed panels of A and B feed an assembly kernel that keeps a tile of C in registers: hand-tuned for each
 *          processor, chosen when the library is loaded.
 * Mapping  The library shares out C to its own threads. The OpenMP build of OpenBLAS uses the same team as
 *          cpu/gemm/openmp; the pthread build brings a second pool, and two pools in one process fight for the cores.
 * Traffic  Registers are reused for each load many times over, so neither L1 nor memory sets the pace.
 * Limits   Sizes and leading dimensions are int. Below a few hundred rows packing and threads cost more than they save.
 *
 * BLAS was born column-major. Read column by column, our row-major C is its transpose, and C^T = B^T A^T: so a library
 * that knows column-major only is called with A and B, m and n exchanged, and nothing is copied. The C interface does
 * exactly that for CblasRowMajor, so the arguments stand here as they are.
 */
#include <cblas.h>

#include "cpu/openblas.h"

static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    const int64_t extent[] = {p->m, p->n, p->k, p->ld[DUEL_A], p->ld[DUEL_B], p->ld[DUEL_C]};
    return cpu_openblas_counts(extent, sizeof extent / sizeof extent[0], "cpu/gemm/openmp", why);
}

/* The library refuses a leading dimension of 0, which an operand without columns (k == 0) may have. */
static int at_least_one(int64_t ld)
{
    return ld > 0 ? (int)ld : 1;
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int m = (int)p->m, n = (int)p->n, k = (int)p->k;
    const int lda = at_least_one(p->ld[DUEL_A]), ldb = at_least_one(p->ld[DUEL_B]), ldc = at_least_one(p->ld[DUEL_C]);
    const void *A = call->operand[DUEL_A], *B = call->operand[DUEL_B]; /* A is m x k, B is k x n */
    void *C = call->operand[DUEL_C];                                   /* C is m x n */
    if (p->types.in == DUEL_FP64)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, p->alpha, A, lda, B, ldb, p->beta, C, ldc);
    else
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, (float)p->alpha, A, lda, B, ldb, (float)p->beta,
                    C, ldc);
    return DUEL_OK;
}

DUEL_IMPL(cpu_gemm_openblas) = {
    .name = "cpu/gemm/openblas",
    .builds_on = "cpu/gemm/openmp_packed",
    .doc = "One call of the OpenBLAS library, which experts tuned for each processor. "
           "It copies pieces of A and B into packed order and multiplies them in registers, with assembly written for "
           "this core. "
           "This is the honest opponent of a GPU: to beat the textbook loop proves little.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = supports,
    .threads = cpu_openblas_threads,
    .library = cpu_openblas_library,
    .run = run,
};
