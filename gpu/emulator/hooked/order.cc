/* order.cc: epochs, clocks and what atomics hand on. */
#include "gpu/emulator/hooked/order.h"

#include <cstring>

namespace emulated
{

/* A block that handed on its writes through an atomic: all that it did up to this epoch. */
struct hand_over {
    uint32_t block, epoch;
};

/* Numbers go on from launch to launch, so that nothing in shadow memory must be cleared. They start at 1. */
static struct {
    uint32_t block, first_block; /* the block that runs, and the first of its launch */
    uint32_t epoch;
    bool fenced;
    uint32_t clock[threads_per_block];                 /* own */
    uint32_t known[threads_per_block][lanes_per_warp]; /* of the lanes of its warp: all before this is ordered */
    std::vector<uint3> index;                          /* of the blocks of this launch */
    std::map<const unsigned char *, std::vector<hand_over>> left; /* at the targets of atomics */
    std::map<uint32_t, uint32_t> taken;                           /* by the block that runs: block, epoch */
} now;

void order_kernel_begins()
{
    now.first_block = now.block + 1;
    now.index.clear();
    now.left.clear();
}

void order_block_begins()
{
    now.block++;
    now.epoch++;
    now.fenced = false;
    now.taken.clear();
    now.index.push_back(gpu.block_index);
    memset(now.clock, 0, gpu.thread_count * sizeof now.clock[0]);
    memset(now.known, 0, gpu.thread_count * sizeof now.known[0]);
}

void order_block()
{
    now.epoch++;
}

void order_lanes(unsigned int warp_number, uint32_t lanes)
{
    const unsigned int first = warp_number * lanes_per_warp;
    uint32_t joined[lanes_per_warp] = {};
    for (unsigned int lane = 0; lane < lanes_per_warp; lane++) {
        if (!(lanes >> lane & 1U))
            continue;
        for (unsigned int other = 0; other < lanes_per_warp; other++)
            joined[other] = std::max(joined[other], now.known[first + lane][other]);
        joined[lane] = ++now.clock[first + lane];
    }
    for (unsigned int lane = 0; lane < lanes_per_warp; lane++)
        if (lanes >> lane & 1U)
            memcpy(now.known[first + lane], joined, sizeof joined);
}

void order_fence()
{
    now.fenced = true;
}

void order_atomic(const unsigned char *address)
{
    std::vector<hand_over> *left = &now.left[address];
    for (const hand_over &other : *left)
        if (other.block != now.block)
            now.taken[other.block] = std::max(now.taken[other.block], other.epoch);
    if (!now.fenced)
        return;
    if (left->empty() || left->back().block != now.block)
        left->push_back({now.block, now.epoch});
    left->back().epoch = now.epoch;
}

access_record order_stamp(uintptr_t pc, bool atomic)
{
    const auto thread = static_cast<uint16_t>(gpu.running - gpu.threads);
    return {pc, now.block, now.epoch, now.clock[thread], thread, atomic};
}

bool order_holds(const access_record &earlier, const access_record &access)
{
    if (earlier.block < now.first_block)
        return true; /* another launch; or nobody */
    if (earlier.block != access.block) {
        const auto taken = now.taken.find(earlier.block);
        return taken != now.taken.end() && earlier.epoch <= taken->second;
    }
    if (earlier.thread == access.thread || earlier.epoch != access.epoch)
        return true;
    return earlier.thread / lanes_per_warp == access.thread / lanes_per_warp &&
           now.known[access.thread][earlier.thread % lanes_per_warp] > earlier.clock;
}

uint32_t order_block_number()
{
    return now.block;
}

uint3 order_block_index(uint32_t block)
{
    const size_t number = block - now.first_block;
    return number < now.index.size() ? now.index[number] : uint3{0, 0, 0};
}

relation order_relation(const access_record &a, const access_record &b)
{
    if (a.block != b.block)
        return other_block;
    return a.thread / lanes_per_warp == b.thread / lanes_per_warp ? same_warp : same_block;
}

} // namespace emulated
