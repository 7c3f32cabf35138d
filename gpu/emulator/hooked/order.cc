/* order.cc: epochs, clocks and what atomics hand on. */
#include "gpu/emulator/hooked/order.h"

#include <algorithm>
#include <cstring>

namespace emulated
{

order_state order_now;

void order_kernel_begins()
{
    order_now.first_block = order_now.block + 1;
    order_now.index.clear();
    order_now.left[fence_gpu].clear();
}

static void forget_learned()
{
    if (order_now.anybody_learned)
        for (knowledge &learned : order_now.learned)
            learned.clear();
    order_now.anybody_learned = false;
}

static void add(knowledge *to, const knowledge &more)
{
    for (const auto &entry : more) {
        known_block *known = &(*to)[entry.first];
        if (entry.second.epoch > known->epoch)
            *known = entry.second;
        else if (entry.second.epoch == known->epoch)
            for (const auto &clock : entry.second.clocks)
                known->clocks[clock.first] = std::max(known->clocks[clock.first], clock.second);
    }
}

void order_block_begins()
{
    order_now.block++;
    order_now.epoch++;
    memset(order_now.fence, 0, sizeof order_now.fence);
    for (int scope = fence_block; scope < fence_scopes; scope++)
        order_now.fenced[scope] = order_now.all_fenced[scope] = false;
    order_now.left[fence_block].clear();
    order_now.shared.clear();
    forget_learned();
    order_now.index.push_back(gpu.block_index);
    memset(order_now.clock, 0, gpu.thread_count * sizeof order_now.clock[0]);
    memset(order_now.known, 0, gpu.thread_count * sizeof order_now.known[0]);
}

void order_block()
{
    order_now.epoch++;
    for (int scope = fence_block; scope < fence_scopes; scope++)
        order_now.all_fenced[scope] = order_now.fenced[scope];
    if (order_now.anybody_learned)
        for (unsigned int thread = 0; thread < gpu.thread_count; thread++)
            add(&order_now.shared, order_now.learned[thread]);
    forget_learned();
}

/* What one lane has learned from atomics the others know, too. */
static void share_in_warp(unsigned int first, uint32_t lanes)
{
    knowledge joined;
    for (unsigned int lane = 0; lane < lanes_per_warp; lane++)
        if (lanes >> lane & 1U)
            add(&joined, order_now.learned[first + lane]);
    for (unsigned int lane = 0; lane < lanes_per_warp; lane++)
        if (lanes >> lane & 1U)
            order_now.learned[first + lane] = joined;
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
    if (order_now.anybody_learned)
        share_in_warp(first, lanes);
}

static uint16_t running_thread()
{
    return static_cast<uint16_t>(gpu.running - gpu.threads);
}

void order_fence(bool whole_gpu)
{
    const uint16_t self = running_thread();
    const uint32_t clock = ++order_now.clock[self];
    for (int scope = fence_block; scope <= (whole_gpu ? fence_gpu : fence_block); scope++) {
        order_now.fence[scope][self] = {order_now.epoch, clock};
        order_now.fenced[scope] = true;
    }
}

/* What the running thread hands on: all before its last fence, or before the barrier after somebody's fence. */
static knowledge handed_on(const fence_mark &fence)
{
    const uint16_t self = running_thread();
    const unsigned int first = self / lanes_per_warp * lanes_per_warp;
    knowledge result = order_now.shared;
    known_block *own = &result[order_now.block];
    *own = {order_now.epoch, {}};
    if (fence.epoch == order_now.epoch) {
        for (unsigned int lane = 0; lane < lanes_per_warp; lane++)
            if (order_now.known[self][lane] > 0)
                own->clocks[static_cast<uint16_t>(first + lane)] = order_now.known[self][lane];
        own->clocks[self] = fence.clock;
    }
    add(&result, order_now.learned[self]);
    return result;
}

void order_atomic(const unsigned char *address)
{
    const uint16_t self = running_thread();
    for (int scope = fence_block; scope < fence_scopes; scope++) {
        const auto found = order_now.left[scope].find(address);
        if (found != order_now.left[scope].end()) {
            add(&order_now.learned[self], found->second);
            order_now.anybody_learned = true;
        }
        const fence_mark &fence = order_now.fence[scope][self];
        if (fence.epoch != 0 || order_now.all_fenced[scope])
            add(&order_now.left[scope][address], handed_on(fence));
    }
}

uint3 order_block_index(uint32_t block)
{
    const size_t number = block - order_now.first_block;
    return number < order_now.index.size() ? order_now.index[number] : uint3{0, 0, 0};
}

} // namespace emulated
