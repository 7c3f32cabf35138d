/* block.h: the threads of a block and their warps. Part of machine.h. */
#ifndef EMULATED_BLOCK_H
#define EMULATED_BLOCK_H

#include <cuda_runtime.h>
#include <vector>

#include "gpu/emulator/fibre.h"

namespace emulated
{

constexpr unsigned int lanes_per_warp = 32, threads_per_block = 1024;

/* A copy that a thread has asked for and not yet waited for. */
struct async_request {
    void *shared;
    const void *global;
    unsigned int bytes, zeros;
    uint32_t batch;
    const void *pc;
};

struct thread {
    fibre control;
    uint3 index;
    struct warp *team;
    unsigned int lane;
    bool exited;
    /* What it waits for: NULL when it does not. */
    const char *waits_in, *file;
    int line;
    uint32_t mask;
    void *payload;
    collective_leader *leader;
    std::vector<async_request> copies;
    uint32_t batch; /* number of the batch that the next copy belongs to */
};

/* A bit per lane. */
struct warp {
    thread *first;
    uint32_t live, ready;
    uint32_t meeting;    /* waits in meet() */
    uint32_t converging; /* waits in active_mask() */
    uint32_t spinning;   /* ready, but others come first */
};

} // namespace emulated

#endif
