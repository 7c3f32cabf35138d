/* order.h: which of two accesses of a kernel is known to come first. Not which did, here: which must, on every GPU.
 *
 * Every __syncthreads() starts a new epoch of the block: what lies in different epochs is ordered. Within one, only
 * __syncwarp() orders, and only lanes of one warp: each lane keeps a clock, and what it knows of the other lanes'
 * clocks. Shuffles and votes exchange values, but they order no memory. Blocks are ordered by nothing, except that a
 * block which finds in an atomic what another left there after a __threadfence() may read what that one wrote before.
 */
#ifndef EMULATED_RACE_ORDER_H
#define EMULATED_RACE_ORDER_H

#include "gpu/emulator/hooked/shadow.h"

namespace emulated
{

void order_kernel_begins();
void order_block_begins();
void order_block();                                         /* __syncthreads */
void order_lanes(unsigned int warp_number, uint32_t lanes); /* __syncwarp */
void order_fence();
void order_atomic(const unsigned char *address);

/* Coordinates of a block of this launch. */
uint3 order_block_index(uint32_t block);

/* ---- asked for each access, so it stands here ------------------------------------------------------------------- */

/* A block that handed on its writes through an atomic: all that it did up to this epoch. */
struct hand_over {
    uint32_t block, epoch;
};

/* Numbers go on from launch to launch, so that nothing in shadow memory must be cleared. They start at 1. */
struct order_state {
    uint32_t block, first_block; /* the block that runs, and the first of its launch */
    uint32_t epoch;
    bool fenced;
    uint32_t clock[threads_per_block];                 /* own */
    uint32_t known[threads_per_block][lanes_per_warp]; /* of the lanes of its warp: all before this is ordered */
    std::vector<uint3> index;                          /* of the blocks of this launch */
    std::map<const unsigned char *, std::vector<hand_over>> left; /* at the targets of atomics */
    std::map<uint32_t, uint32_t> taken;                           /* by the block that runs: block, epoch */
};
extern order_state order_now;

/* Of an access by the running thread now. */
inline access_record order_stamp(uintptr_t pc, bool atomic)
{
    const auto thread = static_cast<uint16_t>(gpu.running - gpu.threads);
    return {pc, order_now.block, order_now.epoch, order_now.clock[thread], thread, atomic};
}

/* True when `earlier` must happen before what the running thread does now. */
inline bool order_holds(const access_record &earlier, const access_record &access)
{
    if (earlier.block < order_now.first_block)
        return true; /* another launch; or nobody */
    if (earlier.block != access.block) {
        const auto taken = order_now.taken.find(earlier.block);
        return taken != order_now.taken.end() && earlier.epoch <= taken->second;
    }
    if (earlier.thread == access.thread || earlier.epoch != access.epoch)
        return true;
    return earlier.thread / lanes_per_warp == access.thread / lanes_per_warp &&
           order_now.known[access.thread][earlier.thread % lanes_per_warp] > earlier.clock;
}

inline uint32_t order_block_number()
{
    return order_now.block;
}

enum relation { same_warp, same_block, other_block };
inline relation order_relation(const access_record &a, const access_record &b)
{
    if (a.block != b.block)
        return other_block;
    return a.thread / lanes_per_warp == b.thread / lanes_per_warp ? same_warp : same_block;
}

} // namespace emulated

#endif
