/* emulated.cc: the back end of the emulated GPU and the entry of its plug-in. It has memory, copies and a queue, but no
 * time: how long a CPU takes to play a GPU says nothing about either. */
#include <cinttypes>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "gpu/emulator/machine.h"
#include "gpu/emulator/order.h"

using emulated::gpu;

#if defined(__clang__)
#define TEXT_OF(number) #number
#define VERSION_OF(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)
#define HOST_COMPILER "clang++ " VERSION_OF(__clang_major__, __clang_minor__, __clang_patchlevel__)
#else
#define HOST_COMPILER "g++ " __VERSION__
#endif

extern "C" const struct duel_impl *const gpu_impl_table[];
extern "C" const struct duel_absence gpu_absence_table[];
extern "C" __attribute__((visibility("default"))) duel_plugin_entry duel_plugin;

static const char *const order_names[] = {"forward", "reverse", "random"};
static const char *const bytes_next = "give sizes that fit: duel verifies small matrices as well as large ones";

struct schedule {
    emulated::direction order;
    uint64_t seed;
};

static enum duel_status parse(const char *text, struct schedule *schedule, struct duel_why *why)
{
    const size_t word = strcspn(text, ":");
    *schedule = {emulated::forward, 1};
    if (text[word] == ':') {
        char *end = nullptr;
        schedule->seed = strtoull(text + word + 1, &end, 10);
        if (end == text + word + 1 || *end)
            return duel_fail(why, DUEL_EINVAL, "the same seed gives the same schedule again", "give a whole number",
                             "the seed in %s=%s is no number", DUEL_EMULATED_ORDER, text);
    }
    for (int order = emulated::forward; order <= emulated::randomly; order++)
        if (strncmp(text, order_names[order], word) == 0 && strlen(order_names[order]) == word &&
            (order == emulated::randomly || !text[word])) {
            schedule->order = static_cast<emulated::direction>(order);
            return DUEL_OK;
        }
    return duel_fail(why, DUEL_EINVAL, "the order of blocks and threads decides which mistakes show",
                     "give forward, reverse, random or random:SEED", "%s=%s is no order", DUEL_EMULATED_ORDER, text);
}

/* What open() will set: the environment's word, or what is set already. */
static enum duel_status wanted(struct schedule *schedule, struct duel_why *why)
{
    const char *text = getenv(DUEL_EMULATED_ORDER);
    *schedule = {gpu.order, gpu.seed};
    return text && *text ? parse(text, schedule, why) : DUEL_OK;
}

enum duel_status duel_emulated_order(const char *text, struct duel_why *why)
{
    struct schedule schedule;
    const enum duel_status status = parse(text, &schedule, why);
    if (status == DUEL_OK)
        emulated::schedule_set(schedule.order, schedule.seed);
    return status;
}

static int count(struct duel_why *)
{
    return 1;
}

static void add_text(struct duel_device_info *info, const char *name, const char *text)
{
    struct duel_property *property = &info->property[info->property_count++];
    snprintf(property->name, sizeof property->name, "%s", name);
    snprintf(property->text, sizeof property->text, "%s", text);
}

static void add_number(struct duel_device_info *info, const char *name, double number)
{
    add_text(info, name, "");
    info->property[info->property_count - 1].number = number;
}

static void describe(int, struct duel_device_info *info)
{
    struct schedule schedule;
    *info = {};
    snprintf(info->name, sizeof info->name, "emulated GPU");
    info->usable = wanted(&schedule, &info->why) == DUEL_OK;
    snprintf(info->status, sizeof info->status, "%s", info->usable ? "ready" : "wrong setting");
    info->memory_bytes = emulated::host_memory(false);
    info->memory_free_bytes = emulated::host_memory(true);
    info->compute_capability = gpu.capability;
    info->processors = 1; /* one block runs at a time */
    add_text(info, "order", order_names[schedule.order]);
    if (schedule.order == emulated::randomly)
        add_number(info, "seed", static_cast<double>(schedule.seed));
    add_number(info, "warp_threads", emulated::lanes_per_warp);
    add_number(info, "block_threads_max", emulated::threads_per_block);
    add_number(info, "block_shared_bytes_max", static_cast<double>(gpu.shared_most));
    const void *any = reinterpret_cast<const void *>(&emulated::launch);
    add_text(info, "shared_memory_before_a_block",
             emulated::kernel_find(any)->known ? "filled with NaN" : "left as it was: the plug-in has no symbol table");
    add_text(info, "host_compiler", HOST_COMPILER);
}

static enum duel_status open_device(int, void **device, struct duel_why *why)
{
    struct schedule schedule;
    const enum duel_status status = wanted(&schedule, why);
    if (status == DUEL_OK)
        emulated::schedule_set(schedule.order, schedule.seed);
    if (status == DUEL_OK)
        emulated::host_faults_catch();
    *device = status == DUEL_OK ? &gpu : nullptr;
    return status;
}

