/* duel.h: the one header that implementers include.
 *
 * It defines the three nouns of duel: a problem (what is computed, at which size), an implementation (how) and
 * a back end (where), and the plug-in that carries GPU implementations into the program. It is valid C17 and CUDA
 * C++17, needs nothing from CUDA, and holds no state.
 *
 * Units: seconds (double), bytes (size_t / uint64_t), elements for sizes and leading dimensions (int64_t).
 */
#ifndef DUEL_H
#define DUEL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a struct below changes; a plug-in of another version is refused with both numbers. */
#define DUEL_ABI 4

#define DUEL_MAX_OPERANDS 4
#define DUEL_MAX_TYPES 4
#define DUEL_MAX_MARKS 8
#define DUEL_MAX_PROPERTIES 48

enum duel_status {
    DUEL_OK = 0,
    DUEL_SKIP,    /* not here or not this problem; a reason, no fault */
    DUEL_EINVAL,  /* the input is wrong */
    DUEL_ENOMEM,  /* not enough host or device memory */
    DUEL_EDEVICE, /* the device or its library reported an error */
    DUEL_EVERIFY, /* the answer is wrong */
    DUEL_EIO,     /* a file could not be read or written */
    DUEL_EINTR    /* the user interrupted */
};

/* The detail beside a status. Every message of duel has these three parts; `seen` names the number it is about. */
struct duel_why {
    char seen[320];    /* what was seen */
    char matters[240]; /* why it matters */
    char next[240];    /* what to do next */
};

/* Formats into `out`. What is too long loses its middle, where long names stand, and not its end, where reasons do. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 0)))
#endif
static inline void
duel_format(char *out, size_t size, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    const int length = vsnprintf(out, size, format, args);
    char *whole = length > 0 && (size_t)length >= size ? (char *)malloc((size_t)length + 1) : NULL;
    if (whole) {
        size_t head = size / 2;
        vsnprintf(whole, (size_t)length + 1, format, again);
        const char *tail = whole + length - (size - head - sizeof "...");
        while (head > 0 && (whole[head] & 0xC0) == 0x80) /* between characters of UTF-8 */
            head--;
        while ((*tail & 0xC0) == 0x80)
            tail++;
        snprintf(out, size, "%.*s...%s", (int)head, whole, tail);
        free(whole);
    }
    va_end(again);
}

/* Fills *why (which may be NULL) and returns `status`, so that an error is one statement:
 *     return duel_fail(why, DUEL_EINVAL, "nothing can be timed", "give a size of at least 1", "--n %s", text);
 */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
static inline enum duel_status
duel_fail(struct duel_why *why, enum duel_status status, const char *matters, const char *next, const char *seen, ...)
{
    if (why) {
        va_list args;
        va_start(args, seen);
        duel_format(why->seen, sizeof why->seen, seen, args);
        va_end(args);
        snprintf(why->matters, sizeof why->matters, "%s", matters ? matters : "");
        snprintf(why->next, sizeof why->next, "%s", next ? next : "");
    }
    return status;
}

/* ---- what is computed ------------------------------------------------------------------------------------- */

/* Element types. TF32 is stored as FP32 and rounded by the multiplier, so it is a type of inputs only. FP8 is E4M3 (4
 * bits of exponent, 3 of fraction, up to 448, no infinities). INT8 holds -127 .. 127, and what is computed with it is
 * exact: sums and results are INT32. In both the code without a positive twin, -128 and -2^31, stands for no number. */
enum duel_dtype {
    DUEL_NONE = 0,
    DUEL_FP64,
    DUEL_FP32,
    DUEL_TF32,
    DUEL_FP16,
    DUEL_BF16,
    DUEL_FP8,
    DUEL_INT8,
    DUEL_INT32,
    DUEL_DTYPES
};

/* Input, accumulate and output type. The name of the input type is the `precision` of a row. */
struct duel_types {
    enum duel_dtype in, acc, out;
};

/* Operand indices of GEMM: C = alpha A B + beta C. A is m x k, B is k x n, C is m x n, all row-major:
 * element (i, j) of operand x stands at x[i * ld + j] with i * ld computed in 64 bits. */
enum { DUEL_A = 0, DUEL_B = 1, DUEL_C = 2 };

struct duel_problem {
    int64_t m, n, k, count;        /* extents in elements; the workload says what they mean, unused ones are 1 */
    int64_t ld[DUEL_MAX_OPERANDS]; /* leading dimension of each operand, at least its number of columns */
    double alpha, beta;            /* beta == 0: the output is not read, not even multiplied (it may hold NaN) */
    struct duel_types types;
};

/* ---- how: an implementation ------------------------------------------------------------------------------- */

struct duel_device_info;

