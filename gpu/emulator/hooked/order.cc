/* order.cc: epochs, clocks and what atomics hand on. */
#include "gpu/emulator/hooked/order.h"

#include <cstring>

namespace emulated
{

order_state order_now;

void order_kernel_begins()
{
    order_now.first_block = order_now.block + 1;
    order_now.index.clear();
    order_now.left.clear();
}

void order_block_begins()
{
    order_now.block++;
    order_now.epoch++;
    order_now.fenced = false;
    order_now.taken.clear();
    order_now.index.push_back(gpu.block_index);
    memset(order_now.clock, 0, gpu.thread_count * sizeof order_now.clock[0]);
    memset(order_now.known, 0, gpu.thread_count * sizeof order_now.known[0]);
}

void order_block()
{
    order_now.epoch++;
}

void order_lanes(unsigned int warp_number, uint32_t lanes)
{
    const unsigned int first = warp_number * lanes_per_warp;
    uint32_t joined[lanes_per_warp] = {};
    for (unsigned int lane = 0; lane < lanes_per_warp; lane++) {
        if (!(lanes >> lane & 1U))
            continue;
        for (unsigned int other = 0; other < lanes_per_warp; other++)
            joined[other] = std::max(joined[other], order_now.known[first + lane][other]);
        joined[lane] = ++order_now.clock[first + lane];
    }
    for (unsigned int lane = 0; lane < lanes_per_warp; lane++)
        if (lanes >> lane & 1U)
            memcpy(order_now.known[first + lane], joined, sizeof joined);
}

void order_fence()
{
    order_now.fenced = true;
}

void order_atomic(const unsigned char *address)
{
    std::vector<hand_over> *left = &order_now.left[address];
    for (const hand_over &other : *left)
        if (other.block != order_now.block)
            order_now.taken[other.block] = std::max(order_now.taken[other.block], other.epoch);
    if (!order_now.fenced)
        return;
    if (left->empty() || left->back().block != order_now.block)
        left->push_back({order_now.block, order_now.epoch});
    left->back().epoch = order_now.epoch;
}

uint3 order_block_index(uint32_t block)
{
    const size_t number = block - order_now.first_block;
    return number < order_now.index.size() ? order_now.index[number] : uint3{0, 0, 0};
}

} // namespace emulated
