/* check.cuh: a little TAP for the tests of the emulated GPU, and the device that they all use. Each test program
 * defines `tests` and includes this once; it is linked with gpu/emulator and gpu/device/emulated.cc, without kernels.
 */
#ifndef TESTS_EMULATOR_CHECK_CUH
#define TESTS_EMULATOR_CHECK_CUH

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "gpu/emulator/order.h"
#include "gpu/kernel.cuh"

extern "C" const struct duel_impl *const gpu_impl_table[] = {nullptr};
extern "C" const struct duel_absence gpu_absence_table[] = {{nullptr, nullptr}};
extern "C" const struct duel_plugin *duel_plugin();

static int checks_run, checks_failed;
static const struct duel_backend *const backend = duel_plugin()->backend;
static void *device;

__attribute__((format(printf, 2, 3))) static inline bool check(bool right, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%sok %d - ", right ? "" : "not ", ++checks_run);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    checks_failed += !right;
    return right;
}

/* Waits for the device and checks that nothing went wrong. */
static inline bool works(const char *what)
{
    struct duel_why why = {};
    const enum duel_status status = backend->sync(device, &why);
    if (!check(status == DUEL_OK, "%s", what))
        printf("# %s\n# %s\n# %s\n", why.seen, why.matters, why.next);
    return status == DUEL_OK;
}

/* Waits for the device and checks that it reports an error which holds both texts, and only once. */
static inline void fails(const char *what, const char *one, const char *two)
{
    struct duel_why why = {};
    const enum duel_status status = backend->sync(device, &why);
    const bool right =
        status == DUEL_EDEVICE && strstr(why.seen, one) && strstr(why.seen, two) && *why.matters && *why.next;
    check(right && backend->sync(device, nullptr) == DUEL_OK, "%s", what);
    printf("# %s\n", why.seen);
}

/* Device memory with a copy on the host. */
template <typename T> struct buffer {
    std::vector<T> host;
    T *pointer;

    explicit buffer(size_t count) : host(count), pointer(nullptr)
    {
        void *memory = nullptr;
        if (backend->alloc(device, count * sizeof(T), &memory, nullptr) != DUEL_OK)
            abort();
        pointer = static_cast<T *>(memory);
    }
    buffer(const buffer &) = delete;
    ~buffer()
    {
        backend->release(device, pointer);
    }
    void up()
    {
        backend->upload(device, pointer, host.data(), host.size() * sizeof(T), nullptr);
    }
    void down()
    {
        backend->download(device, host.data(), pointer, host.size() * sizeof(T), nullptr);
    }
};

static inline void set_order(const char *order)
{
    if (duel_emulated_order(order, nullptr) != DUEL_OK)
        abort();
}

static const char *const orders[] = {"forward", "reverse", "random:1", "random:2"};

static void tests();

int main()
{
    if (backend->open(0, &device, nullptr) != DUEL_OK)
        return 1;
    tests();
    backend->close(device);
    printf("1..%d\n", checks_run);
    return checks_failed ? 1 : 0;
}

#endif
