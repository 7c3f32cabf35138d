/* hook.cc: the functions that instrumented kernel files call. clang inserts the calls (-fsanitize-coverage, see
 * scripts/build/hooked.mk); their names and arguments are clang's. */
#include "gpu/emulator/hooked/hook.h"

#include "gpu/emulator/machine.h"

#include <cstdlib>

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
    return near && near->pointer != gpu.dynamic ? space_global : space_elsewhere;
}

static void tell(const void *pointer, uint32_t bytes, access_kind kind, uintptr_t pc)
{
    if (!gpu.running || !gpu.watching || gpu.leading) /* functions of the host stand in the same files */
        return;
    const unsigned char *address = static_cast<const unsigned char *>(pointer);
    gpu.watching->access({pc, address, bytes, kind, space_of(address)});
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
