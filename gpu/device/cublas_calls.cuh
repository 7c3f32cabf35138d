/* cublas_calls.cuh: the functions of cuBLAS that duel calls, by their types, and the table of their addresses that
 * cublas.cu fills. Kernels include cublas.cuh. */
#ifndef DUEL_CUBLAS_CALLS_CUH
#define DUEL_CUBLAS_CALLS_CUH

#include <cublas_v2.h>

/* Spelled out, because cublasGemmEx is overloaded and because the library is opened by name; cublas.cu checks them
 * against the header. T is float or double. */
template <typename T>
using duel_cublas_gemm = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                        const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C,
                                        int ldc);
template <typename T>
using duel_cublas_gemm_batched = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,
                                                int k, const T *alpha, const T *A, int lda, long long next_a,
                                                const T *B, int ldb, long long next_b, const T *beta, T *C, int ldc,
                                                long long next_c, int count);
typedef cublasStatus_t duel_cublas_gemm_ex(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                           const void *alpha, const void *A, cudaDataType a_type, int lda,
                                           const void *B, cudaDataType b_type, int ldb, const void *beta, void *C,
                                           cudaDataType c_type, int ldc, cublasComputeType_t, cublasGemmAlgo_t);
template <typename T>
using duel_cublas_axpy = cublasStatus_t(cublasHandle_t, int n, const T *alpha, const T *x, int incx, T *y, int incy);
template <typename T>
using duel_cublas_dot = cublasStatus_t(cublasHandle_t, int n, const T *x, int incx, const T *y, int incy, T *result);
template <typename T>
using duel_cublas_gemv = cublasStatus_t(cublasHandle_t, cublasOperation_t, int m, int n, const T *alpha, const T *A,
                                        int lda, const T *x, int incx, const T *beta, T *y, int incy);
template <typename T>
using duel_cublas_geam = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,
                                        const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C,
                                        int ldc);

/* X op(A) = alpha B or op(A) X = alpha B for a triangular A; X takes the place of B, which is m x n. */
template <typename T>
using duel_cublas_trsm = cublasStatus_t(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                                        cublasDiagType_t, int m, int n, const T *alpha, const T *A, int lda, T *B,
                                        int ldb);

/* What open() leaves in call->state. */
struct duel_cublas {
    cublasHandle_t handle;
    duel_cublas_gemm<float> *sgemm;
    duel_cublas_gemm<double> *dgemm;
    duel_cublas_gemm_ex *gemm_ex;
    duel_cublas_gemm_batched<float> *sgemm_batched;
    duel_cublas_gemm_batched<double> *dgemm_batched;
    duel_cublas_axpy<float> *saxpy;
    duel_cublas_axpy<double> *daxpy;
    duel_cublas_dot<float> *sdot;
    duel_cublas_dot<double> *ddot;
    duel_cublas_gemv<float> *sgemv;
    duel_cublas_gemv<double> *dgemv;
    duel_cublas_geam<float> *sgeam;
    duel_cublas_geam<double> *dgeam;
    duel_cublas_trsm<float> *strsm;
    duel_cublas_trsm<double> *dtrsm;
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
