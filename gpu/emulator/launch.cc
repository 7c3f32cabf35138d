/* launch.cc: checks a launch as CUDA does, then runs its blocks one after another; and the rest of the host interface.
 */
#include "gpu/emulator/machine.h"

#include <cstdarg>
#include <cstdio>
#include <numeric>

namespace emulated
{

__attribute__((format(printf, 2, 3))) static bool refuse(cudaError_t error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(gpu.refusal, sizeof gpu.refusal, format, arguments);
    va_end(arguments);
    gpu.refused = error;
    return false;
}

static bool extents_fit(const request &r)
{
    const uint64_t threads = static_cast<uint64_t>(r.block.x) * r.block.y * r.block.z;
    const struct {
        const char *what;
        uint64_t value, most;
    } limits[] = {
        {"grid.x", r.grid.x, 0x7fffffff},
        {"grid.y", r.grid.y, 65535},
        {"grid.z", r.grid.z, 65535},
        {"block.x", r.block.x, 1024},
        {"block.y", r.block.y, 1024},
        {"block.z", r.block.z, 64},
        {"threads per block", threads, threads_per_block},
    };
    for (const auto &limit : limits)
        if (limit.value < 1 || limit.value > limit.most)
            return refuse(cudaErrorInvalidConfiguration, "invalid launch of %s: %s is %llu, allowed are 1 to %llu",
                          r.text, limit.what, static_cast<unsigned long long>(limit.value),
                          static_cast<unsigned long long>(limit.most));
    return true;
}

static bool shared_fits(const request &r, const kernel_facts *facts)
{
    if (facts->shared_bytes > shared_limit)
        return refuse(cudaErrorInvalidValue, "invalid launch of %s: %zu bytes of __shared__ arrays, allowed are %zu",
                      r.text, facts->shared_bytes, shared_limit);
    const size_t most = std::max(shared_limit - facts->shared_bytes, facts->dynamic_limit);
    if (r.shared_bytes > most)
        return refuse(cudaErrorInvalidValue,
                      "invalid launch of %s: %zu bytes of dynamic shared memory, allowed are %zu%s", r.text,
                      r.shared_bytes, most, facts->dynamic_limit ? "" : " without cudaFuncSetAttribute");
    return true;
}

/* A kernel sees the memory of its device only. Here it could read the host's too, so the arguments are checked. */
static bool pointers_are_ours(const request &r)
{
    for (int i = 0; i < r.arguments; i++)
        if (r.pointers[i] && !memory_holds(r.pointers[i], 0)) {
            failure_is("no memory of the device", nullptr, 0);
            fail(nullptr, "a GPU cannot use the host's memory: this is an illegal address there",
                 "copy the data to the device and give the kernel that pointer",
                 "argument %d, %p, is no memory of the device", i + 1, r.pointers[i]);
            return false;
        }
    return true;
}

/* Number of the block that runs as number `turn`: a permutation of the grid. Stepping by a number without a common
 * divisor visits every block once and needs no list. */
struct turns {
    uint64_t count, step, first;

