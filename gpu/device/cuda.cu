/* cuda.cu: the CUDA back end: memory, copies, two private queues, time stamps; and the plug-in's one exported function.
 *
 * The CUDA runtime is linked statically and opens the driver's library itself, so this plug-in loads on a machine
 * without a driver and can say what is missing. */
#include "gpu/device/cuda.cuh"

#include <stdlib.h>
#include <time.h>

/* Every entry begins here: CUDA calls act on the thread's current device, and another one may be open as well. */
static struct cuda_device *use(void *handle)
{
    struct cuda_device *device = static_cast<struct cuda_device *>(handle);
    (void)cudaSetDevice(device->index); /* an error here is reported again by the call that follows */
    return device;
}

static cudaStream_t selected_queue(void *handle)
{
    struct cuda_device *device = use(handle);
    return device->queue[device->selected];
}

/* Memory of the GPU. A pointer to it means nothing to the CPU: reading through it ends the program. */
static enum duel_status cuda_alloc(void *handle, size_t bytes, void **pointer, struct duel_why *why)
{
    *pointer = NULL;
    use(handle);
    cudaError_t error = cudaMalloc(pointer, bytes ? bytes : 1); /* an empty matrix has an address too */
    if (error == cudaSuccess)
        return DUEL_OK;
    if (error != cudaErrorMemoryAllocation)
        return duel_cuda_fail(why, error, "cudaMalloc", __FILE__, __LINE__);
    size_t free_bytes = 0, total_bytes = 0;
    (void)cudaGetLastError();
    (void)cudaMemGetInfo(&free_bytes, &total_bytes);
    return duel_fail(why, DUEL_ENOMEM, cuda_meaning(error, 0)->matters, cuda_meaning(error, 0)->next,
                     "%zu bytes of GPU memory were asked for, %zu of %zu are free", bytes, free_bytes, total_bytes);
}

/* Waits for all work on the device first, so nothing still uses the memory. */
static void cuda_release(void *handle, void *pointer)
{
    use(handle);
    if (cudaFree(pointer) != cudaSuccess)
        (void)cudaGetLastError();
}

/* Pageable memory starts on a page, as large arrays from malloc do; pinned memory cannot be moved to the disk, so the
 * GPU's copy engine may read it directly. */
static enum duel_status cuda_host_alloc(void *handle, size_t bytes, enum duel_host_memory kind, void **pointer,
                                        struct duel_why *why)
{
    *pointer = NULL;
    use(handle);
    cudaError_t error = cudaErrorMemoryAllocation;
    if (kind == DUEL_PINNED)
        error = cudaHostAlloc(pointer, bytes ? bytes : 1, cudaHostAllocDefault);
    else if (posix_memalign(pointer, 4096, bytes ? bytes : 1) == 0)
        error = cudaSuccess;
    if (error == cudaSuccess)
        return DUEL_OK;
    if (error != cudaErrorMemoryAllocation)
        return duel_cuda_fail(why, error, "cudaHostAlloc", __FILE__, __LINE__);
    (void)cudaGetLastError();
    *pointer = NULL;
    return duel_fail(why, DUEL_ENOMEM, "the matrices do not fit the host's memory",
                     "give a smaller --n; pinned memory can be limited below what `free` shows",
                     "%zu bytes of %s host memory were refused", bytes, kind == DUEL_PINNED ? "pinned" : "pageable");
}

static void cuda_host_release(void *handle, enum duel_host_memory kind, void *pointer)
{
    use(handle);
    if (kind == DUEL_PAGEABLE)
        free(pointer);
    else if (cudaFreeHost(pointer) != cudaSuccess)
        (void)cudaGetLastError();
}

/* One byte, repeated: 0xFF makes every floating-point type a NaN. */
static enum duel_status cuda_fill(void *handle, void *pointer, int byte, size_t bytes, struct duel_why *why)
{
    CUDA_TRY(why, cudaMemsetAsync(pointer, byte, bytes, selected_queue(handle)));
    return DUEL_OK;
}

/* Both enter the copy into the selected queue. When they return says little. From pinned memory, at once. From pageable
 * memory CUDA copies piece by piece through a pinned buffer of its own: the host waits, nothing overlaps, and the call
 * may return while the last piece is still on its way to the device. To pageable memory it returns when all is there.
 * Only sync(), or a mark behind the copy, tells that it is over, and that the host may write to its memory again. */
static enum duel_status cuda_upload(void *handle, void *to, const void *from, size_t bytes, struct duel_why *why)
{
    CUDA_TRY(why, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, selected_queue(handle)));
    return DUEL_OK;
}

static enum duel_status cuda_download(void *handle, void *to, const void *from, size_t bytes, struct duel_why *why)
{
    CUDA_TRY(why, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, selected_queue(handle)));
    return DUEL_OK;
}

static void *cuda_queue(void *handle)
{
    return selected_queue(handle);
}

