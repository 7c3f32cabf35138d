/* cudnn.cuh: the few functions of cuDNN that duel calls, found at run time (library.cuh).
 *
 * On the emulated GPU nothing of this exists: cuDNN is machine code for a real GPU.
 */
#ifndef DUEL_CUDNN_CUH
#define DUEL_CUDNN_CUH

#include <cudnn.h>

#include "gpu/device/library.cuh"

/* What open() leaves in call->state. */
struct duel_cudnn {
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t x, y;
    cudnnFilterDescriptor_t filter;
    cudnnConvolutionDescriptor_t convolution;
    cudnnConvolutionFwdAlgo_t algorithm;
    const char *(*error_string)(cudnnStatus_t);
    size_t (*version)(void);
    cudnnStatus_t (*create)(cudnnHandle_t *);
    cudnnStatus_t (*destroy)(cudnnHandle_t);
    cudnnStatus_t (*set_stream)(cudnnHandle_t, cudaStream_t);
    cudnnStatus_t (*create_tensor)(cudnnTensorDescriptor_t *);
    cudnnStatus_t (*destroy_tensor)(cudnnTensorDescriptor_t);
    cudnnStatus_t (*set_tensor)(cudnnTensorDescriptor_t, cudnnDataType_t, int n, int c, int h, int w, int next_n,
                                int next_c, int next_h, int next_w);
    cudnnStatus_t (*softmax)(cudnnHandle_t, cudnnSoftmaxAlgorithm_t, cudnnSoftmaxMode_t, const void *alpha,
                             cudnnTensorDescriptor_t, const void *x, const void *beta, cudnnTensorDescriptor_t,
                             void *y);
    cudnnStatus_t (*create_filter)(cudnnFilterDescriptor_t *);
    cudnnStatus_t (*destroy_filter)(cudnnFilterDescriptor_t);
    cudnnStatus_t (*set_filter)(cudnnFilterDescriptor_t, cudnnDataType_t, cudnnTensorFormat_t, int k, int c, int h,
                                int w);
    cudnnStatus_t (*create_convolution)(cudnnConvolutionDescriptor_t *);
    cudnnStatus_t (*destroy_convolution)(cudnnConvolutionDescriptor_t);
    cudnnStatus_t (*set_convolution)(cudnnConvolutionDescriptor_t, int pad_h, int pad_w, int step_h, int step_w,
                                     int dilate_h, int dilate_w, cudnnConvolutionMode_t, cudnnDataType_t);
    cudnnStatus_t (*set_math)(cudnnConvolutionDescriptor_t, cudnnMathType_t);
    cudnnStatus_t (*algorithms)(cudnnHandle_t, cudnnTensorDescriptor_t, cudnnFilterDescriptor_t,
                                cudnnConvolutionDescriptor_t, cudnnTensorDescriptor_t, int wanted, int *came,
                                cudnnConvolutionFwdAlgoPerf_t *);
    cudnnStatus_t (*convolve)(cudnnHandle_t, const void *alpha, cudnnTensorDescriptor_t, const void *x,
                              cudnnFilterDescriptor_t, const void *w, cudnnConvolutionDescriptor_t,
                              cudnnConvolutionFwdAlgo_t, void *workspace, size_t bytes, const void *beta,
                              cudnnTensorDescriptor_t, void *y);
};

/* Records expression, file and line in `why` and returns DUEL_EDEVICE. */
#define CUDNN_TRY(why, cudnn, expression)                                                                    \
    do {                                                                                                     \
        cudnnStatus_t duel_status_ = (expression);                                                           \
        if (duel_status_ != CUDNN_STATUS_SUCCESS)                                                            \
            return duel_library_fail(                                                                        \
                (why), (cudnn)->error_string(duel_status_),                                                  \
                "repeat with a smaller --n; if it stays, set CUDNN_LOGLEVEL_DBG=2 CUDNN_LOGDEST_DBG=stderr", \
                #expression, __FILE__, __LINE__);                                                            \
    } while (0)

static inline cudnnDataType_t duel_cudnn_type(const struct duel_problem *problem)
{
    return problem->types.in == DUEL_FP64 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
}

/* The members that the descriptors of all cuDNN implementations share. */
#ifndef DUEL_EMULATED
/* Do all sizes and distances, up to the largest of `elements`, fit into an int? */
enum duel_status duel_cudnn_supports(double elements, struct duel_why *why);
const char *duel_cudnn_library(void);
/* A handle on the device's queue, with descriptors that hold nothing yet. */
enum duel_status duel_cudnn_open(struct duel_call *call);
void duel_cudnn_close(void *state);
#else
static inline enum duel_status duel_cudnn_supports(double, struct duel_why *why)
{
    return duel_fail(why, DUEL_SKIP, "the emulated GPU runs only kernels whose source is here",
                     "run it on a GPU: --device cuda", "cuDNN is machine code for a real GPU");
}
/* Nothing is called after supports() has refused. */
static inline enum duel_status duel_cudnn_open(struct duel_call *)
{
    return DUEL_SKIP;
}
static inline void duel_cudnn_close(void *)
{
}
static constexpr decltype(nullptr) duel_cudnn_library = nullptr;
#endif

#endif
