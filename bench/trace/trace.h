/* trace.h: what an implementation asks of a GPU, counted on the emulated one. A model of the source: no caches, no
 * clocks, no instructions that a compiler merges. What was not counted is NaN or "not measured", never 0. */
#ifndef DUEL_TRACE_H
#define DUEL_TRACE_H

#include <jansson.h>

#include "bench/cards/cards.h"
#include "bench/inspect.h"
#include "bench/registry/registry.h"
#include "bench/verify/when.h"
#include "bench/workload/workload.h"

/* One kernel of the implementation, with everything that was counted. */
struct duel_traced {
    struct duel_trace_kernel about;
    struct duel_trace_line *line;
    struct duel_trace_flops *flops;
    struct duel_trace_meeting *meeting;
    struct duel_trace_sample *sample;
};

struct duel_trace_totals {
    double requests, lanes;               /* of global memory */
    double sectors, sectors_best;         /* of 32 bytes */
    double global_bytes;                  /* sectors x 32 */
    double asked_bytes;                   /* what the threads asked for */
    double shared_requests, shared_bytes; /* asked for */
    double rounds, rounds_best;           /* over the banks of shared memory */
    double flops[DUEL_DTYPES], all_flops; /* all_flops: with those of Tensor Cores */
    double tensor_flops;
    double barriers, atomics;
    double efficiency; /* active lanes / (32 x issues) */
    double passes;     /* of the load units: rounds, and global requests at 128 bytes each */
    double uncertain;  /* requests that were put together by loop rounds */
};

struct duel_trace {
    const struct duel_impl *impl;
    const struct duel_workload *workload;
    struct duel_problem problem;
    struct duel_traced *kernel;
    size_t kernels;
    struct duel_trace_totals total;
    double compulsory_bytes, defined_flops; /* by the workload's definition */
};

struct duel_tracer {
    const struct duel_inspector *inspector;
    struct duel_place place;
    void *library;
};

/* DUEL_SKIP with the reason when this build has no hooked plug-in. */
enum duel_status tracer_open(struct duel_tracer *tracer, struct duel_why *why);
void tracer_close(struct duel_tracer *tracer); /* safe on a zeroed one */
/* Runs the implementation of this name once, on random operands of a square of n, with the first of its precisions that
 * `in` allows (DUEL_NONE: its first). DUEL_SKIP when it launches no kernel that can be watched. */
enum duel_status trace_run(const struct duel_tracer *tracer, const char *name, const struct duel_problem *extent,
                           uint64_t seed, struct duel_trace *trace, struct duel_why *why);
void trace_free(struct duel_trace *trace);
/* Is its answer right at this size, on whole numbers? Into *when, which was zeroed: what a wrong one looks like. */
enum duel_status trace_judge(const struct duel_tracer *tracer, const struct duel_trace *trace, uint64_t seed,
                             struct duel_when *when, struct duel_why *why);

/* totals.c */
void trace_add_up(struct duel_trace *trace);
/* What a card needs to know of it. */
struct duel_work trace_work(const struct duel_trace *trace);
/* "gpu/gemm/tiled.cu" of a path that may begin elsewhere. */
const char *trace_file(const char *path);
/* The file in which the kernels stand: where the most requests come from. */
const char *trace_source_file(const struct duel_trace *trace);

/* registers.c: registers of a thread by gpu/static.csv, whose kernels spill none; 0: not known. */
int trace_registers(const char *implementation, const char *kernel, int capability);

/* lesson.c: three sentences: what changed against `below` (may be NULL), why it matters, what limits it now. */
#define TRACE_SENTENCES 3
void trace_lesson(const struct duel_trace *trace, const struct duel_trace *below, const struct duel_card *card,
                  char sentence[TRACE_SENTENCES][400]);

/* source.c: the lines of an implementation's file. */
struct duel_source {
    char path[4200];
    char **line;
    size_t count;
};
/* The file that holds the kernel: the one with the most requests. DUEL_SKIP when sources are not beside the program. */
enum duel_status source_read(const struct duel_trace *trace, struct duel_source *source, struct duel_why *why);
enum duel_status source_open(const char *path, struct duel_source *source, struct duel_why *why); /* any file */
void source_free(struct duel_source *source);

/* margin.c: text for people. An empty source: only the numbers of its lines. */
void trace_print_source(const struct duel_trace *trace, const struct duel_source *source);
void trace_print_diff(const struct duel_trace *trace, const struct duel_source *source, const struct duel_trace *below,
                      const struct duel_source *below_source);
/* summary.c */
void trace_print_totals(const struct duel_trace *const *trace, size_t count);
void trace_print_occupancy(const struct duel_trace *trace, int capability);
void trace_print_prediction(const struct duel_trace *trace, const struct duel_card *card);

/* json.c: a new reference; NULL without memory. */
json_t *trace_json(const struct duel_trace *trace, int capability, const struct duel_card *card);
/* page.c: a page that needs nothing else. `below` may be NULL, and `card`: no prediction; sentences are for `shown`. */
enum duel_status trace_page(const char *path, const struct duel_trace *trace, const struct duel_trace *below,
                            int capability, const struct duel_card *card, const struct duel_card *shown,
                            struct duel_why *why);

/* table.c */
void trace_csv(FILE *stream, const struct duel_trace *const *trace, size_t count);
/* ladder.c: DIR/plots/traffic.png and its kin; DUEL_SKIP without gnuplot. */
enum duel_status trace_plot(const char *dir, const struct duel_trace *const *trace, size_t count, bool terminal,
                            struct duel_why *why);

const char *trace_number(double value, char *out, size_t size); /* "1.05 M", "not measured" */
const char *trace_bytes(double value, char *out, size_t size);  /* "4.5 MB" */

#endif
