/* order.h: which of two accesses of a kernel is known to come first. Not which did, here: which must, on every GPU.
 *
 * Every __syncthreads() starts a new epoch of the block: what lies in different epochs is ordered. Within one, only
 * __syncwarp() orders, and only lanes of one warp: each lane keeps a clock, and what it knows of the other lanes'
 * clocks. Shuffles and votes exchange values, but they order no memory. Between blocks, and between warps without a
 * barrier, there are only fences and atomics: a thread that finds in an atomic what another left there after a fence
 * knows what that one did before its fence, and hands that on. So a lock orders those who held it, and the block that
 * comes last may read what all others have left. */
#ifndef EMULATED_RACE_ORDER_H
#define EMULATED_RACE_ORDER_H

#include "gpu/emulator/hooked/shadow.h"

namespace emulated
{

void order_kernel_begins();
void order_block_begins();
void order_block();                                         /* __syncthreads */
void order_lanes(unsigned int warp_number, uint32_t lanes); /* __syncwarp */
void order_fence(bool whole_gpu);                           /* __threadfence, or __threadfence_block */
void order_atomic(const unsigned char *address);

/* Coordinates of a block of this launch. */
uint3 order_block_index(uint32_t block);

/* ---- asked for each access, so it stands here ------------------------------------------------------------------- */

/* Of another block, or of the own one: all that it did before this epoch; and in it, what these threads did before
 * these clocks. */
struct known_block {
    uint32_t epoch;
    std::map<uint16_t, uint32_t> clocks;
};
typedef std::map<uint32_t, known_block> knowledge; /* by block */

enum fence_scope { fence_block, fence_gpu, fence_scopes };
/* The last fence of a thread; epoch 0: none. */
struct fence_mark {
    uint32_t epoch, clock;
};

/* Numbers go on from launch to launch, so that nothing in shadow memory must be cleared. They start at 1. */
struct order_state {
    uint32_t block, first_block; /* the block that runs, and the first of its launch */
    uint32_t epoch;
    uint32_t clock[threads_per_block];                 /* own */
    uint32_t known[threads_per_block][lanes_per_warp]; /* of the lanes of its warp: all before this is ordered */
    std::vector<uint3> index;                          /* of the blocks of this launch */

    fence_mark fence[fence_scopes][threads_per_block];
    bool fenced[fence_scopes], all_fenced[fence_scopes];           /* somebody did; and a barrier came after it */
    std::map<const unsigned char *, knowledge> left[fence_scopes]; /* at the targets of atomics */
    knowledge learned[threads_per_block];                          /* from them, since the last barrier */
    bool anybody_learned;
    knowledge shared; /* what all threads of the block know since that barrier */
};
extern order_state order_now;

/* Of an access by the running thread now. */
inline access_record order_stamp(uintptr_t pc, bool atomic)
{
    const auto thread = static_cast<uint16_t>(gpu.running - gpu.threads);
    return {pc, order_now.block, order_now.epoch, order_now.clock[thread], thread, atomic};
}

inline bool order_known(const knowledge &all, const access_record &earlier)
{
    const auto found = all.find(earlier.block);
    if (found == all.end() || earlier.epoch != found->second.epoch)
        return found != all.end() && earlier.epoch < found->second.epoch;
    const auto clock = found->second.clocks.find(earlier.thread);
    return clock != found->second.clocks.end() && earlier.clock < clock->second;
}

/* True when `earlier` must happen before what the running thread does now. */
inline bool order_holds(const access_record &earlier, const access_record &access)
{
    if (earlier.block < order_now.first_block)
        return true; /* another launch; or nobody */
    if (earlier.block != access.block)
        return order_known(order_now.shared, earlier) || order_known(order_now.learned[access.thread], earlier);
    if (earlier.thread == access.thread || earlier.epoch != access.epoch)
        return true;
    if (earlier.thread / lanes_per_warp == access.thread / lanes_per_warp &&
        order_now.known[access.thread][earlier.thread % lanes_per_warp] > earlier.clock)
        return true;
    return order_now.anybody_learned && order_known(order_now.learned[access.thread], earlier);
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