static enum duel_status check_slot(int slot, struct duel_why *why)
{
    if (slot >= 0 && slot < DUEL_MAX_MARKS)
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "there is no such time stamp", "use the slots from 0 on", "slot %d of %d", slot,
                     DUEL_MAX_MARKS);
}

static enum duel_status cuda_select(void *handle, int queue, struct duel_why *why)
{
    if (queue != 0 && queue != 1)
        return duel_fail(why, DUEL_EINVAL, "there is no such queue", "select 0 or 1", "queue %d", queue);
    static_cast<struct cuda_device *>(handle)->selected = queue;
    return DUEL_OK;
}

/* The GPU waits, not the host: this is an entry in the selected queue as well. It means the last mark that was entered
 * into that slot before; a slot without one holds nothing up. */
static enum duel_status cuda_wait(void *handle, int slot, struct duel_why *why)
{
    if (check_slot(slot, why) != DUEL_OK)
        return DUEL_EINVAL;
    struct cuda_device *device = use(handle);
    CUDA_TRY(why, cudaStreamWaitEvent(device->queue[device->selected], device->mark[slot], 0));
    return DUEL_OK;
}

/* An event is an entry in the queue like a kernel is: it notes the GPU's time when everything before it has finished.
 * Reading the host's clock here instead would tell when the work was ordered. */
static enum duel_status cuda_mark(void *handle, int slot, struct duel_why *why)
{
    if (check_slot(slot, why) != DUEL_OK)
        return DUEL_EINVAL;
    struct cuda_device *device = use(handle);
    CUDA_TRY(why, cudaEventRecord(device->mark[slot], device->queue[device->selected]));
    return DUEL_OK;
}

/* CUDA gives milliseconds in a float, and promises a resolution of about half a microsecond: what is to be known within
 * 1 % must last at least 50 us. */
static enum duel_status cuda_elapsed(void *handle, int from, int to, double *seconds, struct duel_why *why)
{
    float milliseconds = 0;
    if (check_slot(from, why) != DUEL_OK || check_slot(to, why) != DUEL_OK)
        return DUEL_EINVAL;
    struct cuda_device *device = use(handle);
    CUDA_TRY(why, cudaEventElapsedTime(&milliseconds, device->mark[from], device->mark[to]));
    *seconds = 1e-3 * static_cast<double>(milliseconds);
    return DUEL_OK;
}

/* The call in which the errors of kernels come out: an illegal address is known only when the kernel has run. */
static enum duel_status cuda_sync(void *handle, struct duel_why *why)
{
    struct cuda_device *device = use(handle);
    CUDA_TRY(why, cudaStreamSynchronize(device->queue[0]));
    CUDA_TRY(why, cudaStreamSynchronize(device->queue[1]));
    return DUEL_OK;
}

double cuda_now(void *)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

static const struct duel_backend cuda_backend = {
    .name = "cuda",
    .emulated = false,
    .count = cuda_count,
    .describe = cuda_describe,
    .open = cuda_open,
    .close = cuda_close,
    .alloc = cuda_alloc,
    .release = cuda_release,
    .host_alloc = cuda_host_alloc,
    .host_release = cuda_host_release,
    .fill = cuda_fill,
    .upload = cuda_upload,
    .download = cuda_download,
    .queue = cuda_queue,
    .mark = cuda_mark,
    .elapsed = cuda_elapsed,
    .sync = cuda_sync,
    .now = cuda_now,
    .select = cuda_select,
    .wait = cuda_wait,
    .flush = cuda_flush,
    .peak = cuda_peak,
    .bandwidth = cuda_bandwidth,
};

/* The architectures: as the build says, or as nvcc itself does. */
#define AS_TEXT(...) #__VA_ARGS__
#define TEXT_OF(...) AS_TEXT(__VA_ARGS__)
#ifndef DUEL_CUDA_ARCH_LIST
#define DUEL_CUDA_ARCH_LIST TEXT_OF(__CUDA_ARCH_LIST__)
#endif
#define NVCC_VERSION TEXT_OF(__CUDACC_VER_MAJOR__.__CUDACC_VER_MINOR__.__CUDACC_VER_BUILD__)

/* The tables are generated from the files that were built (build/gen). The function is the one name that this library
 * exports: everything else is hidden, so that it cannot collide with another CUDA library of the same process. */
extern "C" {
extern const struct duel_impl *const gpu_impl_table[];
extern const struct duel_absence gpu_absence_table[];
__attribute__((visibility("default"))) const struct duel_plugin *duel_plugin(void);
}

extern "C" const struct duel_plugin *duel_plugin(void)
{
    static const struct duel_plugin plugin = {
        .abi = DUEL_ABI,
        .backend = &cuda_backend,
        .impls = gpu_impl_table,
        .absent = gpu_absence_table,
        .build = "nvcc " NVCC_VERSION ", host compiler " __VERSION__ ", code for " DUEL_CUDA_ARCH_LIST,
    };
    return &plugin;
}
