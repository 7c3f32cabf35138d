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

shadow::shadow(const unsigned char *start_, size_t bytes_, const allocation *origin_, const std::string &name_)
    : start(start_), bytes(bytes_), origin(origin_), name(name_), shift(3), cells(nullptr), states(nullptr)
{
    states = map<shadow_state>(count());
    cells = states ? map<shadow_cell>(count()) : nullptr;
}

shadow::~shadow()
{
    if (cells)
        munmap(cells, count() * sizeof *cells);
    if (states)
        munmap(states, count() * sizeof *states);
}

/* Each half inherits what was known of the whole. Without memory for that, the checker forgets this stretch. */
void shadow::split()
{
    const size_t before = count();
    shadow_cell *const whole = cells;
    shadow_state *const whole_states = states;
    shift--;
    states = map<shadow_state>(count());
    cells = states ? map<shadow_cell>(count()) : nullptr;
    for (size_t i = 0; cells && i < count(); i++) {
        states[i] = whole_states[i / 2];
        if (whole[i / 2].write.block != 0 || whole[i / 2].read[0].block != 0)
            cells[i] = whole[i / 2];
    }
    munmap(whole, before * sizeof *whole);
    munmap(whole_states, before * sizeof *whole_states);
}

void shadow::fit(const unsigned char *from, size_t wanted)
{
    const size_t places = static_cast<size_t>(from - start) | wanted;
    while (cells && shift > 0 && (places & ((static_cast<size_t>(1) << shift) - 1)) != 0)
        split();
}

void shadow::initialise(const unsigned char *from, size_t wanted)
{
    fit(from, wanted);
    if (cells)
        std::fill_n(&states[cell_of(from)], wanted >> shift, shadow_state{true, false, false});
}

shadow *shadow_of(const allocation *memory, bool fresh)
{
    if (!memory->shadow) {
        const auto made = std::make_shared<shadow>(memory->pointer, memory->bytes, memory, "");
        if (made->cells && !fresh)
            made->initialise(memory->pointer, memory->bytes);
        memory->shadow = made;
    }
    shadow *found = static_cast<shadow *>(memory->shadow.get());
    return found->cells ? found : nullptr;
}

/* Arrays of all kernels that have run, by address; and those of the kernel that runs. */
static std::map<const unsigned char *, std::unique_ptr<shadow>> arrays;
static std::vector<shadow *> current;

static void add(const unsigned char *start, size_t bytes, const std::string &name)
{
    std::unique_ptr<shadow> *kept = &arrays[start];
    if (!*kept || (*kept)->bytes != bytes)
        *kept = std::make_unique<shadow>(start, bytes, nullptr, name);
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
    for (const shared_array &array : gpu.facts->shared) /* one that has come since */
        if (address >= array.pointer && address < array.pointer + array.bytes) {
            add(array.pointer, array.bytes, array.name);
            return !current.empty() && current.back()->start == array.pointer ? current.back() : nullptr;
        }
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
