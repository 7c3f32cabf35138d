/* trace_cost.cc: sectors and bank conflicts of one request (CUDA C++ programming guide, "Compute Capabilities": global
 * memory and shared memory, the same for 5.x and all later ones). */
#include "gpu/emulator/hooked/trace.h"

#include <algorithm>

namespace emulated
{

static constexpr uintptr_t sector_bytes = 32, bank_bytes = 4;
static constexpr unsigned int banks = 32;

/* Numbers of the pieces of `piece` bytes that the lanes touch, sorted, each once. An access of 16 bytes reaches into at
 * most two sectors, or 16 pieces of a byte. */
template <size_t Most> static unsigned int pieces(const warp_request &r, uintptr_t piece, uintptr_t (&list)[Most])
{
    unsigned int count = 0;
    bool sorted = true;
    for (unsigned int lane = 0; lane < trace_lanes; lane++) {
        if (!(r.lanes >> lane & 1U))
            continue;
        const uintptr_t last = (r.address[lane] + r.bytes - 1) / piece;
        for (uintptr_t at = r.address[lane] / piece; at <= last && count < Most; at++) {
            if (count > 0 && list[count - 1] == at)
                continue;
            sorted = sorted && (count == 0 || list[count - 1] < at);
            list[count++] = at;
        }
    }
    if (!sorted)
        std::sort(list, list + count);
    return static_cast<unsigned int>(std::unique(list, list + count) - list);
}

unsigned int sectors_touched(const warp_request &r)
{
    uintptr_t list[2 * trace_lanes];
    return pieces(r, sector_bytes, list);
}

unsigned int sectors_packed(const warp_request &r)
{
    /* Whole accesses are counted as one where all are aligned, which a GPU demands: a word of their own size each. */
    uintptr_t list[2 * trace_lanes];
    const uintptr_t bytes = pieces(r, r.bytes, list) * static_cast<uintptr_t>(r.bytes);
    return static_cast<unsigned int>((bytes + sector_bytes - 1) / sector_bytes);
}

static unsigned int lanes_together(uint32_t bytes)
{
    return bytes <= 4 ? trace_lanes : bytes == 8 ? trace_lanes / 2 : trace_lanes / 4;
}

/* Rounds for the lanes from `first` on that come together. */
static unsigned int rounds_of_group(const warp_request &r, unsigned int first, unsigned int count, bool atomic)
{
    uintptr_t word[banks][trace_lanes];
    unsigned int words[banks] = {}, most = 0;
    for (unsigned int lane = first; lane < first + count; lane++) {
        if (!(r.lanes >> lane & 1U))
            continue;
        const uintptr_t last = (r.address[lane] + r.bytes - 1) / bank_bytes;
        for (uintptr_t at = r.address[lane] / bank_bytes; at <= last; at++) {
            const unsigned int bank = static_cast<unsigned int>(at % banks);
            uintptr_t *const end = word[bank] + words[bank];
            if (words[bank] == trace_lanes || (!atomic && std::find(word[bank], end, at) != end))
                continue;
            *end = at;
            most = std::max(most, ++words[bank]);
        }
    }
    return most;
}

unsigned int rounds_needed(const warp_request &r, bool atomic)
{
    const unsigned int together = lanes_together(r.bytes);
    unsigned int rounds = 0;
    for (unsigned int first = 0; first < trace_lanes; first += together)
        rounds += rounds_of_group(r, first, together, atomic);
    return rounds;
}

unsigned int rounds_free(const warp_request &r)
{
    const unsigned int together = lanes_together(r.bytes);
    const uint32_t group = together == trace_lanes ? 0xffffffffU : (1U << together) - 1;
    unsigned int rounds = 0;
    for (unsigned int first = 0; first < trace_lanes; first += together)
        rounds += (r.lanes >> first & group) != 0;
    return rounds;
}

} // namespace emulated
