/* machine.h: the emulated GPU from inside. One process has one, as it has one current device under CUDA: threadIdx and
 * cudaGetLastError() belong to the process, too, not to a handle. */
#ifndef EMULATED_MACHINE_H
#define EMULATED_MACHINE_H

#include <cuda_runtime.h>
#include <map>
#include <string>

#include "bench/duel.h"
#include "gpu/emulator/block.h"
#include "gpu/emulator/memory.h"
#include "gpu/emulator/watch.h"

namespace emulated
{

constexpr size_t shared_limit = 48 * 1024;

enum direction { forward, reverse, randomly };

/* A use of device memory by code of the host; pc 0: none. */
struct host_touch {
    uintptr_t pc;
    const unsigned char *address, *allocation;
    size_t bytes;
    const char *kind;
};

struct machine {
    direction order;
    uint64_t seed, random; /* as asked for; and the generator's state */

    const watcher *watching;         /* NULL: nobody */
    bool leading;                    /* a leader of lanes that meet runs: its accesses are not the kernel's */
    int capability = 90;             /* whose launch limits hold */
    size_t shared_most = 227 * 1024; /* shared memory of a block there, on request */

    /* The launch. */
    const request *launch;
    kernel_facts *facts;
    std::string name;
    unsigned char *dynamic;
    uint3 block_index;

    /* The block. */
    thread threads[threads_per_block];
    warp warps[threads_per_block / lanes_per_warp];
    unsigned int thread_count, warp_count;
    unsigned int exited, at_barrier, prepared;
    uint64_t events; /* exits, barriers passed, meetings: that something goes forward */
    const char *barrier_file;
    int barrier_line;
    unsigned int lanes[lanes_per_warp], turn; /* a round over a warp: its order, and how far it is */
    thread *running;                          /* NULL outside kernels */
    fibre scheduler;

    /* The first error since the last sync(). */
    bool failed;
    duel_why why;
    const char *failure;    /* what kind of mistake it was, in two or three words */
    char failure_place[96]; /* "tiled.cu:46"; empty when the machine does not know */
    host_touch touched;
    cudaError_t refused, refused_last;
    char refusal[160];

    std::map<uintptr_t, allocation> allocations;
    const allocation *recent; /* the last that was looked for: most accesses repeat it */
    std::map<const void *, kernel_facts> kernels;
};
extern machine gpu;

/* Prepares warps and threads for blocks of this extent; false without memory for their stacks. */
bool block_shape(dim3 extent);
/* Runs one block to its end; false when it failed. */
bool block_run();
/* Stops the running thread until `ready` has its bit again. */
void wait(const char *operation, const char *file, int line);
/* collective.cc: lanes that can go on because others have left, or because nobody else will come. */
void meet_without(warp *team);
bool converge(warp *team);

/* For the launches that follow. */
void schedule_set(direction order, uint64_t seed);

uint64_t random_below(uint64_t bound);

} // namespace emulated

#include "gpu/emulator/error.h"

#endif