    explicit turns(uint64_t blocks) : count(blocks), step(1), first(0)
    {
        if (gpu.order != randomly)
            return;
        first = random_below(count);
        do
            step = 1 + random_below(count);
        while (std::gcd(step, count) != 1);
    }
    uint64_t operator()(uint64_t turn) const
    {
        if (gpu.order == reverse)
            return count - 1 - turn;
        return static_cast<uint64_t>((static_cast<unsigned __int128>(turn) * step + first) % count);
    }
};

static void run_grid(const request &r)
{
    const dim3 grid = r.grid;
    const turns block_of(static_cast<uint64_t>(grid.x) * grid.y * grid.z);
    for (uint64_t turn = 0; turn < block_of.count; turn++) {
        const uint64_t block = block_of(turn), layer = block / grid.x;
        gpu.block_index = {static_cast<unsigned int>(block % grid.x), static_cast<unsigned int>(layer % grid.y),
                           static_cast<unsigned int>(layer / grid.y)};
        for (const shared_array &array : gpu.facts->shared)
            memset(array.pointer, unwritten, array.bytes);
        if (gpu.dynamic)
            memset(gpu.dynamic, unwritten, r.shared_bytes);
        if (gpu.watching)
            gpu.watching->block_begins();
        if (!block_run()) {
            gpu.prepared = 0; /* its threads stopped anywhere: all start on fresh stacks next time */
            return;
        }
        if (gpu.watching)
            gpu.watching->block_ends();
    }
}

static void report_damage()
{
    ptrdiff_t offset = 0;
    const allocation *damaged = memory_damaged(&offset);
    if (!damaged)
        return;
    failure_is("outside of an allocation", nullptr, 0);
    fail(nullptr, "on a GPU this overwrites whatever lies there, without a message",
         "compare the index with the extents before each store: if (row < m && column < n)",
         "by the end of the grid %s of %zu bytes had been written %zu bytes %s",
         damaged->pointer == gpu.dynamic ? "dynamic shared memory" : "an allocation", damaged->bytes,
         static_cast<size_t>(offset < 0 ? -offset : offset), offset < 0 ? "before its start" : "past its end");
}

/* False when CUDA would not start it, or a GPU could not. */
static bool prepare(const request &r)
{
    gpu.name = r.text;
    if (!extents_fit(r))
        return false;
    kernel_facts *facts = kernel_find(r.kernel);
    if (!shared_fits(r, facts))
        return false;
    gpu.launch = &r;
    gpu.facts = facts;
    gpu.name = facts->known ? facts->name : r.text;
    gpu.block_index = {0, 0, 0};
    gpu.dynamic = nullptr;
    if (!pointers_are_ours(r))
        return false;
    if (block_shape(r.block) && (r.shared_bytes == 0 || (gpu.dynamic = memory_allocate(r.shared_bytes))))
        return true;
    return refuse(cudaErrorMemoryAllocation, "no host memory for %u threads and %zu bytes of shared memory",
                  gpu.thread_count, r.shared_bytes);
}

void launch(const request &r)
{
    if (gpu.running)
        misuse("launch it from the host, after this kernel", "launches %s from inside a kernel", r.text);
    if (gpu.failed)
        return;
    gpu.failure = nullptr;
    gpu.failure_place[0] = '\0';
    if (!prepare(r)) {
        if (gpu.watching)
            gpu.watching->launch_refused();
        return;
    }
    if (gpu.watching)
        gpu.watching->kernel_begins();
    memory_open(true);
    faults_catch();
    run_grid(r);
    faults_release();
    memory_open(false);
    gpu.leading = false;
    report_damage();
    if (gpu.watching)
        gpu.watching->kernel_ends();
    memory_release(gpu.dynamic);
    gpu.dynamic = nullptr;
}

cudaError_t set_attribute(const void *kernel, cudaFuncAttribute attribute, int value)
{
    kernel_facts *facts = kernel_find(kernel);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return cudaSuccess;
    if (value < 0 || static_cast<size_t>(value) + facts->shared_bytes > gpu.shared_most) {
        refuse(cudaErrorInvalidValue, "%d bytes of dynamic and %zu of static shared memory: allowed are %zu together",
               value, facts->shared_bytes, gpu.shared_most);
        return cudaErrorInvalidValue;
    }
    facts->dynamic_limit = static_cast<size_t>(value);
    return cudaSuccess;
}

} // namespace emulated

using emulated::gpu;

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver", "driver too old"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no device"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice", "no kernel image for this device"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "illegal memory access"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "launch failure"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
};

const char *cudaGetErrorName(cudaError_t error)
{
    for (const auto &known : errors)
        if (known.error == error)
            return known.name;
    return "cudaErrorUnknown";
}

const char *cudaGetErrorString(cudaError_t error)
{
    if (error != cudaSuccess && error == gpu.refused_last)
        return gpu.refusal;
    for (const auto &known : errors)
        if (known.error == error)
            return known.text;
    return "unknown error";
}

cudaError_t cudaPeekAtLastError()
{
    gpu.refused_last = gpu.refused;
    return gpu.refused;
}

cudaError_t cudaGetLastError()
{
    const cudaError_t error = cudaPeekAtLastError();
    gpu.refused = cudaSuccess;
    return error;
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t)
{
    if (!emulated::memory_holds(pointer, bytes)) {
        emulated::refuse(cudaErrorInvalidValue, "cudaMemsetAsync of %zu bytes that are no memory of the device", bytes);
        return cudaErrorInvalidValue;
    }
    if (!gpu.failed)
        emulated::memory_fill(pointer, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind, cudaStream_t)
{
    uintptr_t base = 0;
    const size_t bytes = height > 0 ? (height - 1) * from_pitch + width : 0;
    if (width > to_pitch || width > from_pitch || !emulated::memory_holds(from, bytes) ||
        emulated::module_of(reinterpret_cast<uintptr_t>(to), &base).empty()) {
        emulated::refuse(cudaErrorInvalidValue,
                         "cudaMemcpy2DAsync of %zu rows of %zu bytes, not from device memory "
                         "into constant memory",
                         height, width);
        return cudaErrorInvalidValue;
    }
    for (size_t row = 0; row < height && !gpu.failed; row++)
        emulated::memory_read(static_cast<unsigned char *>(to) + row * to_pitch,
                              static_cast<const unsigned char *>(from) + row * from_pitch, width);
    return cudaSuccess;
}