/* Everything that run() may touch. Pointers are in the memory of the device that runs it. */
struct duel_call {
    const struct duel_problem *problem;
    void *operand[DUEL_MAX_OPERANDS]; /* in the workload's order; owned by the runner */
    void *workspace;                  /* workspace(problem) bytes, or NULL */
    void *state;                      /* what open() stored; NULL without open() */
    void *queue;                      /* the device's private stream (cudaStream_t); NULL on the CPU */
    int threads;                      /* CPU threads to use, already set and read back through threads() */
    struct duel_why *why;             /* filled when the status is not DUEL_OK */
};

/* A number of bytes by a model. It has a name of its own because traced mode gives the word double another meaning in
 * kernel files: there it counts what is calculated with it. */
typedef double duel_bytes;

/* One implementation; its file ends in exactly one of these:  DUEL_IMPL(cpu_gemm_serial) = { .name = ..., };
 * Fields that are marked optional may be left out. */
struct duel_impl {
    const char *name;                        /* its path without the ending: "gpu/gemm/tiled" */
    const char *builds_on;                   /* optional: full name of the rung below; orders ladder and plots */
    const char *doc;                         /* at most five sentences for students */
    struct duel_types types[DUEL_MAX_TYPES]; /* the precisions it has; unused entries stay zero */

    /* Optional, both or none: bytes that run() moves between a cache of `cache_bytes` and the memory behind it, by a
     * model of its blocking; 0: nothing stays from one tile to the next. And what the model assumes, in one sentence.
     */
    duel_bytes (*traffic)(const struct duel_problem *problem, duel_bytes cache_bytes);
    const char *traffic_model;
    /* Optional: DUEL_OK, or DUEL_SKIP with the reason in *why. */
    enum duel_status (*supports)(const struct duel_problem *problem, const struct duel_device_info *device,
                                 struct duel_why *why);
    /* Optional: bytes of device memory that run() needs besides the operands. */
    size_t (*workspace)(const struct duel_problem *problem);
    /* Optional, CPU only: sets the number of threads and returns the number read back. Without it: one thread. */
    int (*threads)(int wanted);
    /* Optional: name, version and build of the library that does the work; a static string. */
    const char *(*library)(void);
    /* Optional: library handles and the like, into call->state. Not timed as kernel. */
    enum duel_status (*open)(struct duel_call *call);
    /* The work. Never allocates, copies between host and device, times, prints or exits; on a GPU it may return
     * before the work is done. */
    enum duel_status (*run)(const struct duel_call *call);
    /* Optional: undoes open(). */
    void (*close)(void *state);
};

static inline double duel_element_bytes(enum duel_dtype type)
{
    return type == DUEL_FP64                        ? 8
           : type == DUEL_FP16 || type == DUEL_BF16 ? 2
           : type == DUEL_FP8 || type == DUEL_INT8  ? 1
                                                    : 4;
}

/* A model of traffic for GEMM in tiles of C of bm x bn, one row of tiles after the other: each tile reads bm rows of A
 * and bn columns of B. Those rows of A are read once for the whole row of tiles when the cache holds them, and B once
 * for all when it holds B; else anew for each tile. C is written once, and read once when beta asks for it. */
static inline duel_bytes duel_tile_traffic(const struct duel_problem *p, duel_bytes cache_bytes, int64_t bm, int64_t bn)
{
    const double m = (double)p->m, n = (double)p->n, k = (double)p->k, in = duel_element_bytes(p->types.in);
    const double rows = (double)((p->m + bm - 1) / bm), columns = (double)((p->n + bn - 1) / bn); /* of tiles */
    const double a = m * k * in, b = k * n * in, c = m * n * duel_element_bytes(p->types.out);
    const double panel = (double)(bm < p->m ? bm : p->m) * k * in;
    return (panel <= cache_bytes ? 1 : columns) * a + (b <= cache_bytes ? 1 : rows) * b + (p->beta == 0 ? 1 : 2) * c;
}

/* Declares the symbol before defining it, so that a const object has external C linkage in C++ too. */
#ifdef __cplusplus
#define DUEL_IMPL(symbol)                     \
    extern "C" const struct duel_impl symbol; \
    const struct duel_impl symbol
#else
#define DUEL_IMPL(symbol)                 \
    extern const struct duel_impl symbol; \
    const struct duel_impl symbol
#endif

/* An implementation whose source is here but which this build leaves out, with the reason. */
struct duel_absence {
    const char *name;   /* full name; NULL ends a table */
    const char *reason; /* one line: what is missing and what to install */
};

/* ---- where: a back end ------------------------------------------------------------------------------------ */

/* A fact about a device for the record; names carry units. */
struct duel_property {
    char name[40];  /* "memory_clock_mhz" */
    char text[120]; /* the value when it is text; empty when it is a number */
    double number;
};

