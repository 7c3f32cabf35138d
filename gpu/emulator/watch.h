/* watch.h: what a kernel does, told to one client while it runs: the checker of strict mode or the tracer.
 *
 * Kernel files of duel-emulated-hooked.so are compiled so that every load, every store and every basic block calls
 * hook.cc. It adds what the address is and passes it on here. The machine itself tells where threads wait. In the plain
 * plug-in nobody calls and nobody listens. */
#ifndef EMULATED_WATCH_H
#define EMULATED_WATCH_H

#include <cstddef>
#include <cstdint>

namespace emulated
{

struct allocation;
struct warp;

/* Pending: the target of an asynchronous copy, told when it is asked for; the store is told when it is done. */
enum access_kind { access_load, access_store, access_atomic, access_pending };
/* Elsewhere: arguments of the kernel, constants; and what no kernel may touch. */
enum memory_space { space_global, space_shared, space_local, space_elsewhere };

/* One access by gpu.running, told before it happens. */
struct memory_access {
    uintptr_t pc; /* return address into the kernel; lines.h turns it into a line */
    const unsigned char *address;
    uint32_t bytes;
    access_kind kind;
    memory_space space;
    bool later; /* a piece of a struct that is copied whole, not the first: perhaps nothing but padding */
};

/* Where all lanes of a warp that still run have come together. */
enum meeting_kind { meeting_barrier, meeting_collective, meeting_exit };

/* Every member is set; a client does nothing in those that it has no use for. Members are called from inside threads of
 * the kernel as well as between them (gpu.running is then NULL). */
struct watcher {
    void (*allocated)(const allocation &memory);
    void (*host_wrote)(const void *pointer, size_t bytes);            /* device memory, by a copy or a fill */
    void (*launch_refused)();                                         /* gpu.refusal or, if gpu.failed, gpu.why */
    void (*host_touched)(uintptr_t pc, const unsigned char *address); /* device memory, by code of the host itself */
    void (*kernel_begins)();                                          /* gpu.launch, gpu.facts and gpu.name are set */
    void (*kernel_ends)();                                            /* also of one that failed: gpu.failed */
    void (*block_begins)();                                           /* gpu.block_index is set */
    void (*block_ends)();                                             /* not of one that failed */
    void (*access)(const memory_access &what);
    void (*basic_block)(uintptr_t pc);
    void (*fence)(bool whole_gpu); /* __threadfence() or __threadfence_block() by gpu.running */
    /* __syncwarp() among these lanes, or __syncthreads(): what they wrote before, they may read from each other now. */
    void (*lanes_ordered)(const warp *team, uint32_t lanes);
    void (*block_ordered)();
    /* All live lanes of a warp wait at one place, or the last has left. */
    void (*warp_meets)(const warp *team, meeting_kind kind, const char *file, int line);
};

/* NULL while nobody watches: plain mode. */
void watch(const watcher *client);

/* How often each kind of hook was called by kernels. All zero after a kernel ran: the file was compiled without. */
struct hook_counts {
    uint64_t loads, stores, atomics, basic_blocks;
};

} // namespace emulated

#endif
