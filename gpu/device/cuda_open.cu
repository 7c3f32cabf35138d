/* cuda_open.cu: how a device is opened, with everything in it that is slow only once, and closed again. */
#include "gpu/device/cuda.cuh"

#include <stdlib.h>

/* Since CUDA 12.2 code is loaded when it is first used, unless CUDA_MODULE_LOADING says otherwise, and the driver makes
 * its buffers for pageable copies when the first one comes. All that this back end itself will do is done once now, so
 * that no first time hides in a measurement. The kernels of implementations are touched by their own warm-up. */
static enum duel_status first_times(struct cuda_device *device, void *memory, struct duel_why *why)
{
    unsigned char pageable[256] = {};
    CUDA_TRY(why, cuda_load_stream_kernels());
    for (int i = 0; i < 2; i++) {
        CUDA_TRY(why, cudaMemsetAsync(memory, 0, sizeof pageable, device->queue[i]));
        CUDA_TRY(why, cudaMemcpyAsync(memory, pageable, sizeof pageable, cudaMemcpyHostToDevice, device->queue[i]));
        CUDA_TRY(why, cudaMemcpyAsync(pageable, memory, sizeof pageable, cudaMemcpyDeviceToHost, device->queue[i]));
        CUDA_TRY(why, cudaEventRecord(device->mark[i], device->queue[i]));
        CUDA_TRY(why, cudaStreamSynchronize(device->queue[i]));
    }
    return DUEL_OK;
}

/* Selecting the device and the first call create its context: the driver's record of our memory, code and queues there,
 * and by far the slowest thing that happens here. cuda_probe() makes sure now that kernels will find their code. */
static enum duel_status start(struct cuda_device *device, struct duel_why *why)
{
    cudaFuncAttributes code = {};
    int runtime = 0;
    void *memory = NULL;
    (void)cudaRuntimeGetVersion(&runtime);
    cudaError_t error = cudaSetDevice(device->index);
    if (error == cudaSuccess)
        error = cuda_probe(&code);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        return cuda_explain(why, error, cuda_driver_version(), runtime);
    }
    for (int i = 0; i < 2; i++)
        CUDA_TRY(why, cudaStreamCreateWithFlags(&device->queue[i], cudaStreamNonBlocking));
    /* With the default flags: an event without timing is faster to wait for and useless here. */
    for (int i = 0; i < DUEL_MAX_MARKS; i++)
        CUDA_TRY(why, cudaEventCreate(&device->mark[i]));
    CUDA_TRY(why, cudaMalloc(&memory, 256));
    enum duel_status status = first_times(device, memory, why);
    if (cudaFree(memory) != cudaSuccess)
        (void)cudaGetLastError();
    return status;
}

/* In the reverse order of opening: first the queues run empty, then the time stamps that they may hold go, then the
 * queues. Also for a device that was opened halfway. After a device fault these calls fail too, and the driver cleans
 * up when the process ends. The context stays: cuBLAS and a second handle may live in it. */
void cuda_close(void *handle)
{
    struct cuda_device *device = static_cast<struct cuda_device *>(handle);
    if (!device)
        return;
    (void)cudaSetDevice(device->index);
    for (int i = 0; i < 2; i++)
        if (device->queue[i])
            (void)cudaStreamSynchronize(device->queue[i]);
    (void)cudaFree(device->flush_buffer); /* NULL is allowed */
    for (int i = 0; i < DUEL_MAX_MARKS; i++)
        if (device->mark[i])
            (void)cudaEventDestroy(device->mark[i]);
    for (int i = 0; i < 2; i++)
        if (device->queue[i])
            (void)cudaStreamDestroy(device->queue[i]);
    (void)cudaGetLastError();
    free(device);
}

enum duel_status cuda_open(int index, void **handle, struct duel_why *why)
{
    *handle = NULL;
    struct cuda_device *device = static_cast<struct cuda_device *>(calloc(1, sizeof *device));
    if (!device)
        return duel_fail(why, DUEL_ENOMEM, "the GPU cannot be opened", "free some memory", "%zu bytes were refused",
                         sizeof *device);
    device->index = index;
    enum duel_status status = start(device, why);
    if (status == DUEL_OK)
        *handle = device;
    else
        cuda_close(device);
    return status;
}
