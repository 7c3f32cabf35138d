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

/* Of an access by the running thread now. */
access_record order_stamp(uintptr_t pc, bool atomic);
/* True when `earlier` must happen before what the running thread does now. */
bool order_holds(const access_record &earlier, const access_record &now);
uint32_t order_block_number();
/* Coordinates of a block of this launch. */
uint3 order_block_index(uint32_t block);

enum relation { same_warp, same_block, other_block };
relation order_relation(const access_record &a, const access_record &b);

} // namespace emulated

#endif
