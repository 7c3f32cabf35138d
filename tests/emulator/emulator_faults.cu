/* What the emulated GPU refuses, and what it does about kernels that go wrong; and its members as a device. */
#include <cassert>
#include <csignal>

#include "tests/emulator/check.cuh"

/* ---- launch limits -------------------------------------------------------------------------------------------- */

static __global__ void nothing()
{
}

static __global__ void dynamic(float *out)
{
    DUEL_DYNAMIC_SHARED(float, tile);
    tile[threadIdx.x] = 1.0F;
    *out = tile[threadIdx.x];
}

static __global__ void much_shared(float *out)
{
    __shared__ float tile[48 * 256 + 1];
    tile[threadIdx.x] = 0;
    *out = tile[0];
}

static void expect_refusal(const char *what, dim3 grid, dim3 block, cudaError_t wanted)
{
    DUEL_LAUNCH(nothing, grid, block, 0, nullptr);
    const cudaError_t error = cudaGetLastError();
    check(error == wanted, "%s: %s", what, cudaGetErrorString(error));
    check(cudaGetLastError() == cudaSuccess, "%s: reading the error clears it", what);
}

static void limits()
{
    expect_refusal("1024 threads", 1, dim3(32, 32), cudaSuccess);
    expect_refusal("1025 threads", 1, dim3(41, 25), cudaErrorInvalidConfiguration);
    expect_refusal("block.z 64", 1, dim3(1, 1, 64), cudaSuccess);
    expect_refusal("block.z 65", 1, dim3(1, 1, 65), cudaErrorInvalidConfiguration);
    expect_refusal("no threads", 1, 0, cudaErrorInvalidConfiguration);
    expect_refusal("an empty grid", dim3(1, 0), 1, cudaErrorInvalidConfiguration);
    expect_refusal("grid.y 65535", dim3(1, 65535), 1, cudaSuccess);
    expect_refusal("grid.y 65536", dim3(1, 65536), 1, cudaErrorInvalidConfiguration);
    expect_refusal("grid.z 65536", dim3(1, 1, 65536), 1, cudaErrorInvalidConfiguration);
    expect_refusal("grid.x 2^31", dim3(0x80000000U), 1, cudaErrorInvalidConfiguration);

    buffer<float> out(64);
    DUEL_LAUNCH(much_shared, 1, 1, 0, nullptr, out.pointer);
    check(cudaPeekAtLastError() == cudaErrorInvalidValue, "more than 48 KiB of static shared memory");
    fails("is told with its size", "49156 bytes of __shared__ arrays", "allowed are 49152");
    DUEL_LAUNCH(dynamic, 1, 64, 48 * 1024, nullptr, out.pointer);
    works("48 KiB of dynamic shared memory");
    DUEL_LAUNCH(dynamic, 1, 64, 48 * 1024 + 4, nullptr, out.pointer);
    fails("a refused launch that nobody asked about", "49156 bytes of dynamic shared memory", "cudaErrorInvalidValue");
    check(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024) == cudaSuccess,
          "227 KiB on request");
    DUEL_LAUNCH(dynamic, 1, 64, 227 * 1024, nullptr, out.pointer);
    works("and then used");
    check(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 + 1) ==
              cudaErrorInvalidValue,
          "not a byte more");
    cudaGetLastError();
}

/* ---- faults --------------------------------------------------------------------------------------------------- */

static __global__ void store_at(float *to, int64_t index)
{
    if (threadIdx.x == 3)
        to[index] = 1.0F;
}

/* These do what no program may, to see it caught here and not by UndefinedBehaviorSanitizer. */
#define UNCHECKED __attribute__((no_sanitize("undefined")))

UNCHECKED static __global__ void load_at(const float *from, int64_t index, float *out)
{
    *out = from[index];
}

UNCHECKED static __global__ void copy_vector(const float *from, float *to)
{
    *reinterpret_cast<float4::whole *>(to) = *reinterpret_cast<const float4::whole *>(from);
}

UNCHECKED static __global__ void divide(int number, const int *by, int *out)
{
    *out = number / *by;
}

static __device__ int descend(int depth)
{
    volatile char local[1024];
    local[depth] = static_cast<char>(depth);
    const int below = depth > 0 ? descend(depth - 1) : 0;
    return below + local[depth];
}

