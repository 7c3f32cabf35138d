/* gpu/axpy/cublas: NVIDIA's own library: cublasSaxpy or cublasDaxpy.
 * Needs: cublas_v2.h
 *
 * Idea     What the vendor's engineers reach is the mark for every rung.
 * Mapping  The library's secret; a profiler shows the name of the kernel that was chosen.
 * Traffic  12 bytes per element in FP32, as in every version.
 * Limits   Memory, for it as for the other rungs.
 */
#include "gpu/device/cublas.cuh"

enum { X = 0, Y = 1 };

static enum duel_status run(const struct duel_call *call)
{
    const struct duel_cublas *cublas = static_cast<const struct duel_cublas *>(call->state);
    const struct duel_problem *p = call->problem;
    const int m = static_cast<int>(p->m), incx = duel_cublas_ld(p, X), incy = duel_cublas_ld(p, Y);
    const double alpha = p->alpha;
    const float alpha_f = static_cast<float>(alpha);
    if (p->types.in == DUEL_FP64)
        CUBLAS_TRY(call->why, cublas,
                   cublas->daxpy(cublas->handle, m, &alpha, static_cast<const double *>(call->operand[X]), incx,
                                 static_cast<double *>(call->operand[Y]), incy));
    else
        CUBLAS_TRY(call->why, cublas,
                   cublas->saxpy(cublas->handle, m, &alpha_f, static_cast<const float *>(call->operand[X]), incx,
                                 static_cast<float *>(call->operand[Y]), incy));
    return DUEL_OK;
}

DUEL_IMPL(gpu_axpy_cublas) = {
    .name = "gpu/axpy/cublas",
    .builds_on = "gpu/axpy/grid_stride",
    .doc = "This row calls NVIDIA's library and is the mark that the hand-written kernels are measured against. "
           "There is little to be won over a loop of two lines: all of them wait for memory.",
    .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP64, DUEL_FP64, DUEL_FP64}},
    .supports = duel_cublas_supports,
    .workspace = duel_cublas_workspace,
    .library = duel_cublas_library,
    .open = duel_cublas_open,
    .run = run,
    .close = duel_cublas_close,
};
