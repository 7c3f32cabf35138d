/* flops.cc: arithmetic of kernels that were compiled with -DDUEL_COUNTED, by place. */
#include "gpu/emulator/hooked/trace.h"
#include "gpu/emulator/machine.h"

namespace emulated
{

/* The places of a kernel are few, and the loop that counts most has one or two. */
static struct {
    uintptr_t place;
    flop_counts *counts;
} recent[64];
static const trace_kernel *recent_kernel;

void count_flops(flop_kind kind, unsigned int operations)
{
    if (!gpu.running || gpu.watching != &tracer || gpu.leading)
        return;
    const uintptr_t place = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
    trace_kernel *kernel = trace_current();
    if (kernel != recent_kernel) {
        recent_kernel = kernel;
        for (auto &entry : recent)
            entry = {0, nullptr};
    }
    auto &entry = recent[place % 61];
    if (entry.place != place)
        entry = {place, &kernel->flops[place]};
    entry.counts->of[kind] += operations;
}

void flops_forget()
{
    recent_kernel = nullptr;
}

} // namespace emulated
