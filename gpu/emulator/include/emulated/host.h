/* host.h: the part of CUDA's host interface that implementations use between kernels, and the launch. */
#ifndef EMULATED_HOST_H
#define EMULATED_HOST_H

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInsufficientDriver = 35,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchFailure = 719,
    cudaErrorNotSupported = 801,
    cudaErrorUnknown = 999
};

const char *cudaGetErrorName(cudaError_t error);
/* For the last refused launch this names the number that was too large. */
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();

typedef struct CUstream_st *cudaStream_t;
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream = nullptr);

/* Only from device memory into a __constant__ array, by its address. */
enum cudaMemcpyKind { cudaMemcpyDeviceToDevice = 3 };
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
template <typename T> static inline cudaError_t cudaGetSymbolAddress(void **address, T &symbol)
{
    *address = &symbol;
    return cudaSuccess;
}

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9 /* a wish about caches: accepted, without effect */
};

namespace emulated
{

struct request {
    const char *text;   /* the kernel as the launch spells it */
    const void *kernel; /* its address */
    void (*body)(const void *invocation);
    const void *invocation;
    const void *const *pointers; /* arguments that are pointers, NULL for the others */
    int arguments;
    dim3 grid, block;
    size_t shared_bytes;
};
/* Runs it to its end. A refused launch is left for cudaGetLastError(), a failure inside for the device's sync(). */
void launch(const request &request);
cudaError_t set_attribute(const void *kernel, cudaFuncAttribute attribute, int value);

/* Kernel and arguments, kept while all its threads are run. */
template <typename... P> struct invocation {
    void (*kernel)(P...);
    std::tuple<P...> arguments;
    static void run(const void *self)
    {
        const invocation *call = static_cast<const invocation *>(self);
        std::apply(call->kernel, call->arguments);
    }
};

template <typename T> static inline const void *pointer_in([[maybe_unused]] const T &argument)
{
    if constexpr (std::is_pointer<T>::value && !std::is_function<std::remove_pointer_t<T>>::value)
        return const_cast<const void *>(static_cast<const volatile void *>(argument));
    else
        return nullptr;
}

template <typename... P, typename... A>
static inline void launch_kernel(const char *text, void (*kernel)(P...), dim3 grid, dim3 block, size_t shared_bytes,
                                 const void *, A... arguments)
{
    const invocation<P...> call = {kernel, std::tuple<P...>(static_cast<P>(arguments)...)};
    const void *const pointers[] = {pointer_in(static_cast<P>(arguments))..., nullptr};
    launch({text, reinterpret_cast<const void *>(kernel), invocation<P...>::run, &call, pointers,
            static_cast<int>(sizeof...(P)), grid, block, shared_bytes});
}

} // namespace emulated

template <typename... P>
static inline cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value)
{
    return ::emulated::set_attribute(reinterpret_cast<const void *>(kernel), attribute, value);
}

#define DUEL_LAUNCH(kernel, grid, block, shared_bytes, queue, ...) \
    ::emulated::launch_kernel(#kernel, kernel, (grid), (block), (shared_bytes), (queue), ##__VA_ARGS__)

#endif
