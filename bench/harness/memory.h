/* memory.h: what a group of cases will allocate, worked out from the same functions that allocate it. */
#ifndef DUEL_MEMORY_H
#define DUEL_MEMORY_H

#include "bench/harness/plan.h"

/* Bytes alive at once while the group runs. Memory of a device that is the host itself, or emulated, is host memory. */
struct duel_memory {
    uint64_t host, device; /* everything; UINT64_MAX on overflow */
    uint64_t rings;        /* of both, what rotating buffers take */
    uint64_t verifier;     /* of host, what the expected results take */
};
/* Of the runnable cases together, or, with `place`, of those on one place. */
struct duel_memory group_memory(const struct duel_group *group, const struct duel_place *place);

/* Bytes that the last-level caches of a device hold, as it tells them; 64 MiB where it does not, more than most have.
 */
size_t memory_cache_bytes(const struct duel_device_info *info);
/* Copies of the operands span this many times the cache. */
#define MEMORY_RING_TIMES 2
/* hot, flushed or rotated: what --cache and the workload say together. */
enum duel_cache memory_cache_mode(enum duel_cache asked, const struct duel_workload *workload);
/* Rows of a large output that are looked at element by element, within some megabytes; 0 when one row is too much. */
int memory_exact_rows(const struct duel_workload *workload, const struct duel_problem *problem);

#endif
