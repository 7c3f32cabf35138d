/* async.cc: asynchronous copies, each done as late as CUDA allows: at the wait. A kernel that reads its tile before
 * finds NaN there. */
#include "gpu/emulator/machine.h"

#include <cstring>

namespace emulated
{

static void tell(const void *address, uint32_t bytes, access_kind kind, memory_space space, const void *pc)
{
    if (gpu.watching && bytes > 0)
        gpu.watching->access(
            {reinterpret_cast<uintptr_t>(pc), static_cast<const unsigned char *>(address), bytes, kind, space});
}

void async_copy(void *shared, const void *global, unsigned int bytes, unsigned int zeros, const char *file, int line)
{
    const void *pc = __builtin_return_address(0);
    const bool sized = bytes == 4 || bytes == 8 || bytes == 16;
    const auto both = reinterpret_cast<uintptr_t>(shared) | reinterpret_cast<uintptr_t>(global);
    if (!sized || both % bytes != 0 || zeros > bytes)
        failure_is("misuse of an asynchronous copy", file, line);
    if (!sized)
        misuse("copy 4, 8 or 16 bytes", "asynchronous copy of %u bytes at %s:%d", bytes, base_name(file), line);
    if (both % bytes != 0)
        misuse("align both sides to the size of the copy: __align__(16) and a leading dimension that keeps it",
               "asynchronous copy of %u bytes at %s:%d from %p to %p, which are not both aligned to that", bytes,
               base_name(file), line, global, shared);
    if (zeros > bytes)
        misuse("fill at most the whole copy with zeros", "asynchronous copy of %u bytes at %s:%d, %u of them zeros",
               bytes, base_name(file), line, zeros);
    tell(global, bytes - zeros, access_load, space_global, pc);
    tell(shared, bytes, access_pending, space_shared, pc);
    memset(shared, unwritten, bytes);
    gpu.running->copies.push_back({shared, global, bytes - zeros, zeros, gpu.running->batch, pc});
}

void async_commit()
{
    gpu.running->batch++;
}

/* Does the running thread's copies of batches before `end`. They stand in the order of their batches. */
static void perform(uint32_t end)
{
    std::vector<async_request> *copies = &gpu.running->copies;
    size_t done = 0;
    for (; done < copies->size() && (*copies)[done].batch < end; done++) {
        const async_request &c = (*copies)[done];
        tell(c.shared, c.bytes + c.zeros, access_store, space_shared, c.pc);
        memcpy(c.shared, c.global, c.bytes);
        memset(static_cast<unsigned char *>(c.shared) + c.bytes, 0, c.zeros);
    }
    copies->erase(copies->begin(), copies->begin() + static_cast<ptrdiff_t>(done));
}

void async_wait(unsigned int prior)
{
    if (gpu.running->batch > prior)
        perform(gpu.running->batch - prior);
}

void async_wait_all()
{
    perform(gpu.running->batch + 1);
}

} // namespace emulated