struct duel_device_info {
    char name[128];  /* "NVIDIA H200", "AMD EPYC" */
    bool usable;     /* false: `status` and `why` say what is wrong and what to do */
    char status[64]; /* "ready", "no driver", "no device", "driver too old", "library missing", "wrong ABI", ... */
    struct duel_why why;
    uint64_t memory_bytes, memory_free_bytes; /* 0 when unknown */
    int compute_capability;                   /* 90 for sm_90; 0 for a CPU */
    int processors;                           /* CPU threads this process may use, or streaming multiprocessors */
    int property_count;
    struct duel_property property[DUEL_MAX_PROPERTIES];
};

enum duel_stream { DUEL_COPY, DUEL_TRIAD, DUEL_READ }; /* c = a; a = b + s c; sum of a */
enum duel_host_memory { DUEL_PAGEABLE = 0, DUEL_PINNED };

/* A back end owns memory, copies, a private queue and a clock. All functions return a status and fill *why on
 * failure. Members marked optional may be NULL. A handle is used by one thread at a time. */
struct duel_backend {
    const char *name; /* "cpu", "cuda", "emulated", "mock" */
    bool emulated;    /* true: values are real, times are not; its rows never carry a time */

    /* Number of devices; 0 with *why filled when there are none. Must not create a context. */
    int (*count)(struct duel_why *why);
    /* Always fills *info, also for an unusable device. */
    void (*describe)(int index, struct duel_device_info *info);
    enum duel_status (*open)(int index, void **device, struct duel_why *why);
    void (*close)(void *device);

    enum duel_status (*alloc)(void *device, size_t bytes, void **pointer, struct duel_why *why);
    void (*release)(void *device, void *pointer);
    /* Host memory that the device copies from fastest; optional, plain memory without it. */
    enum duel_status (*host_alloc)(void *device, size_t bytes, enum duel_host_memory kind, void **pointer,
                                   struct duel_why *why);
    void (*host_release)(void *device, enum duel_host_memory kind, void *pointer);

    /* Set device memory to a byte value, ordered in the queue. */
    enum duel_status (*fill)(void *device, void *pointer, int byte, size_t bytes, struct duel_why *why);
    /* Copies in the queue. Both NULL where host memory is device memory (the CPU): then the phases do not exist. */
    enum duel_status (*upload)(void *device, void *to, const void *from, size_t bytes, struct duel_why *why);
    enum duel_status (*download)(void *device, void *to, const void *from, size_t bytes, struct duel_why *why);

    void *(*queue)(void *device); /* optional */
    /* A time stamp in the queue, slot 0 .. DUEL_MAX_MARKS - 1; elapsed() is valid after sync(). */
    enum duel_status (*mark)(void *device, int slot, struct duel_why *why);
    enum duel_status (*elapsed)(void *device, int from, int to, double *seconds, struct duel_why *why);
    /* Waits for the queue; also where errors of asynchronous work surface. */
    enum duel_status (*sync)(void *device, struct duel_why *why);
    /* Host clock in seconds, monotonic; scripted by the mock. */
    double (*now)(void *device);

    /* Two private queues, so that copies and kernels can overlap. Optional, both or none. select() says in which of
     * them (0 or 1) what follows is ordered: copies, fills, marks, and the kernels that get queue(); 0 is selected
     * after open(). wait() lets the selected queue go on only after the mark in `slot`, taken in the other one. sync()
     * waits for both. */
    enum duel_status (*select)(void *device, int queue, struct duel_why *why);
    enum duel_status (*wait)(void *device, int slot, struct duel_why *why);
    /* Optional: throws everything out of the caches by touching at least twice the last-level cache. */
    enum duel_status (*flush)(void *device, struct duel_why *why);

    /* Optional: measured arithmetic peak in FLOP/s for this input type with `threads` CPU threads (ignored by a GPU).
     */
    enum duel_status (*peak)(void *device, enum duel_dtype in, int threads, double *flops_per_s, struct duel_why *why);
    /* Optional: measured bandwidth of the device's own memory in bytes/s, counted as STREAM does (McCalpin 1995: what
     * the loop reads and writes, no write-allocate), with `bytes` of memory in all arrays together. */
    enum duel_status (*bandwidth)(void *device, enum duel_stream kind, size_t bytes, int threads, double *bytes_per_s,
                                  struct duel_why *why);
};

/* ---- the plug-in ------------------------------------------------------------------------------------------ */

/* Returned by the one exported function of a plug-in:  const struct duel_plugin *duel_plugin(void); */
struct duel_plugin {
    int abi; /* DUEL_ABI; the first field for ever */
    const struct duel_backend *backend;
    const struct duel_impl *const *impls; /* NULL ends the table */
    const struct duel_absence *absent;    /* name == NULL ends the table */
    const char *build;                    /* toolkit, compiler and architectures it was built with */
};

#define DUEL_PLUGIN_ENTRY "duel_plugin"
typedef const struct duel_plugin *duel_plugin_entry(void);

#ifdef __cplusplus
}
#endif
#endif
