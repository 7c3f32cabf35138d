/* cublas.cu: opens cuBLAS by name, binds a handle to the device's private stream, and says which version it is.
 * Needs: cublas_v2.h
 */
#if __has_include(<cublas_v2.h>)
#include "gpu/device/cublas.cuh"

#include <limits.h>
#include <stdlib.h>
#include <type_traits>

#define SAME_TYPE(member, function) \
    static_assert(std::is_same<decltype(duel_cublas::member), decltype(&function)>::value, #function " has changed")
SAME_TYPE(sgemm, cublasSgemm_v2);
SAME_TYPE(dgemm, cublasDgemm_v2);
SAME_TYPE(sgemm_batched, cublasSgemmStridedBatched);
SAME_TYPE(dgemm_batched, cublasDgemmStridedBatched);
SAME_TYPE(saxpy, cublasSaxpy_v2);
SAME_TYPE(daxpy, cublasDaxpy_v2);
SAME_TYPE(sdot, cublasSdot_v2);
SAME_TYPE(ddot, cublasDdot_v2);
SAME_TYPE(sgemv, cublasSgemv_v2);
SAME_TYPE(dgemv, cublasDgemv_v2);
SAME_TYPE(sgeam, cublasSgeam);
SAME_TYPE(dgeam, cublasDgeam);
static_assert(std::is_same<duel_cublas_trsm<float>, decltype(cublasStrsm_v2)>::value, "cublasStrsm has changed");
static_assert(std::is_same<duel_cublas_trsm<double>, decltype(cublasDtrsm_v2)>::value, "cublasDtrsm has changed");
static_assert(sizeof(static_cast<duel_cublas_gemm_ex *>(&cublasGemmEx)) > 0, "cublasGemmEx has changed");

/* Newest first; the functions used here have had the same interface since version 11. */
static const char *const sonames[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so", NULL};

/* The names in the library. cublas_v2.h maps cublasSgemm to cublasSgemm_v2 and so on; dlsym() knows nothing of that. */
static const struct duel_library_symbol symbols[] = {
    {"cublasSgemm_v2", offsetof(struct duel_cublas, sgemm)},
    {"cublasDgemm_v2", offsetof(struct duel_cublas, dgemm)},
    {"cublasGemmEx", offsetof(struct duel_cublas, gemm_ex)},
    {"cublasSgemmStridedBatched", offsetof(struct duel_cublas, sgemm_batched)},
    {"cublasDgemmStridedBatched", offsetof(struct duel_cublas, dgemm_batched)},
    {"cublasSaxpy_v2", offsetof(struct duel_cublas, saxpy)},
    {"cublasDaxpy_v2", offsetof(struct duel_cublas, daxpy)},
    {"cublasSdot_v2", offsetof(struct duel_cublas, sdot)},
    {"cublasDdot_v2", offsetof(struct duel_cublas, ddot)},
    {"cublasSgemv_v2", offsetof(struct duel_cublas, sgemv)},
    {"cublasDgemv_v2", offsetof(struct duel_cublas, dgemv)},
    {"cublasSgeam", offsetof(struct duel_cublas, sgeam)},
    {"cublasDgeam", offsetof(struct duel_cublas, dgeam)},
    {"cublasStrsm_v2", offsetof(struct duel_cublas, strsm)},
    {"cublasDtrsm_v2", offsetof(struct duel_cublas, dtrsm)},
    {"cublasGetStatusString", offsetof(struct duel_cublas, status_string)},
    {"cublasCreate_v2", offsetof(struct duel_cublas, create)},
    {"cublasDestroy_v2", offsetof(struct duel_cublas, destroy)},
    {"cublasSetStream_v2", offsetof(struct duel_cublas, set_stream)},
    {"cublasSetWorkspace_v2", offsetof(struct duel_cublas, set_workspace)},
    {"cublasSetPointerMode_v2", offsetof(struct duel_cublas, set_pointer_mode)},
    {"cublasSetMathMode", offsetof(struct duel_cublas, set_math_mode)},
    {"cublasGetMathMode", offsetof(struct duel_cublas, get_math_mode)},
    {"cublasGetProperty", offsetof(struct duel_cublas, get_property)},
    {NULL, 0},
};
static const struct duel_library library = {"cuBLAS", "libcublas", sonames, symbols};

/* Asked for every case, also by `duel list`: so it must not open the library. */
enum duel_status duel_cublas_supports(const struct duel_problem *problem, const struct duel_device_info *,
                                      struct duel_why *why)
{
    const int64_t sizes[] = {problem->m,          problem->n,          problem->k,
                             problem->ld[DUEL_A], problem->ld[DUEL_B], problem->ld[DUEL_C]};
    for (int64_t size : sizes)
        if (size > INT_MAX)
            return duel_fail(why, DUEL_SKIP, "cuBLAS takes sizes and leading dimensions as int",
                             "give sizes below 2 147 483 648", "a size of %lld", static_cast<long long>(size));
    /* BLAS says C = beta C; versions of cuBLAS have left C as it was (pytorch/pytorch#31421). */
    if (problem->k == 0)
        return duel_fail(why, DUEL_SKIP, "cuBLAS promises no result for an empty product", "give k of at least 1",
                         "k = 0");
    return DUEL_OK;
}

/* What NVIDIA recommends for Hopper and Blackwell; 4 MiB would do for older GPUs. The runner allocates it once, so that
 * no call of the library has to allocate inside a measured interval. */
size_t duel_cublas_workspace(const struct duel_problem *)
{
    return static_cast<size_t>(32) << 20;
}

/* FP32 means FP32: with TF32 the inputs would keep 11 significant bits, another problem under the same name. */
static cublasMath_t math_mode_of(enum duel_dtype in)
{
    return in == DUEL_TF32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH;
}

/* The version that is loaded, which need not be the one that this was built with, and the mode that open() has set and
 * read back: it fails where they differ. */
static const char *describe(enum duel_dtype in)
{
    static char text[128];
    struct duel_cublas cublas = {};
    const char *soname = NULL;
    int part[3] = {};
    if (duel_library_load(&library, &cublas, &soname, NULL) != DUEL_OK)
        return "cuBLAS (not found)";
    cublas.get_property(MAJOR_VERSION, &part[0]);
    cublas.get_property(MINOR_VERSION, &part[1]);
    cublas.get_property(PATCH_LEVEL, &part[2]);
    snprintf(text, sizeof text, "cuBLAS %d.%d.%d (%s), math mode %d: TF32 %s", part[0], part[1], part[2], soname,
             math_mode_of(in), in == DUEL_TF32 ? "on" : "off");
    return text;
}

const char *duel_cublas_library(void)
{
    return describe(DUEL_FP32);
}

const char *duel_cublas_library_tf32(void)
{
    return describe(DUEL_TF32);
}

/* Everything that decides what the library computes, set explicitly and, where it can be, read back. */
static enum duel_status start(struct duel_cublas *cublas, const struct duel_call *call)
{
    struct duel_why *why = call->why;
    const cublasMath_t wanted = math_mode_of(call->problem->types.in);
    cublasMath_t mode = CUBLAS_PEDANTIC_MATH; /* neither of the two */
    CUBLAS_TRY(why, cublas, cublas->create(&cublas->handle));
    CUBLAS_TRY(why, cublas, cublas->set_stream(cublas->handle, static_cast<cudaStream_t>(call->queue)));
    /* After the stream, because setting a stream takes the library back to its own workspace. */
    if (call->workspace)
        CUBLAS_TRY(why, cublas,
                   cublas->set_workspace(cublas->handle, call->workspace, duel_cublas_workspace(call->problem)));
    CUBLAS_TRY(why, cublas, cublas->set_pointer_mode(cublas->handle, CUBLAS_POINTER_MODE_HOST));
    CUBLAS_TRY(why, cublas, cublas->set_math_mode(cublas->handle, wanted));
    CUBLAS_TRY(why, cublas, cublas->get_math_mode(cublas->handle, &mode));
    if (mode != wanted)
        return duel_fail(why, DUEL_EDEVICE, "its results would not have the precision in their label",
                         "unset the environment variables that begin with CUBLAS_ and NVIDIA_TF32_OVERRIDE",
                         "cuBLAS is in math mode %d, asked for %d", static_cast<int>(mode), static_cast<int>(wanted));
    return DUEL_OK;
}

enum duel_status duel_cublas_open(struct duel_call *call)
{
    return duel_library_open<struct duel_cublas>(
        call, &library, [call](struct duel_cublas *cublas) { return start(cublas, call); }, duel_cublas_close);
}

/* Also for a handle that was opened halfway. */
void duel_cublas_close(void *state)
{
    struct duel_cublas *cublas = static_cast<struct duel_cublas *>(state);
    if (cublas && cublas->handle)
        cublas->destroy(cublas->handle);
    free(cublas);
}
#endif
