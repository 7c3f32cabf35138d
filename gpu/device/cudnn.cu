/* cudnn.cu: opens cuDNN by name, makes a handle on the device's private stream, and says which version it is.
 * Needs: cudnn.h
 */
#if __has_include(<cudnn.h>)
#include "gpu/device/cudnn.cuh"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <type_traits>

/* Version 8 and 9 have the same functions of these names. */
static const char *const sonames[] = {"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so"};

#define SYMBOL(name, member)                                                        \
    {                                                                               \
#name, offsetof(struct duel_cudnn, member), std::is_same < decltype(&name), \
            decltype(duel_cudnn::member)> ::value                                   \
    }
static constexpr struct {
    const char *name;
    size_t offset;
    bool same; /* as the header of this build declares it */
} symbols[] = {
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
};
constexpr size_t SYMBOLS = sizeof symbols / sizeof *symbols;

static constexpr bool all_same()
{
    for (size_t i = 0; i < SYMBOLS; i++)
        if (!symbols[i].same)
            return false;
    return true;
}
static_assert(all_same(), "a function of cuDNN has changed");

/* Finds library and symbols; *soname says which name worked. Opening it again later only finds it again. */
static enum duel_status load(struct duel_cudnn *cudnn, const char **soname, struct duel_why *why)
{
    void *library = NULL;
    for (size_t i = 0; i < sizeof sonames / sizeof *sonames && !library; i++) {
        *soname = sonames[i];
        library = dlopen(*soname, RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) {
        const char *error = dlerror();
        return duel_fail(why, DUEL_SKIP, "without the vendor's library there is nothing to compare the kernels with",
                         "install libcudnn, or add the folder that holds it to LD_LIBRARY_PATH", "library missing: %s",
                         error ? error : sonames[0]);
    }
    for (size_t i = 0; i < SYMBOLS; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (!symbol)
            return duel_fail(why, DUEL_SKIP, "this version of cuDNN cannot be used",
                             "install the cuDNN that belongs to your CUDA toolkit", "symbol missing: %s has no %s",
                             *soname, symbols[i].name);
        memcpy(reinterpret_cast<char *>(cudnn) + symbols[i].offset, &symbol, sizeof symbol);
    }
    return DUEL_OK;
}

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
    if (load(&cudnn, &soname, NULL) != DUEL_OK)
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
    const char *soname = NULL;
    struct duel_cudnn *cudnn = static_cast<struct duel_cudnn *>(calloc(1, sizeof *cudnn));
    if (!cudnn)
        return duel_fail(call->why, DUEL_ENOMEM, "no handle for cuDNN", "free some memory", "%zu bytes refused",
                         sizeof *cudnn);
    enum duel_status status = load(cudnn, &soname, call->why);
    if (status == DUEL_OK)
        status = start(cudnn, call);
    if (status != DUEL_OK) {
        duel_cudnn_close(cudnn);
        return status;
    }
    call->state = cudnn;
    return DUEL_OK;
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