static void close_device(void *)
{
    emulated::host_faults_release();
    emulated::memory_release_all();
    emulated::stacks_unmap();
    gpu.prepared = 0;
    gpu.failed = false;
    gpu.refused = gpu.refused_last = cudaSuccess;
}

static enum duel_status alloc(void *, size_t bytes, void **pointer, struct duel_why *why)
{
    const bool sparse = getenv(DUEL_EMULATED_SPARSE) != nullptr;
    const uint64_t available = emulated::host_memory(true);
    *pointer = available == 0 || bytes <= available || sparse ? emulated::memory_allocate(bytes, sparse) : nullptr;
    if (*pointer)
        return DUEL_OK;
    return duel_fail(why, DUEL_ENOMEM, "the emulated GPU's memory is the host's", bytes_next,
                     "%zu bytes needed, %" PRIu64 " bytes free", bytes, available);
}

static void release(void *, void *pointer)
{
    emulated::memory_release(pointer);
}

/* The error of an earlier kernel, or of a range that is no device memory. */
static enum duel_status ready(const char *operation, const void *pointer, size_t bytes, struct duel_why *why)
{
    emulated::host_touch_report();
    if (gpu.failed) {
        if (why)
            *why = gpu.why;
        return DUEL_EDEVICE;
    }
    if (bytes > 0 && !emulated::memory_holds(pointer, bytes))
        return duel_fail(why, DUEL_EDEVICE, "a copy may touch only what was allocated on the device",
                         "compare the sizes of the allocation and of the copy", "%s of %zu bytes at %p", operation,
                         bytes, pointer);
    return DUEL_OK;
}

static enum duel_status fill(void *, void *pointer, int byte, size_t bytes, struct duel_why *why)
{
    const enum duel_status status = ready("fill", pointer, bytes, why);
    if (status == DUEL_OK && bytes > 0)
        emulated::memory_fill(pointer, byte, bytes);
    return status;
}

static enum duel_status upload(void *, void *to, const void *from, size_t bytes, struct duel_why *why)
{
    const enum duel_status status = ready("upload", to, bytes, why);
    if (status == DUEL_OK && bytes > 0)
        emulated::memory_write(to, from, bytes);
    return status;
}

static enum duel_status download(void *, void *to, const void *from, size_t bytes, struct duel_why *why)
{
    const enum duel_status status = ready("download", from, bytes, why);
    if (status == DUEL_OK && bytes > 0)
        emulated::memory_read(to, from, bytes);
    return status;
}

static void *queue(void *)
{
    return nullptr; /* the default stream: work is done when it is given */
}

/* Work of either queue is done when it is given, so there is nothing to select and nothing to wait for; but a mistake
 * in a number must show here as it does on a real GPU. */
static enum duel_status in_range(const char *what, int number, int count, struct duel_why *why)
{
    if (number >= 0 && number < count)
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "a real GPU has none of that number either", "count from 0", "%s %d of %d", what,
                     number, count);
}

static enum duel_status select_queue(void *, int number, struct duel_why *why)
{
    return in_range("queue", number, 2, why);
}

static enum duel_status wait_for(void *, int slot, struct duel_why *why)
{
    return in_range("slot", slot, DUEL_MAX_MARKS, why);
}

static enum duel_status mark(void *, int slot, struct duel_why *why)
{
    return in_range("slot", slot, DUEL_MAX_MARKS, why);
}

static enum duel_status elapsed(void *, int, int, double *, struct duel_why *why)
{
    return duel_fail(why, DUEL_SKIP, "how long a CPU takes to play a GPU says nothing about a GPU",
                     "measure on a real one: --device cuda", "the emulated GPU has no time");
}

static enum duel_status sync(void *, struct duel_why *why)
{
    emulated::host_touch_report();
    if (gpu.failed) {
        if (why)
            *why = gpu.why;
        gpu.failed = false;
        return DUEL_EDEVICE;
    }
    const cudaError_t refused = cudaGetLastError();
    if (refused != cudaSuccess)
        return duel_fail(why, DUEL_EDEVICE, "the kernel did not run, and on a GPU nothing would have told",
                         "ask cudaGetLastError() after each launch", "%s (%s)", cudaGetErrorString(refused),
                         cudaGetErrorName(refused));
    return DUEL_OK;
}

static double now(void *)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

static const struct duel_backend backend = {
    .name = "emulated",
    .emulated = true,
    .count = count,
    .describe = describe,
    .open = open_device,
    .close = close_device,
    .alloc = alloc,
    .release = release,
    .fill = fill,
    .upload = upload,
    .download = download,
    .queue = queue,
    .mark = mark,
    .elapsed = elapsed,
    .sync = sync,
    .now = now,
    .select = select_queue,
    .wait = wait_for,
};

const struct duel_plugin *duel_plugin()
{
    static const struct duel_plugin plugin = {DUEL_ABI, &backend, gpu_impl_table, gpu_absence_table, HOST_COMPILER};
    return &plugin;
}
