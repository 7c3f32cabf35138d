/* gpu/transpose/cublas: NVIDIA's own library: cublasSgeam or cublasDgeam.
 * Needs: cublas_v2.h
 *
 * Idea     geam adds two matrices, either of them transposed: C = alpha op(A) + beta op(B). With beta = 0 the second is
 *          not read, and what is left is a transposition.
 * Mapping  The library's secret; a profiler shows the name of the kernel that was chosen.
 * Traffic  8 bytes per element in FP32.
 * Limits   Memory, for it as for the best of the rungs.
 */
#include "gpu/device/cublas.cuh"

enum { A = 0, B = 1 };

/* cuBLAS is column-major: in our memory it sees A^T (n x m) and must leave B^T = A (m x n), as it sees that. So it
 * transposes what it sees. Its second matrix is the result itself, which beta = 0 keeps it from reading. */
template <typename T>
static enum duel_status add(const struct duel_call *call, const struct duel_cublas *cublas, duel_cublas_geam<T> *geam)
{
    const struct duel_problem *p = call->problem;
    const int m = static_cast<int>(p->m), n = static_cast<int>(p->n);
    const int lda = duel_cublas_ld(p, A), ldb = duel_cublas_ld(p, B);
    const T one = 1, zero = 0;
    T *b = static_cast<T *>(call->operand[B]);
    CUBLAS_TRY(call->why, cublas,
               geam(cublas->handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one, static_cast<const T *>(call->operand[A]), lda,
                    &zero, b, ldb, b, ldb));
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_cublas *cublas = static_cast<const struct duel_cublas *>(call->state);
    return call->problem->types.in == DUEL_FP64 ? add<double>(call, cublas, cublas->dgeam)
                                                : add<float>(call, cublas, cublas->sgeam);
}

DUEL_IMPL(gpu_transpose_cublas) = {
    .name = "gpu/transpose/cublas",
    .builds_on = "gpu/transpose/vectorised",
    .doc = "This row calls NVIDIA's library and is the mark that the hand-written kernels are measured against. "
           "Its function adds two matrices that may be transposed; with a factor of zero for the second one it only "
           "transposes.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = duel_cublas_supports,
    .workspace = duel_cublas_workspace,
    .library = duel_cublas_library,
    .open = duel_cublas_open,
    .run = run,
    .close = duel_cublas_close,
};
