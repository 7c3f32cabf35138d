/* inspect.h: what duel-emulated-hooked.so can tell about kernels besides their results. It is a plug-in as duel.h
 * describes it, of the same kernels, with a second entry that returns the functions below. Plain C, no state. */
#ifndef DUEL_INSPECT_H
#define DUEL_INSPECT_H

#include "bench/inspect_trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a struct below changes. */
#define DUEL_INSPECT_ABI 3
#define DUEL_INSPECT_ENTRY "duel_inspector"

enum duel_inspect_mode { DUEL_INSPECT_PLAIN, DUEL_INSPECT_STRICT, DUEL_INSPECT_TRACED };
/* In which order blocks, warps and lanes run: CUDA promises none. */
enum duel_inspect_order { DUEL_INSPECT_FORWARD, DUEL_INSPECT_REVERSE, DUEL_INSPECT_RANDOM };

struct duel_inspect_setting {
    enum duel_inspect_mode mode;
    enum duel_inspect_order order;
    uint64_t seed; /* of DUEL_INSPECT_RANDOM */
    /* Compute capability whose launch limits hold, 75 for sm_75, and the most shared memory that a block may have
     * there; 0: 90, and its 227 KiB. */
    int arch;
    size_t shared_most;
};

/* One mistake in a kernel: one cause, however many threads and elements it concerns. */
struct duel_finding {
    char kind[40];    /* "race in a block"; equal texts are the same kind */
    char kernel[160]; /* "tiled<float>" */
    char here[96];    /* "tiled.cu:46", or why no line can be told */
    char there[96];   /* line of the other access; empty when there is none */
    unsigned int block[3], thread[3];
    unsigned int other_block[3], other_thread[3]; /* valid when `there` is not empty */
    char array[96];                               /* "As", "B", "dynamic shared memory"; empty when unknown */
    int64_t index;                                /* element of the array; -1 when unknown */
    uint64_t times;                               /* how often it was seen */
    char seen[640], matters[320], next[320];      /* sentences for a student, as in duel_why */
};

/* How often kernels called each hook since the last clear(). Zero: the check has seen nothing and says nothing. */
struct duel_hook_counts {
    uint64_t loads, stores, atomics, basic_blocks;
};

struct duel_inspector {
    int abi; /* DUEL_INSPECT_ABI; the first field for ever */

    /* For the launches that follow. */
    enum duel_status (*set)(const struct duel_inspect_setting *setting, struct duel_why *why);
    /* Forgets findings and counts. */
    void (*clear)(void);
    void (*hooks)(struct duel_hook_counts *counts);
    /* What messages call a piece of device memory: "A". Copied; forgotten when the memory is released. */
    void (*name)(const void *pointer, const char *name, size_t element_bytes);

    /* Findings in the order in which they were first seen. False past the end. */
    int64_t (*findings)(void);
    bool (*finding)(int64_t index, struct duel_finding *finding);

    /* Kernels traced since clear(), and what each holds. False past the end. */
    bool (*trace_kernel)(int64_t kernel, struct duel_trace_kernel *out);
    bool (*trace_line)(int64_t kernel, int64_t index, struct duel_trace_line *out);
    bool (*trace_flops)(int64_t kernel, int64_t index, struct duel_trace_flops *out);
    bool (*trace_meeting)(int64_t kernel, int64_t index, struct duel_trace_meeting *out);
    bool (*trace_sample)(int64_t kernel, int64_t index, struct duel_trace_sample *out);
};

typedef const struct duel_inspector *duel_inspector_entry(void);

#ifdef __cplusplus
}
#endif
#endif
