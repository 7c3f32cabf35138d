/* cublas_calls.cuh: the functions of cuBLAS that duel calls, by their types, and the table of their addresses that
 * cublas.cu fills. Kernels include cublas.cuh. */
#ifndef DUEL_CUBLAS_CALLS_CUH
#define DUEL_CUBLAS_CALLS_CUH

#include <cublas_v2.h>

/* Types of the functions, spelled out because cublasGemmEx is overloaded; cublas.cu checks them against the header. */
typedef cublasStatus_t duel_cublas_sgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                         const float *alpha, const float *A, int lda, const float *B, int ldb,
                                         const float *beta, float *C, int ldc);
typedef cublasStatus_t duel_cublas_dgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                         const double *alpha, const double *A, int lda, const double *B, int ldb,
                                         const double *beta, double *C, int ldc);
typedef cublasStatus_t duel_cublas_sgemm_batched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,
                                                 int k, const float *alpha, const float *A, int lda, long long next_a,
                                                 const float *B, int ldb, long long next_b, const float *beta, float *C,
                                                 int ldc, long long next_c, int count);
typedef cublasStatus_t duel_cublas_dgemm_batched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,
                                                 int k, const double *alpha, const double *A, int lda, long long next_a,
                                                 const double *B, int ldb, long long next_b, const double *beta,
                                                 double *C, int ldc, long long next_c, int count);
typedef cublasStatus_t duel_cublas_gemm_ex(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                           const void *alpha, const void *A, cudaDataType a_type, int lda,
                                           const void *B, cudaDataType b_type, int ldb, const void *beta, void *C,
                                           cudaDataType c_type, int ldc, cublasComputeType_t, cublasGemmAlgo_t);

/* What open() leaves in call->state. The library itself stays mapped until the process ends: it must not be unloaded
 * while the context that it worked in lives. */
struct duel_cublas {
    cublasHandle_t handle;
    duel_cublas_sgemm *sgemm;
    duel_cublas_dgemm *dgemm;
    duel_cublas_gemm_ex *gemm_ex;
    duel_cublas_sgemm_batched *sgemm_batched;
    duel_cublas_dgemm_batched *dgemm_batched;
    const char *(*status_string)(cublasStatus_t);
    cublasStatus_t (*create)(cublasHandle_t *);
    cublasStatus_t (*destroy)(cublasHandle_t);
    cublasStatus_t (*set_stream)(cublasHandle_t, cudaStream_t);
    cublasStatus_t (*set_workspace)(cublasHandle_t, void *, size_t);
    cublasStatus_t (*set_pointer_mode)(cublasHandle_t, cublasPointerMode_t);
    cublasStatus_t (*set_math_mode)(cublasHandle_t, cublasMath_t);
    cublasStatus_t (*get_math_mode)(cublasHandle_t, cublasMath_t *);
    cublasStatus_t (*get_property)(libraryPropertyType, int *);
};

#endif
