/* gpu/dot/cublas: NVIDIA's own library: cublasSdot or cublasDdot.
 * Needs: cublas_v2.h
 *
 * Idea     What the vendor's engineers reach is the mark for every rung.
 * Mapping  The library's secret; a profiler shows the kernels that were chosen, most often one for the blocks and one
 *          for their sums.
 * Traffic  8 bytes per product in FP32, each read once.
 * Limits   Memory. Where the result goes matters as much: into the memory of the host the call must wait for the GPU
 *          and copy, so here the library is told to leave it in device memory (pointer mode device).
 */
#include "gpu/device/cublas.cuh"

enum { X = 0, Y = 1, R = 2 };

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_cublas *cublas = static_cast<const struct duel_cublas *>(call->state);
    const struct duel_problem *p = call->problem;
    const int k = static_cast<int>(p->k), incx = duel_cublas_ld(p, X), incy = duel_cublas_ld(p, Y);
    const void *x = call->operand[X], *y = call->operand[Y];
    CUBLAS_TRY(call->why, cublas, cublas->set_pointer_mode(cublas->handle, CUBLAS_POINTER_MODE_DEVICE));
    if (p->types.in == DUEL_FP64)
        CUBLAS_TRY(call->why, cublas,
                   cublas->ddot(cublas->handle, k, static_cast<const double *>(x), incx, static_cast<const double *>(y),
                                incy, static_cast<double *>(call->operand[R])));
    else
        CUBLAS_TRY(call->why, cublas,
                   cublas->sdot(cublas->handle, k, static_cast<const float *>(x), incx, static_cast<const float *>(y),
                                incy, static_cast<float *>(call->operand[R])));
    return DUEL_OK;
}

DUEL_IMPL(gpu_dot_cublas) = {
    .name = "gpu/dot/cublas",
    .builds_on = "gpu/dot/one_pass",
    .doc = "This row calls NVIDIA's library and is the mark that the hand-written kernels are measured against. "
           "The result stays in the GPU's memory, so that the call does not wait for a copy of four bytes.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = duel_cublas_supports,
    .workspace = duel_cublas_workspace,
    .library = duel_cublas_library,
    .open = duel_cublas_open,
    .run = run,
    .close = duel_cublas_close,
};
