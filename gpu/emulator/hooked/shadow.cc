/* shadow.cc: where shadow cells come from. */
#include "gpu/emulator/hooked/shadow.h"

#include <algorithm>
#include <sys/mman.h>

namespace emulated
{

template <typename T> static T *map(size_t count)
{
    void *memory =
        mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<T *>(memory);
}

shadow::shadow(const unsigned char *start_, size_t bytes_, bool shared_, const std::string &name_)
    : start(start_), bytes(bytes_), shared(shared_), name(name_), element_bytes(0), cells(nullptr), states(nullptr),
      count(bytes_ / cell_bytes + 1)
{
    states = map<shadow_state>(count);
    cells = states ? map<shadow_cell>(count) : nullptr;
}

shadow::~shadow()
{
    if (cells)
        munmap(cells, count * sizeof *cells);
    if (states)
        munmap(states, count * sizeof *states);
}

void shadow::initialise(const unsigned char *from, size_t wanted)
{
    const unsigned char *const end = from + wanted;
    for (; from < end && (from - start) % cell_bytes != 0; from++)
        states[cell_of(from)].initialised |= 1U << (from - start) % cell_bytes;
    const size_t whole = static_cast<size_t>(end - from) / cell_bytes;
    const shadow_state all = {(1U << cell_bytes) - 1, 0, 0};
    std::fill_n(&states[cell_of(from)], whole, all);
    for (from += whole * cell_bytes; from < end; from++)
        states[cell_of(from)].initialised |= 1U << (from - start) % cell_bytes;
}

shadow *shadow_of(const allocation *memory, bool fresh)
{
    std::shared_ptr<void> *kept = &gpu.allocations[reinterpret_cast<uintptr_t>(memory->pointer)].shadow;
    if (!*kept) {
        const auto made = std::make_shared<shadow>(memory->pointer, memory->bytes, false, memory->name);
        if (made->cells && !fresh)
            made->initialise(memory->pointer, memory->bytes);
        *kept = made;
    }
    shadow *found = static_cast<shadow *>(kept->get());
    if (found->name != memory->name) {
        found->name = memory->name;
        found->element_bytes = memory->element_bytes;
    }
    return found->cells ? found : nullptr;
}

/* Arrays of all kernels that have run, by address; and those of the kernel that runs. */
static std::map<const unsigned char *, std::unique_ptr<shadow>> arrays;
static std::vector<shadow *> current;

static void add(const unsigned char *start, size_t bytes, const std::string &name)
{
    std::unique_ptr<shadow> *kept = &arrays[start];
    if (!*kept || (*kept)->bytes != bytes)
        *kept = std::make_unique<shadow>(start, bytes, true, name);
    if ((*kept)->cells)
        current.push_back(kept->get());
}

void shadow_prepare_shared()
{
    current.clear();
    for (const shared_array &array : gpu.facts->shared)
        add(array.pointer, array.bytes, array.name);
    if (gpu.dynamic)
        add(gpu.dynamic, gpu.launch->shared_bytes, "dynamic shared memory");
}

shadow *shadow_of_shared(const unsigned char *address)
{
    for (shadow *array : current)
        if (array->holds(address, 1))
            return array;
    return nullptr;
}

shadow *shadow_near_shared(const unsigned char *address)
{
    constexpr ptrdiff_t page = 4096;
    shadow *nearest = nullptr;
    ptrdiff_t least = page + 1;
    for (shadow *array : current) {
        const ptrdiff_t before = array->start - address;
        const ptrdiff_t past = address - (array->start + array->bytes) + 1;
        const ptrdiff_t distance = std::max(before, past);
        if (distance < least) {
            least = distance;
            nearest = array;
        }
    }
    return nearest;
}

} // namespace emulated
