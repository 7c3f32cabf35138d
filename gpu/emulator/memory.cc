/* memory.cc: device memory. Each allocation stands between two wide areas that may not be touched, as close to the
 * upper one as CUDA's alignment of 256 bytes lets it, so that an index past its end faults at once. The bytes that the
 * alignment leaves over, and those in front up to a page, hold a pattern that is checked after every kernel. */
#include "gpu/emulator/machine.h"

#include <cinttypes>
#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>

namespace emulated
{

static constexpr size_t alignment = 256;
static constexpr size_t guard_bytes = static_cast<size_t>(4) << 20; /* a whole row too far still lands here */
static constexpr unsigned char slack_pattern = 0xa5;

uint64_t host_memory(bool available)
{
    const char *wanted = available ? "MemAvailable: %" SCNu64 " kB" : "MemTotal: %" SCNu64 " kB";
    uint64_t kib = 0;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && kib == 0 && fgets(line, sizeof line, file))
        if (sscanf(line, wanted, &kib) != 1)
            kib = 0;
    if (file)
        fclose(file);
    return kib * 1024;
}

static unsigned char *inner(const allocation *a)
{
    return a->map + guard_bytes;
}

static unsigned char *inner_end(const allocation *a)
{
    return a->map + a->map_bytes - guard_bytes;
}

/* Memory that is there twice: at `inner`, for kernels and closed, and at the returned address, for the machine. Where
 * that cannot be had there is one for both, and it stays open. NULL without memory. */
static unsigned char *map_twice(unsigned char *inner, size_t bytes)
{
    void *alias = MAP_FAILED;
    const int file = memfd_create("device memory", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) == 0)
        alias = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (alias != MAP_FAILED && mmap(inner, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
        munmap(alias, bytes);
        alias = MAP_FAILED;
    }
    if (file >= 0)
        close(file);
    if (alias != MAP_FAILED)
        return static_cast<unsigned char *>(alias);
    return mprotect(inner, bytes, PROT_READ | PROT_WRITE) == 0 ? inner : nullptr;
}

static unsigned char *seen(const allocation *a, unsigned char *pointer)
{
    return pointer + a->alias;
}

static unsigned char *insert(allocation *a, size_t aligned, size_t pages, bool sparse)
{
    unsigned char *alias = pages > 0 ? map_twice(inner(a), pages) : inner(a);
    if (!alias) {
        munmap(a->map, a->map_bytes);
        return nullptr;
    }
    a->alias = alias - inner(a);
    a->pointer = inner_end(a) - aligned;
    memset(alias, slack_pattern, static_cast<size_t>(a->pointer - inner(a)));
    if (!sparse)
        memset(seen(a, a->pointer), unwritten, a->bytes);
    memset(seen(a, a->pointer) + a->bytes, slack_pattern, aligned - a->bytes);
    const allocation *kept = &(gpu.allocations[reinterpret_cast<uintptr_t>(a->pointer)] = *a);
    if (gpu.watching)
        gpu.watching->allocated(*kept);
    return a->pointer;
}

unsigned char *memory_allocate(size_t bytes, bool sparse)
{
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t aligned = (bytes + alignment - 1) / alignment * alignment;
    const size_t pages = (aligned + page - 1) / page * page;
    if (aligned < bytes || pages < aligned || pages + 2 * guard_bytes < pages)
        return nullptr;
    void *map = mmap(nullptr, pages + 2 * guard_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return nullptr;
    allocation a = {nullptr, bytes, static_cast<unsigned char *>(map), pages + 2 * guard_bytes, "", 0, nullptr, 0};
    return insert(&a, aligned, pages, sparse);
}

void memory_release(void *pointer)
{
    const auto found = gpu.allocations.find(reinterpret_cast<uintptr_t>(pointer));
    if (found == gpu.allocations.end())
        return;
    const allocation *a = &found->second;
    if (a->alias != 0)
        munmap(seen(a, inner(a)), static_cast<size_t>(inner_end(a) - inner(a)));
    munmap(a->map, a->map_bytes);
    gpu.allocations.erase(found);
    gpu.recent = nullptr;
}

void memory_open(bool open)
{
    for (const auto &entry : gpu.allocations) {
        const allocation *a = &entry.second;
        if (a->alias != 0)
            mprotect(inner(a), static_cast<size_t>(inner_end(a) - inner(a)), open ? PROT_READ | PROT_WRITE : PROT_NONE);
    }
}

/* Where the machine sees what a copy or a fill is about. */
static unsigned char *seen_by_us(const void *pointer)
{
    const allocation *a = memory_near(pointer);
    return const_cast<unsigned char *>(static_cast<const unsigned char *>(pointer)) + (a ? a->alias : 0);
}

static void wrote(const void *pointer, size_t bytes)
{
    if (gpu.watching)
        gpu.watching->host_wrote(pointer, bytes);
}

void memory_fill(void *pointer, int byte, size_t bytes)
{
    memset(seen_by_us(pointer), byte, bytes);
    wrote(pointer, bytes);
}

void memory_write(void *pointer, const void *from, size_t bytes)
{
    memcpy(seen_by_us(pointer), from, bytes);
    wrote(pointer, bytes);
}

void memory_read(void *to, const void *pointer, size_t bytes)
{
    memcpy(to, seen_by_us(pointer), bytes);
}

void memory_release_all()
{
    while (!gpu.allocations.empty())
        memory_release(gpu.allocations.begin()->second.pointer);
}

const allocation *memory_near(const void *address)
{
    const unsigned char *byte = static_cast<const unsigned char *>(address);
    if (gpu.recent && static_cast<size_t>(byte - gpu.recent->map) < gpu.recent->map_bytes)
        return gpu.recent;
    for (const auto &entry : gpu.allocations)
        if (byte >= entry.second.map && byte < entry.second.map + entry.second.map_bytes)
            return gpu.recent = &entry.second;
    return nullptr;
}

bool memory_holds(const void *address, size_t bytes)
{
    const allocation *a = memory_near(address);
    const unsigned char *byte = static_cast<const unsigned char *>(address);
    return a && byte >= a->pointer && byte <= a->pointer + a->bytes &&
           bytes <= static_cast<size_t>(a->pointer + a->bytes - byte);
}

/* First byte of [from, to) that is not the pattern, or `to`; the pattern is put back. */
static unsigned char *damage(unsigned char *from, unsigned char *to)
{
    unsigned char *first = to;
    for (unsigned char *byte = from; byte < to; byte++)
        if (*byte != slack_pattern) {
            first = first == to ? byte : first;
            *byte = slack_pattern;
        }
    return first;
}

const allocation *memory_damaged(ptrdiff_t *offset)
{
    const allocation *found = nullptr;
    for (const auto &entry : gpu.allocations) {
        const allocation *a = &entry.second;
        unsigned char *const start = seen(a, a->pointer), *const end = start + a->bytes;
        unsigned char *const last = seen(a, inner_end(a));
        const unsigned char *after = damage(end, last), *before = damage(seen(a, inner(a)), start);
        if (found || (after == last && before == start))
            continue;
        found = a;
        *offset = after < last ? after - end : before - start;
    }
    return found;
}

} // namespace emulated
