/* roofs.h: the ceilings of a device, and what stands under them. */
#ifndef DUEL_ROOFS_H
#define DUEL_ROOFS_H

#include "bench/record/roof.h"
#include "bench/registry/registry.h"

#define ROOFS_MOST 256
#define ROOFS_LEVELS 5
#define ROOFS_ABOVE 1.05 /* a point this far above its roof is an error */

struct duel_roofs {
    struct duel_roof roof[ROOFS_MOST];
    size_t count;
};

/* A memory level as `threads` threads see it together. */
struct duel_level {
    char name[16];                              /* "L1", "memory" */
    uint64_t capacity_bytes, working_set_bytes; /* the latter fits this level and no nearer one; 0: why */
    char why[160];
};

/* The levels of a device by its properties, nearest first; at most ROOFS_LEVELS. */
int roofs_levels(const struct duel_device_info *info, int threads, struct duel_level *level);

struct duel_roofs_request {
    struct duel_place *place; /* open */
    unsigned precisions;      /* bit 1 << enum duel_dtype, */
    unsigned first;           /* and those of them that rows need, which come first */
    const int *threads;       /* thread counts; one 0 on a GPU */
    int thread_counts;
    double deadline; /* host clock of the place; INFINITY without a budget */
    /* Told before each step; may be NULL. false ends the measurement. */
    bool (*step)(void *context, const char *doing);
    void *context;
};

/* Tries every ceiling of the request once more; the highest try counts. What cannot be measured is kept with its
 * reason; so is what would not be done by the deadline. Arithmetic comes first, then the loop that is fastest on most
 * machines over every level, so that a short time gives the ceilings that rows are held against. */
void roofs_measure(struct duel_roofs *roofs, const struct duel_roofs_request *request);

/* The measured peak of at most so many threads, or NULL. */
const struct duel_roof *roofs_peak(const struct duel_roofs *roofs, const char *device, enum duel_dtype in, int threads);
/* The fastest loop over the level of this rank with at most so many threads, or NULL: other loops read and write in
 * another mixture. */
const struct duel_roof *roofs_level(const struct duel_roofs *roofs, const char *device, int rank, int threads);

/* Where a result of `impl` stands (NULL: nothing is known of its traffic). A result without a time keeps its status and
 * reason; one above ROOFS_ABOVE of its roof is FAILED. */
void roofs_place(const struct duel_roofs *roofs, const struct duel_result *result, const struct duel_impl *impl,
                 struct duel_placement *placement);

#endif