static __global__ void recurse(int depth, int *out)
{
    *out = descend(depth);
}

static __global__ void insist(int number)
{
    assert(number == 3);
}

static void faults()
{
    buffer<float> data(64), other(64);
    buffer<int> number(1);
    DUEL_LAUNCH(store_at, 2, 32, 0, nullptr, data.pointer, int64_t{64});
    fails("a store past the end", "kernel store_at, block (0,0,0), thread (3,0,0)",
          "0 bytes past the end of an allocation of 256");
    DUEL_LAUNCH(load_at, 1, 1, 0, nullptr, data.pointer, int64_t{64 + 1000}, other.pointer);
    fails("a load far past the end", "4000 bytes past the end", "kernel load_at");
    DUEL_LAUNCH(load_at, 1, 1, 0, nullptr, data.pointer, int64_t{-1024 * 5}, other.pointer);
    fails("a load before the start", "20480 bytes before the start", "kernel load_at");
    DUEL_LAUNCH(load_at, 1, 1, 0, nullptr, static_cast<const float *>(nullptr), int64_t{4}, other.pointer);
    fails("a null pointer", "no memory of the device", "0x10");
    DUEL_LAUNCH(load_at, 1, 1, 0, nullptr, data.host.data(), int64_t{4}, other.pointer);
    fails("a pointer of the host", "argument 1", "no memory of the device");
    buffer<float> odd(63);
    DUEL_LAUNCH(store_at, 1, 32, 0, nullptr, odd.pointer, int64_t{63});
    fails("a store into what alignment leaves over", "0 bytes past its end", "allocation of 252 bytes");
    DUEL_LAUNCH(store_at, 1, 32, 0, nullptr, odd.pointer, int64_t{-1});
    fails("a store just before the start", "4 bytes before its start", "kernel store_at");
#if defined(__x86_64__)
    DUEL_LAUNCH(copy_vector, 1, 1, 0, nullptr, data.pointer + 1, other.pointer);
    fails("a float4 at 4 bytes", "misaligned", "kernel copy_vector");
    number.host[0] = 0;
    number.up();
    DUEL_LAUNCH(divide, 1, 1, 0, nullptr, 7, number.pointer, number.pointer);
    fails("a division by zero", "divides an integer by zero", "kernel divide");
#endif
    DUEL_LAUNCH(insist, 1, 1, 0, nullptr, 4);
    fails("an assertion", "stops at an assertion", "kernel insist");
    DUEL_LAUNCH(recurse, 1, 1, 0, nullptr, 100, number.pointer);
    fails("a stack that overflows", "65536 bytes of its stack", "kernel recurse");
    DUEL_LAUNCH(store_at, 1, 32, 0, nullptr, data.pointer, int64_t{63});
    works("the next kernel runs");
    data.down();
    check(data.host[63] == 1.0F, "and does its work");
}

static void errors_stay()
{
    buffer<float> data(64);
    data.host.assign(64, 0.0F);
    data.up();
    DUEL_LAUNCH(store_at, 1, 32, 0, nullptr, data.pointer, int64_t{64});
    DUEL_LAUNCH(store_at, 1, 32, 0, nullptr, data.pointer, int64_t{7});
    struct duel_why why = {};
    check(cudaGetLastError() == cudaSuccess, "a fault is no error of the launch");
    check(backend->download(device, data.host.data(), data.pointer, 256, &why) == DUEL_EDEVICE && *why.seen,
          "a copy after a fault reports it");
    fails("so does the next sync", "kernel store_at", "past the end");
    data.down();
    check(data.host[7] == 0.0F, "kernels after a fault did not run");
}

/* ---- the device ----------------------------------------------------------------------------------------------- */

static __global__ void launch_another(float *out)
{
    DUEL_LAUNCH(dynamic, 1, 1, 4, nullptr, out);
}

