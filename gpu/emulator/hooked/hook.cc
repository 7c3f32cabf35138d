/* hook.cc: the functions that instrumented kernel files call. clang inserts the calls (-fsanitize-coverage, see
 * scripts/build/hooked.mk); their names and arguments are clang's. */
#include "gpu/emulator/hooked/hook.h"

#include "gpu/emulator/machine.h"

#include <cstdlib>
#include <cstring>

namespace emulated
{

static hook_counts counts;

hook_counts hooks_counted()
{
    return counts;
}

void hooks_clear()
{
    counts = {};
}

static memory_space space_of(const unsigned char *address)
{
    if (stacks_hold(address))
        return space_local;
    if (gpu.dynamic && address - gpu.dynamic < static_cast<ptrdiff_t>(gpu.launch->shared_bytes) &&
        address >= gpu.dynamic)
        return space_shared;
    for (const shared_array &array : gpu.facts->shared)
        if (address >= array.pointer && address < array.pointer + array.bytes)
            return space_shared;
    const allocation *near = memory_near(address);
    if (!near && kernel_touches(gpu.facts, address))
        return space_shared;
    return near && near->pointer != gpu.dynamic ? space_global : space_elsewhere;
}

static void tell(const void *pointer, uint32_t bytes, access_kind kind, uintptr_t pc, bool later = false)
{
    if (!gpu.running || !gpu.watching || gpu.leading) /* functions of the host stand in the same files */
        return;
    const unsigned char *address = static_cast<const unsigned char *>(pointer);
    gpu.watching->access({pc, address, bytes, kind, space_of(address), later});
}

/* A copy of a whole struct is one call here. A GPU's compiler moves its members one by one; they are mostly floats. */
static void tell_all(const void *pointer, size_t bytes, size_t places, access_kind kind, uintptr_t pc)
{
    const size_t uneven = (places | bytes) % 4;
    const uint32_t piece = uneven == 0 ? 4 : uneven == 2 ? 2 : 1;
    const unsigned char *byte = static_cast<const unsigned char *>(pointer);
    uint64_t *const counter = kind == access_load ? &counts.loads : &counts.stores;
    for (size_t at = 0; gpu.running && at < bytes; at += piece) {
        ++*counter;
        tell(byte + at, piece, kind, pc, at > 0);
    }
}

void atomic_access(const void *pointer, unsigned int bytes, const void *pc)
{
    counts.atomics++;
    tell(pointer, bytes, access_atomic, reinterpret_cast<uintptr_t>(pc));
}

} // namespace emulated

using emulated::counts;
using emulated::gpu;

#define RETURN_ADDRESS reinterpret_cast<uintptr_t>(__builtin_return_address(0))
#define HOOK extern "C" __attribute__((visibility("hidden"))) void

#define ACCESS_HOOKS(bytes)                                                     \
    HOOK __sanitizer_cov_load##bytes(const void *address);                      \
    HOOK __sanitizer_cov_load##bytes(const void *address)                       \
    {                                                                           \
        counts.loads += gpu.running != nullptr;                                 \
        emulated::tell(address, bytes, emulated::access_load, RETURN_ADDRESS);  \
    }                                                                           \
    HOOK __sanitizer_cov_store##bytes(const void *address);                     \
    HOOK __sanitizer_cov_store##bytes(const void *address)                      \
    {                                                                           \
        counts.stores += gpu.running != nullptr;                                \
        emulated::tell(address, bytes, emulated::access_store, RETURN_ADDRESS); \
    }
ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)
ACCESS_HOOKS(16)

static size_t place(const void *pointer)
{
    return reinterpret_cast<uintptr_t>(pointer);
}

#define COPY_HOOK(name)                                                                 \
    HOOK *duel_hooked_##name(void *to, const void *from, size_t bytes);                 \
    HOOK *duel_hooked_##name(void *to, const void *from, size_t bytes)                  \
    {                                                                                   \
        const size_t places = place(to) | place(from);                                  \
        emulated::tell_all(from, bytes, places, emulated::access_load, RETURN_ADDRESS); \
        emulated::tell_all(to, bytes, places, emulated::access_store, RETURN_ADDRESS);  \
        return name(to, from, bytes);                                                   \
    }
COPY_HOOK(memcpy)
COPY_HOOK(memmove)

HOOK *duel_hooked_memset(void *to, int byte, size_t bytes);
HOOK *duel_hooked_memset(void *to, int byte, size_t bytes)
{
    emulated::tell_all(to, bytes, place(to), emulated::access_store, RETURN_ADDRESS);
    return memset(to, byte, bytes);
}

/* A struct that is passed by value may be read where it lies, by no load and no copy that clang knows of. */
HOOK duel_hooked_loadN(const void *address, size_t bytes);
HOOK duel_hooked_loadN(const void *address, size_t bytes)
{
    emulated::tell_all(address, bytes, place(address), emulated::access_load, RETURN_ADDRESS);
}

/* clang's pass for AddressSanitizer puts those calls in, and two of its own: at the start of a program, and before what
 * does not return. */
#ifndef EMULATED_ASAN
HOOK __asan_init();
HOOK __asan_init()
{
}
HOOK __asan_handle_no_return();
HOOK __asan_handle_no_return()
{
}
#endif

HOOK __sanitizer_cov_trace_pc();
HOOK __sanitizer_cov_trace_pc()
{
    if (!gpu.running)
        return;
    counts.basic_blocks++;
    if (gpu.watching && !gpu.leading)
        gpu.watching->basic_block(RETURN_ADDRESS);
}

/* What clang keeps beside a bounds check: where it stands and the array's type. */
struct bounds_check {
    const char *file;
    uint32_t line, column;
    const struct type_words {
        uint16_t kind, info;
        char name[1];
    } * array, *index;
};

HOOK __ubsan_handle_out_of_bounds(const bounds_check *where, uintptr_t index);
HOOK __ubsan_handle_out_of_bounds(const bounds_check *where, uintptr_t index)
{
    if (!gpu.running)
        abort(); /* a mistake in the machine itself */
    emulated::failure_is("outside of an array", where->file, static_cast<int>(where->line));
    emulated::misuse("compare the index with the extent of the array, or make the array larger",
                     "index %lld of an array of type %s at %s:%u", static_cast<long long>(index), where->array->name,
                     emulated::base_name(where->file), where->line);
}
