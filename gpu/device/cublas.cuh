/* cublas.cuh: the few functions of cuBLAS that duel calls, found at run time (library.cuh).
 *
 * On the emulated GPU nothing of this exists: cuBLAS is machine code for a real GPU.
 */
#ifndef DUEL_CUBLAS_CUH
#define DUEL_CUBLAS_CUH

#include "gpu/device/cublas_calls.cuh"
#include "gpu/device/library.cuh"

/* A leading dimension as cuBLAS takes it: an int, and at least 1 even for a matrix without columns (k = 0). */
static inline int duel_cublas_ld(const struct duel_problem *problem, int operand)
{
    return problem->ld[operand] > 0 ? static_cast<int>(problem->ld[operand]) : 1;
}

/* Records expression, file and line in `why` and returns DUEL_EDEVICE. */
#define CUBLAS_TRY(why, cublas, expression)                                                                   \
    do {                                                                                                      \
        cublasStatus_t duel_status_ = (expression);                                                           \
        if (duel_status_ != CUBLAS_STATUS_SUCCESS)                                                            \
            return duel_library_fail(                                                                         \
                (why), (cublas)->status_string(duel_status_),                                                 \
                "repeat with a smaller --n; if it stays, set CUBLAS_LOGINFO_DBG=1 CUBLAS_LOGDEST_DBG=stderr", \
                #expression, __FILE__, __LINE__);                                                             \
    } while (0)

/* C = alpha A B + beta C with inputs of `type`, sums and C in FP32. Row-major C = A B is column-major C^T = B^T A^T in
 * the same memory, hence B first and m and n exchanged; gpu/gemm/cublas.cu derives it. */
static inline enum duel_status duel_cublas_multiply(const struct duel_call *call, cudaDataType type,
                                                    cublasComputeType_t compute)
{
    const struct duel_cublas *cublas = static_cast<const struct duel_cublas *>(call->state);
    const struct duel_problem *p = call->problem;
    const float alpha = static_cast<float>(p->alpha), beta = static_cast<float>(p->beta);
    CUBLAS_TRY(call->why, cublas,
               cublas->gemm_ex(cublas->handle, CUBLAS_OP_N, CUBLAS_OP_N, static_cast<int>(p->n), static_cast<int>(p->m),
                               static_cast<int>(p->k), &alpha, call->operand[DUEL_B], type, duel_cublas_ld(p, DUEL_B),
                               call->operand[DUEL_A], type, duel_cublas_ld(p, DUEL_A), &beta, call->operand[DUEL_C],
                               CUDA_R_32F, duel_cublas_ld(p, DUEL_C), compute, CUBLAS_GEMM_DEFAULT));
    return DUEL_OK;
}

/* The members that the descriptors of all cuBLAS implementations share. */
#ifndef DUEL_EMULATED
enum duel_status duel_cublas_supports(const struct duel_problem *problem, const struct duel_device_info *device,
                                      struct duel_why *why);
size_t duel_cublas_workspace(const struct duel_problem *problem);
const char *duel_cublas_library(void); /* for all types but TF32: says that it is off */
const char *duel_cublas_library_tf32(void);
enum duel_status duel_cublas_open(struct duel_call *call);
void duel_cublas_close(void *state);
#else
static inline enum duel_status duel_cublas_supports(const struct duel_problem *, const struct duel_device_info *,
                                                    struct duel_why *why)
{
    return duel_fail(why, DUEL_SKIP, "the emulated GPU runs only kernels whose source is here",
                     "run it on a GPU: --device cuda", "cuBLAS is machine code for a real GPU");
}
/* Nothing is called after supports() has refused. */
static constexpr decltype(nullptr) duel_cublas_workspace = nullptr, duel_cublas_library = nullptr,
                                   duel_cublas_library_tf32 = nullptr, duel_cublas_open = nullptr,
                                   duel_cublas_close = nullptr;
#endif

/* For types that the Tensor Cores have had since this compute capability. */
static inline enum duel_status duel_cublas_supports_from(int capability, const struct duel_problem *problem,
                                                         const struct duel_device_info *device, struct duel_why *why)
{
    if (device->compute_capability >= capability)
        return duel_cublas_supports(problem, device, why);
    return duel_fail(why, DUEL_SKIP, "the library has no fast kernel of this type for this GPU",
                     "compare the rows of another precision", "compute capability %d.%d, this type needs %d.%d",
                     device->compute_capability / 10, device->compute_capability % 10, capability / 10,
                     capability % 10);
}

#endif
