/* cudnn.cu: opens cuDNN by name, makes a handle on the device's private stream, and says which version it is.
 * Needs: cudnn.h
 */
#if __has_include(<cudnn.h>)
#include "gpu/device/cudnn.cuh"

#include <limits.h>
#include <stdlib.h>
#include <type_traits>

/* Version 8 and 9 have the same functions of these names. */
static const char *const sonames[] = {"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so", NULL};

/* A row whose member has the type of the function, as the header of this build declares it. */
template <typename FUNCTION, typename MEMBER>
static constexpr struct duel_library_symbol row(const char *name, size_t offset)
{
    static_assert(std::is_same<FUNCTION, MEMBER>::value, "a function of cuDNN has changed");
    return {name, offset};
}
#define SYMBOL(function, member) \
    row<decltype(&function), decltype(duel_cudnn::member)>(#function, offsetof(struct duel_cudnn, member))

static const struct duel_library_symbol symbols[] = {
    SYMBOL(cudnnGetErrorString, error_string),
    SYMBOL(cudnnGetVersion, version),
    SYMBOL(cudnnCreate, create),
    SYMBOL(cudnnDestroy, destroy),
    SYMBOL(cudnnSetStream, set_stream),
    SYMBOL(cudnnCreateTensorDescriptor, create_tensor),
    SYMBOL(cudnnDestroyTensorDescriptor, destroy_tensor),
    SYMBOL(cudnnSetTensor4dDescriptorEx, set_tensor),
    SYMBOL(cudnnSoftmaxForward, softmax),
    SYMBOL(cudnnCreateFilterDescriptor, create_filter),
    SYMBOL(cudnnDestroyFilterDescriptor, destroy_filter),
    SYMBOL(cudnnSetFilter4dDescriptor, set_filter),
    SYMBOL(cudnnCreateConvolutionDescriptor, create_convolution),
    SYMBOL(cudnnDestroyConvolutionDescriptor, destroy_convolution),
    SYMBOL(cudnnSetConvolution2dDescriptor, set_convolution),
    SYMBOL(cudnnSetConvolutionMathType, set_math),
    SYMBOL(cudnnGetConvolutionForwardAlgorithm_v7, algorithms),
    SYMBOL(cudnnConvolutionForward, convolve),
    {NULL, 0},
};
static const struct duel_library library = {"cuDNN", "libcudnn", sonames, symbols};

/* Asked for every case, also by `duel list`: so it must not open the library. */
enum duel_status duel_cudnn_supports(double elements, struct duel_why *why)
{
    if (elements > INT_MAX)
        return duel_fail(why, DUEL_SKIP, "cuDNN takes sizes and distances as int", "give a smaller size",
                         "%.0f elements in an operand", elements);
    if (elements <= 0)
        return duel_fail(why, DUEL_SKIP, "cuDNN describes no empty tensors", "give extents of at least 1",
                         "an operand without elements");
    return DUEL_OK;
}

/* The version that is loaded, which need not be the one that this was built with. */
const char *duel_cudnn_library(void)
{
    static char text[96];
    struct duel_cudnn cudnn = {};
    const char *soname = NULL;
    if (duel_library_load(&library, &cudnn, &soname, NULL) != DUEL_OK)
        return "cuDNN (not found)";
    snprintf(text, sizeof text, "cuDNN version %zu (%s), FP32 as FMA: TF32 off", cudnn.version(), soname);
    return text;
}

static enum duel_status start(struct duel_cudnn *cudnn, const struct duel_call *call)
{
    CUDNN_TRY(call->why, cudnn, cudnn->create(&cudnn->handle));
    CUDNN_TRY(call->why, cudnn, cudnn->set_stream(cudnn->handle, static_cast<cudaStream_t>(call->queue)));
    CUDNN_TRY(call->why, cudnn, cudnn->create_tensor(&cudnn->x));
    CUDNN_TRY(call->why, cudnn, cudnn->create_tensor(&cudnn->y));
    CUDNN_TRY(call->why, cudnn, cudnn->create_filter(&cudnn->filter));
    CUDNN_TRY(call->why, cudnn, cudnn->create_convolution(&cudnn->convolution));
    return DUEL_OK;
}

enum duel_status duel_cudnn_open(struct duel_call *call)
{
    return duel_library_open<struct duel_cudnn>(
        call, &library, [call](struct duel_cudnn *cudnn) { return start(cudnn, call); }, duel_cudnn_close);
}

/* Also for what was opened halfway. */
void duel_cudnn_close(void *state)
{
    struct duel_cudnn *cudnn = static_cast<struct duel_cudnn *>(state);
    if (cudnn && cudnn->convolution)
        cudnn->destroy_convolution(cudnn->convolution);
    if (cudnn && cudnn->filter)
        cudnn->destroy_filter(cudnn->filter);
    if (cudnn && cudnn->y)
        cudnn->destroy_tensor(cudnn->y);
    if (cudnn && cudnn->x)
        cudnn->destroy_tensor(cudnn->x);
    if (cudnn && cudnn->handle)
        cudnn->destroy(cudnn->handle);
    free(cudnn);
}
#endif
