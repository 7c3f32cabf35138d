/* inspect_trace.h: what traced mode counts (inspect.h). A model of the source: no caches, no clocks, and no
 * instructions that a compiler merges. */
#ifndef DUEL_INSPECT_TRACE_H
#define DUEL_INSPECT_TRACE_H

#include "bench/duel.h"

/* One kernel with one configuration; launches of the same are added up. */
struct duel_trace_kernel {
    char name[160]; /* "tiled<float>" */
    unsigned int grid[3], block[3];
    uint64_t shared_bytes, dynamic_bytes; /* of a block: declared, and given at launch */
    uint64_t launches, blocks, warps;
    uint64_t issues, active; /* basic blocks that warps entered, and the lanes that did: active / (32 issues) */
    bool lost;               /* a thread did more than could be logged: the counts are too small */
    int64_t lines, flops, meetings, samples;
};

enum duel_trace_access { DUEL_TRACE_LOAD, DUEL_TRACE_STORE, DUEL_TRACE_ATOMIC };
/* A place in a source file. Without a line `file` is empty. */
struct duel_trace_place {
    char file[160]; /* as the compiler was given it, perhaps below an absolute path */
    int line;
};

/* All requests of one kind from one line. A request is what a warp asks for with one instruction. */
struct duel_trace_line {
    struct duel_trace_place place;
    enum duel_trace_access access;
    bool shared;        /* shared memory; else global */
    unsigned int bytes; /* of each lane */
    uint64_t requests, lanes;
    uint64_t units, units_best; /* global: sectors of 32 bytes, and how few would hold the same; shared: rounds over the
                                 * 32 banks, and how few there are without conflicts */
    uint64_t uncertain;         /* requests put together by loop rounds, because lanes took different ways */
    unsigned int worst;         /* units of the worst request */
};

struct duel_trace_flops {
    struct duel_trace_place place;
    uint64_t count[DUEL_DTYPES], tensor;
};

struct duel_trace_meeting {
    struct duel_trace_place place;
    bool barrier; /* __syncthreads; else a meeting of a warp's lanes */
    uint64_t blocks, warps;
};

/* Which bytes one request of the first block asked for. */
struct duel_trace_sample {
    int64_t line; /* of the kernel's lines */
    unsigned int warp, round;
    uint32_t lanes;
    char array[96];     /* as name() called it, or the name of a __shared__ array */
    int64_t offset[32]; /* in bytes from its start; valid for the bits of `lanes` */
};

#endif
