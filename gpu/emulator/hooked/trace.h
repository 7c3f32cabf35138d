/* trace.h: private to the tracer of duel-emulated-hooked.so: from single accesses of threads to what a warp asks of the
 * memory system. A model of the source: no caches, no clocks, and no instructions that a compiler merges. */
#ifndef EMULATED_TRACE_H
#define EMULATED_TRACE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <cuda_runtime.h>

#include "gpu/emulator/watch.h"

namespace emulated
{

constexpr unsigned int trace_lanes = 32;

/* ---- trace_cost.cc: what one request costs. Bit `lane` of `lanes` says that address[lane] takes part. ------------ */

struct warp_request {
    uint32_t lanes;
    uint32_t bytes; /* of each lane: 1, 2, 4, 8 or 16 */
    uintptr_t address[trace_lanes];
};
/* Global memory moves sectors of 32 bytes: how many hold what the lanes want; and how many would, packed together. */
unsigned int sectors_touched(const warp_request &request);
unsigned int sectors_packed(const warp_request &request);
/* Shared memory has 32 banks of 4 bytes, each of which delivers one word at a time: rounds until all have theirs, and
 * rounds without any conflict. Lanes that want 8 bytes come in two halves, 16 bytes in four quarters. Atomics on one
 * word take turns. */
unsigned int rounds_needed(const warp_request &request, bool atomic);
unsigned int rounds_free(const warp_request &request);

/* ---- trace_merge.cc: which accesses of the lanes belong to one request --------------------------------------------
 */

/* What a lane did between two meetings of its warp. A step is an access or the start of a basic block. */
struct lane_log {
    std::vector<uint64_t> step;     /* place in the program and what it does: step_of() */
    std::vector<uintptr_t> address; /* 0 for a basic block */
};
constexpr uint64_t step_place = (static_cast<uint64_t>(1) << 48) - 1; /* mask of the place */
uint64_t step_of(const memory_access &access);
uint64_t step_of(uintptr_t basic_block);
bool step_is_block(uint64_t step);
memory_access access_of(uint64_t step); /* without address */

/* Told of each step of the warp, in order: its lanes, and for an access their addresses. `certain` is false where lanes
 * took different ways before it and not all of them came here: then it is put together by place and loop round. */
struct merge_listener {
    virtual void merged(uint64_t step, const warp_request &request, bool certain) = 0;

  protected:
    ~merge_listener() = default;
};
/* Logs of the lanes of one warp, `lanes` of them; empties them. */
void merge_lanes(lane_log *log, unsigned int lanes, merge_listener *listener);

/* ---- trace.cc ------------------------------------------------------------------------------------------------------
 */

/* All requests from one place. */
struct trace_site {
    uint64_t step;
    uint64_t requests, lanes, sectors, sectors_packed, rounds, rounds_free, uncertain;
    unsigned int worst; /* sectors or rounds of the worst request */
};

/* Which addresses one request of the first block asked for. */
struct trace_sample {
    size_t site;
    unsigned int warp, round; /* the round-th request of this warp at this place */
    warp_request request;
    std::string array; /* that holds the first of the addresses; empty: unknown */
    uintptr_t start;   /* of that array */
};

/* By enum flop_kind. */
struct flop_counts {
    uint64_t of[flop_kinds];
};

struct trace_meeting {
    std::string file;
    int line;
    meeting_kind kind;
    uint64_t warps, blocks;
};

struct trace_kernel {
    std::string name;
    unsigned int grid[3], block[3];
    size_t shared_bytes, dynamic_bytes;
    uint64_t launches, blocks, warps, issues, active;
    bool lost; /* a thread did more between two meetings than a log may hold */
    std::vector<trace_site> sites;
    std::unordered_map<uint64_t, size_t> site_of; /* by step */
    std::vector<trace_meeting> meetings;
    std::vector<trace_sample> samples;
    std::unordered_map<uintptr_t, flop_counts> flops; /* by place */
};

extern const watcher tracer;
void trace_clear();
const std::vector<trace_kernel> &trace_kernels();
trace_kernel *trace_current(); /* while a kernel runs */
/* flops.cc: kernels have moved or are gone. */
void flops_forget();

} // namespace emulated

#endif
