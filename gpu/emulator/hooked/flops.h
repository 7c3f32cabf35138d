/* flops.h: arithmetic by place, as kernels compiled with -DDUEL_COUNTED report it (emulated/counted.h). */
#ifndef EMULATED_FLOPS_H
#define EMULATED_FLOPS_H

#include <cstdint>

namespace emulated
{

enum flop_kind { flop_fp32, flop_fp64, flop_fp16, flop_tensor, flop_kinds };

struct flop_counts {
    uint64_t of[flop_kinds];
};

} // namespace emulated

#endif