static void before_and_after()
{
    struct sigaction action = {}, found = {};
    action.sa_handler = SIG_IGN;
    sigaction(SIGSEGV, &action, nullptr);
    buffer<float> data(64);
    DUEL_LAUNCH(store_at, 1, 32, 0, nullptr, data.pointer, int64_t{64});
    sigaction(SIGSEGV, nullptr, &found);
    check(found.sa_handler == SIG_IGN, "the program's own handler of faults is back after a kernel");
    fails("and the kernel's fault was caught", "kernel store_at", "past the end");
    action.sa_handler = SIG_DFL;
    sigaction(SIGSEGV, &action, nullptr);
    DUEL_LAUNCH(launch_another, 1, 1, 0, nullptr, data.pointer);
    fails("a kernel that launches a kernel", "kernel launch_another", "launches dynamic from inside a kernel");
}

static void memory()
{
    struct duel_why why = {};
    void *pointer = &why;
    check(backend->alloc(device, static_cast<size_t>(1) << 50, &pointer, &why) == DUEL_ENOMEM && !pointer &&
              strstr(why.seen, "1125899906842624 bytes needed"),
          "more memory than there is: %s", why.seen);
    check(backend->alloc(device, SIZE_MAX - 5, &pointer, &why) == DUEL_ENOMEM, "a size that overflows");
    check(backend->alloc(device, 0, &pointer, &why) == DUEL_OK && pointer, "no bytes at all");
    backend->release(device, pointer);
    backend->release(device, nullptr);
    buffer<unsigned char> odd(1001);
    odd.down();
    check(odd.host[0] == 0xff && odd.host[1000] == 0xff, "fresh memory is NaN");
    check(reinterpret_cast<uintptr_t>(odd.pointer) % 256 == 0, "and aligned to 256 bytes");
    check(backend->fill(device, odd.pointer, 7, 1001, &why) == DUEL_OK, "fill");
    odd.down();
    check(odd.host[0] == 7 && odd.host[1000] == 7, "fills");
    check(backend->fill(device, odd.pointer, 7, 1002, &why) == DUEL_EDEVICE, "but no byte beyond");
    check(backend->upload(device, odd.pointer + 1, odd.host.data(), 1001, &why) == DUEL_EDEVICE, "upload: neither");
    check(backend->download(device, odd.host.data(), odd.host.data(), 1, &why) == DUEL_EDEVICE, "download: neither");
    check(cudaMemsetAsync(odd.pointer, 0, 1001) == cudaSuccess, "cudaMemsetAsync");
    check(cudaMemsetAsync(odd.pointer, 0, 1002) == cudaErrorInvalidValue, "not beyond the end either");
    cudaGetLastError();
}

static const char *property(const struct duel_device_info *info, const char *name)
{
    for (int i = 0; i < info->property_count; i++)
        if (strcmp(info->property[i].name, name) == 0)
            return info->property[i].text;
    return "absent";
}

static void description()
{
    struct duel_why why = {};
    struct duel_device_info info;
    double seconds = 0;
    check(duel_plugin()->abi == DUEL_ABI && backend->emulated && backend->count(&why) == 1, "one emulated device");
    check(backend->mark(device, 0, &why) == DUEL_OK && backend->elapsed(device, 0, 1, &seconds, &why) == DUEL_SKIP &&
              *why.seen,
          "it has no time: %s", why.seen);
    check(backend->now(device) > 0, "but a clock");
    backend->describe(0, &info);
    check(info.usable && strcmp(info.status, "ready") == 0 && info.memory_free_bytes > 0, "ready");
    check(strcmp(property(&info, "shared_memory_before_a_block"), "filled with NaN") == 0,
          "shared memory is filled with NaN");
    setenv(DUEL_EMULATED_ORDER, "random:77", 1);
    backend->describe(0, &info);
    check(strcmp(property(&info, "order"), "random") == 0, "the environment sets the order");
    setenv(DUEL_EMULATED_ORDER, "sideways", 1);
    backend->describe(0, &info);
    check(!info.usable && strstr(info.why.seen, "sideways") && *info.why.next, "a wrong one: %s", info.why.seen);
    void *other = nullptr;
    check(backend->open(0, &other, &why) == DUEL_EINVAL && !other, "and then it does not open");
    unsetenv(DUEL_EMULATED_ORDER);
}

static void tests()
{
    limits();
    faults();
    errors_stay();
    before_and_after();
    memory();
    description();
}
