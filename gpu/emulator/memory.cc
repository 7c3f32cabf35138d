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

unsigned char *memory_allocate(size_t bytes)
{
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t aligned = (bytes + alignment - 1) / alignment * alignment;
    const size_t pages = (aligned + page - 1) / page * page;
    if (aligned < bytes || pages < aligned || pages + 2 * guard_bytes < pages)
        return nullptr;
    void *map = mmap(nullptr, pages + 2 * guard_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return nullptr;
    allocation a = {nullptr, bytes, static_cast<unsigned char *>(map), pages + 2 * guard_bytes, "", 0, nullptr};
    if (pages > 0 && mprotect(inner(&a), pages, PROT_READ | PROT_WRITE) != 0) {
        munmap(map, a.map_bytes);
        return nullptr;
    }
    a.pointer = inner_end(&a) - aligned;
    memset(inner(&a), slack_pattern, static_cast<size_t>(a.pointer - inner(&a)));
    memset(a.pointer, unwritten, bytes);
    memset(a.pointer + bytes, slack_pattern, aligned - bytes);
    gpu.allocations[reinterpret_cast<uintptr_t>(a.pointer)] = a;
    if (gpu.watching)
        gpu.watching->allocated(a);
    return a.pointer;
}

void memory_release(void *pointer)
{
    const auto found = gpu.allocations.find(reinterpret_cast<uintptr_t>(pointer));
    if (found == gpu.allocations.end())
        return;
    munmap(found->second.map, found->second.map_bytes);
    gpu.allocations.erase(found);
}

static void wrote(const void *pointer, size_t bytes)
{
    if (gpu.watching)
        gpu.watching->host_wrote(pointer, bytes);
}

void memory_fill(void *pointer, int byte, size_t bytes)
{
    memset(pointer, byte, bytes);
    wrote(pointer, bytes);
}

void memory_write(void *pointer, const void *from, size_t bytes)
{
    memcpy(pointer, from, bytes);
    wrote(pointer, bytes);
}

void memory_read(void *to, const void *pointer, size_t bytes)
{
    memcpy(to, pointer, bytes);
}

void memory_release_all()
{
    while (!gpu.allocations.empty())
        memory_release(gpu.allocations.begin()->second.pointer);
}

const allocation *memory_near(const void *address)
{
    const unsigned char *byte = static_cast<const unsigned char *>(address);
    for (const auto &entry : gpu.allocations)
        if (byte >= entry.second.map && byte < entry.second.map + entry.second.map_bytes)
            return &entry.second;
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
        unsigned char *const end = a->pointer + a->bytes;
        const unsigned char *after = damage(end, inner_end(a)), *before = damage(inner(a), a->pointer);
        if (found || (after == inner_end(a) && before == a->pointer))
            continue;
        found = a;
        *offset = after < inner_end(a) ? after - end : before - a->pointer;
    }
    return found;
}

} // namespace emulated
