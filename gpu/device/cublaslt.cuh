/* cublaslt.cuh: GEMM of one-byte types by cuBLASLt, the part of cuBLAS that has them, opened by name as cublas.cuh
 * says.
 *
 * The library multiplies these types only where both inputs have k contiguous. A row-major A has; B does not, so run()
 * transposes it into the workspace first, and that is part of its time.
 *
 * On the emulated GPU nothing of this exists: cuBLASLt is machine code for a real GPU.
 */
#ifndef DUEL_CUBLASLT_CUH
#define DUEL_CUBLASLT_CUH

#include "gpu/device/cublas.cuh"

/* FP8: inputs E4M3, sums and result FP32. INT8: sums and result INT32, alpha 1, beta 0 or 1. */
#ifndef DUEL_EMULATED
enum duel_status duel_cublaslt_supports(const struct duel_problem *problem, const struct duel_device_info *device,
                                        struct duel_why *why);
size_t duel_cublaslt_workspace(const struct duel_problem *problem);
const char *duel_cublaslt_library(void);
/* Also asks the library for an algorithm; where it has none the problem is skipped. */
enum duel_status duel_cublaslt_open(struct duel_call *call);
enum duel_status duel_cublaslt_run(const struct duel_call *call);
void duel_cublaslt_close(void *state);
#else
static constexpr auto duel_cublaslt_supports = duel_cublas_supports; /* refuses everything here */
static constexpr decltype(nullptr) duel_cublaslt_workspace = nullptr, duel_cublaslt_library = nullptr,
                                   duel_cublaslt_open = nullptr, duel_cublaslt_close = nullptr;
static inline enum duel_status duel_cublaslt_run(const struct duel_call *)
{
    return DUEL_SKIP; /* nothing is called after supports() has refused */
}
#endif

#endif
