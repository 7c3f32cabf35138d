/* cpu/device.c: the CPU as a back end. Host memory is device memory, so copies and their phases do not exist; the queue
 * is the caller itself, so work is done when run() returns; the clock is CLOCK_MONOTONIC_RAW, which NTP does not bend.
 */
#include "cpu/device.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static int count(struct duel_why *why)
{
    (void)why;
    return 1;
}

/* ---- memory ----------------------------------------------------------------------------------------------- */

/* Every access to a fresh page enters the kernel; with 4 KiB pages a matrix of 1 GiB does so 262144 times, and its
 * addresses overflow the TLB. Blocks of a few huge pages or more start on one and ask for them. */
#define HUGE_PAGE ((size_t)2 << 20)
#define SMALL_PAGE ((size_t)4096)

/* From the threads that will use them: on a machine with several memory nodes a page lies at the node whose thread
 * touched it first. */
void cpu_touch(char *block, size_t bytes)
{
    const int64_t pages = (int64_t)((bytes + SMALL_PAGE - 1) / SMALL_PAGE);
    const int threads = cpu_usable(NULL, 0); /* of this machine, whatever OMP_NUM_THREADS says */
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t page = 0; page < pages; page++)
        *(volatile char *)(block + (size_t)page * SMALL_PAGE) = 0;
}

static enum duel_status no_memory(struct duel_why *why, size_t bytes)
{
    return duel_fail(why, DUEL_ENOMEM, "swapping would be measured instead of the CPU",
                     "give a smaller --n or --shape, or close other programs",
                     "%.3f GiB are needed and %.3f GiB are free", (double)bytes / 0x1p30,
                     (double)cpu_memory_bytes("MemAvailable") / 0x1p30);
}

enum duel_status cpu_reserve(size_t bytes, void **pointer, struct duel_why *why)
{
    const bool large = bytes >= 2 * HUGE_PAGE;
    const size_t align = large ? HUGE_PAGE : 64; /* 64: a cache line, and the widest vector */
    *pointer = NULL;
    if (bytes > SIZE_MAX - align)
        return no_memory(why, bytes);
    /* Linux promises more memory than there is and ends the program that believes it: ask first. */
    const uint64_t available = large ? cpu_memory_bytes("MemAvailable") : 0;
    if (available > 0 && bytes > available)
        return no_memory(why, bytes);
    size_t size = bytes > 0 ? (bytes + align - 1) / align * align : align;
    *pointer = aligned_alloc(align, size);
    if (!*pointer)
        return no_memory(why, bytes);
    if (large)
        (void)madvise(*pointer, size, MADV_HUGEPAGE); /* advice: where it is refused, small pages do */
    return DUEL_OK;
}

static enum duel_status alloc(void *device, size_t bytes, void **pointer, struct duel_why *why)
{
    (void)device;
    const enum duel_status status = cpu_reserve(bytes, pointer, why);
    if (status == DUEL_OK)
        cpu_touch(*pointer, bytes);
    return status;
}

static void release(void *device, void *pointer)
{
    (void)device;
    free(pointer);
}

static enum duel_status fill(void *device, void *pointer, int byte, size_t bytes, struct duel_why *why)
{
    (void)device;
    (void)why;
    memset(pointer, byte, bytes);
    return DUEL_OK;
}

/* ---- queue and clock -------------------------------------------------------------------------------------- */

/* The threads of the process are started here, once, so that their start hides in no measurement: touching one byte
 * needs a whole team. */
static enum duel_status open_device(int index, void **device, struct duel_why *why)
{
    char byte[1];
    *device = index == 0 ? calloc(1, sizeof(struct cpu_device)) : NULL;
    if (*device) {
        cpu_touch(byte, sizeof byte);
        return DUEL_OK;
    }
    return duel_fail(why, index == 0 ? DUEL_ENOMEM : DUEL_EINVAL, "nothing can run on it", "use --device cpu",
                     "CPU device %d could not be opened", index);
}

static void close_device(void *device)
{
    struct cpu_device *cpu = device;
    if (cpu)
        free(cpu->flush_buffer);
    free(cpu);
}

double cpu_now(void *device)
{
    (void)device;
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static enum duel_status mark(void *device, int slot, struct duel_why *why)
{
    if (slot < 0 || slot >= DUEL_MAX_MARKS)
        return duel_fail(why, DUEL_EINVAL, "no time was taken", "use slots 0 to 7", "mark %d", slot);
    ((struct cpu_device *)device)->mark[slot] = cpu_now(device);
    return DUEL_OK;
}

static enum duel_status elapsed(void *device, int from, int to, double *seconds, struct duel_why *why)
{
    const struct cpu_device *cpu = device;
    if (from < 0 || from >= DUEL_MAX_MARKS || to < 0 || to >= DUEL_MAX_MARKS)
        return duel_fail(why, DUEL_EINVAL, "no time can be told", "use slots 0 to 7", "marks %d and %d", from, to);
    *seconds = cpu->mark[to] - cpu->mark[from];
    return DUEL_OK;
}

static enum duel_status drain(void *device, struct duel_why *why)
{
    (void)device;
    (void)why;
    return DUEL_OK;
}

extern const struct duel_backend cpu_backend;
const struct duel_backend cpu_backend = {
    .name = "cpu",
    .count = count,
    .describe = cpu_describe,
    .open = open_device,
    .close = close_device,
    .alloc = alloc,
    .release = release,
    .fill = fill,
    .mark = mark,
    .elapsed = elapsed,
    .sync = drain,
    .now = cpu_now,
    .flush = cpu_flush,
    .peak = cpu_peak,
    .bandwidth = cpu_bandwidth,
};
