/* flops.h: how kernels that are compiled with -DDUEL_COUNTED tell of arithmetic. */
#ifndef EMULATED_INCLUDE_FLOPS_H
#define EMULATED_INCLUDE_FLOPS_H

namespace emulated
{

enum flop_kind { flop_fp32, flop_fp64, flop_fp16, flop_tensor, flop_kinds };
/* Notes operations of the running thread at the place of the call. Not inlined: the return address is that place. */
void count_flops(flop_kind kind, unsigned int operations);

/* Operations that the lanes of a warp do together are counted by each for its share. */
#ifdef DUEL_COUNTED
#define EMULATED_COUNT(kind, operations) ::emulated::count_flops((kind), (operations))
#else
#define EMULATED_COUNT(kind, operations) static_cast<void>(0)
#endif

} // namespace emulated

#endif
