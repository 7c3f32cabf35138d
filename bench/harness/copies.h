/* copies.h: how long bytes take between host and device, for one size and every way of copying it. Without a device
 * that copies, host memory to host memory stands in, and says so. */
#ifndef DUEL_COPIES_H
#define DUEL_COPIES_H

#include "bench/harness/sampler.h"
#include "bench/record/transfer.h"
#include "bench/registry/registry.h"

#define COPIES_MOST 6
/* Round trips in pieces: fewer leave the ends uncovered, more pay the fixed cost more often. */
#define COPIES_CHUNKS 8
#define COPIES_CHUNK_LEAST ((int64_t)128 << 10)

struct duel_copies {
    struct duel_place *place; /* open */
    struct duel_sampler_rules rules;
    uint64_t seed;
    /* How often this process was interrupted so far; NULL: not known, so no sample counts as disturbed. */
    int64_t (*interruptions)(void);
    double deadline;  /* host clock of the place; INFINITY without a budget */
    double link_gbps; /* one direction; a rate above 1.05 of it is an error. NaN: unknown */
    /* Told before each step, for progress and telemetry; may be NULL. */
    void (*step)(void *context, int64_t bytes, const char *doing);
    void *context;
};

/* The ways and host memories of a place, in the order of rows. Returns how many, at most COPIES_MOST. */
struct duel_copy_kind {
    enum duel_way way;
    enum duel_host_memory memory;
};
int copies_kinds(const struct duel_backend *backend, struct duel_copy_kind *kinds);
const char *copies_memory_name(enum duel_host_memory memory); /* "pageable", "pinned" */
/* Host and device memory that one size takes. */
uint64_t copies_host_bytes(const struct duel_backend *backend, int64_t bytes);
uint64_t copies_device_bytes(const struct duel_backend *backend, int64_t bytes);

/* Measures all kinds at one size, interleaved, each one compared byte by byte before and after. rows[i] belongs to kind
 * i; they are initialised here and released by the caller with transfer_free. What fails is a FAILED row, what this
 * back end cannot do is a skipped one. Interrupts end it early; what was measured stays. */
void copies_measure(const struct duel_copies *copies, int64_t bytes, struct duel_transfer *rows);

/* copies_share.c: with a budget. How fast the memory of a size is made and its copies proven, before that is known: */
#define COPIES_MAKING_BYTES_PER_S 1e9
#define COPIES_TELLING ((int64_t)1 << 20) /* a smaller size takes no time that could be told from others */
/* Seconds that one size takes at least. */
double copies_making_s(int64_t bytes, int kinds, double bytes_per_s);
/* How many of these rising sizes fit into the time that is left, and the time limit of each way and size among them. */
struct duel_copies_share {
    int fit;
    double timeout_s;
};
struct duel_copies_share copies_share(const int64_t *size, int sizes, int kinds, double left_s, double bytes_per_s,
                                      double limit_s);
/* The same rate as it was for these rows of one size, which took so long; or the old one where they tell nothing. */
double copies_rate(const struct duel_transfer *rows, int count, double spent_s, double bytes_per_s);

#endif
