/* cpu/gemm/blis: a second library, which says in C what the first one says in assembly.
 * Needs: blis
 *
 * Idea     BLIS (Van Zee and van de Geijn, ACM TOMS 41:3, 2015) is the five loops of cpu/gemm/packed around one small
 *          micro-kernel for each processor. Two libraries by different people show what is the hardware's limit and
 *          what is one library's.
 * Mapping  Threads share out the loops; how many take part in which one follows from the shape of C.
 * Traffic  As in cpu/gemm/packed: packed blocks in L2 and L3, tiles of C in registers.
 * Limits   Small products pay for packing and threads as much as large ones.
 *
 * Its typed interface takes a stride for rows and one for columns, so a row-major matrix is (ld, 1): nothing is
 * exchanged or copied. Its cblas functions are not used: they have the names of those of cpu/gemm/openblas, and one
 * program can hold only one function of a name. The linker takes OpenBLAS's, because it comes first.
 */
#include <blis.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "bench/duel.h"

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const int64_t lda = p->ld[DUEL_A], ldb = p->ld[DUEL_B], ldc = p->ld[DUEL_C];
    void *A = call->operand[DUEL_A], *B = call->operand[DUEL_B]; /* A is m x k, B is k x n */
    void *C = call->operand[DUEL_C];                             /* C is m x n */
    if (p->types.in == DUEL_FP64) {
        double alpha = p->alpha, beta = p->beta;
        bli_dgemm(BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, p->m, p->n, p->k, &alpha, A, lda, 1, B, ldb, 1, &beta, C, ldc,
                  1);
    } else {
        float alpha = (float)p->alpha, beta = (float)p->beta;
        bli_sgemm(BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, p->m, p->n, p->k, &alpha, A, lda, 1, B, ldb, 1, &beta, C, ldc,
                  1);
    }
    return DUEL_OK;
}

/* The library ends the program when fewer threads come than it was told: so the limit is asked first, and the team may
 * not shrink with the load. */
static int threads(int wanted)
{
#ifdef _OPENMP
    omp_set_dynamic(0);
    if (wanted > omp_get_thread_limit())
        wanted = omp_get_thread_limit();
#endif
    bli_thread_set_num_threads(wanted);
    return (int)bli_thread_get_num_threads();
}

static const char *library(void)
{
    static char text[160]; /* the same on every call */
    snprintf(text, sizeof text, "BLIS %s, %s kernels, %s", bli_info_get_version_str(),
             bli_arch_string(bli_arch_query_id()),
             bli_info_get_enable_openmp()     ? "OpenMP"
             : bli_info_get_enable_pthreads() ? "pthread build: a second thread pool, install libblis-openmp-dev"
                                              : "sequential build: one thread");
    return text;
}

DUEL_IMPL(cpu_gemm_blis) = {
    .name = "cpu/gemm/blis",
    .builds_on = "cpu/gemm/openmp_packed",
    .doc = "One call of the BLIS library: the loops of cpu/gemm/packed around a micro-kernel tuned for each processor. "
           "Where it and cpu/gemm/openblas agree the hardware sets the limit, where they differ a library does.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .threads = threads,
    .library = library,
    .run = run,
};
