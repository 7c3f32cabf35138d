/* memory.c: bytes of a group before anything is allocated. Lanes of one device and type share operands, expected
 * result and rotating copies, as the runner shares them; each has a workspace of its own. */
#include "bench/harness/memory.h"

#include <string.h>

#include "bench/verify/stage.h"
#include "bench/verify/verify.h"

#define EXACT_ROWS 4
#define EXACT_BYTES ((uint64_t)16 << 20)
#define FLUSH_LEAST ((uint64_t)64 << 20) /* of the buffer that pushes everything else out of a CPU's caches */

size_t memory_cache_bytes(const struct duel_device_info *info)
{
    static const struct {
        const char *name;
        double unit;
    } known[] = {{"caches_of_usable_cpus_kib", 1024}, {"l3_kib", 1024}, {"l2_cache_bytes", 1}, {"l2_kib", 1024}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        for (int i = 0; i < info->property_count; i++)
            if (strcmp(info->property[i].name, known[k].name) == 0 && info->property[i].number > 0)
                return (size_t)(info->property[i].number * known[k].unit);
    return (size_t)64 << 20;
}

enum duel_cache memory_cache_mode(enum duel_cache asked, const struct duel_workload *workload)
{
    if (asked != DUEL_CACHE_AUTO)
        return asked;
    return workload->memory_bound ? DUEL_CACHE_ROTATED : DUEL_CACHE_HOT;
}

int memory_exact_rows(const struct duel_workload *workload, const struct duel_problem *problem)
{
    const uint64_t fit = EXACT_BYTES / verify_row_bytes(workload, problem);
    return fit < EXACT_ROWS ? (int)fit : EXACT_ROWS;
}

static bool same_stage(const struct duel_case *a, const struct duel_case *b)
{
    return a->place == b->place && a->problem.types.in == b->problem.types.in &&
           a->problem.types.out == b->problem.types.out;
}

static bool counted_before(const struct duel_group *group, int at)
{
    for (int i = 0; i < at; i++)
        if (!group->cases[i].skip[0] && same_stage(&group->cases[i], &group->cases[at]))
            return true;
    return false;
}

/* Sums stay at UINT64_MAX once they are there. */
static void add(uint64_t *sum, uint64_t bytes)
{
    *sum = bytes > UINT64_MAX - *sum ? UINT64_MAX : *sum + bytes;
}

static void add_stage(const struct duel_group *group, const struct duel_case *item, struct duel_memory *memory)
{
    const struct duel_backend *backend = item->place->backend;
    const struct duel_workload *workload = group->workload;
    struct duel_need need;
    uint64_t host = 0, device = 0;
    if (stage_need(backend, workload, &item->problem, &need, NULL) != DUEL_OK) {
        memory->host = UINT64_MAX;
        return;
    }
    if (group->cache == DUEL_CACHE_ROTATED && !backend->emulated)
        ring_need(backend, workload, need.operand, MEMORY_RING_TIMES * memory_cache_bytes(&item->place->info), &host,
                  &device);
    add(&memory->rings, host + device);
    add(&memory->verifier, expectation_bytes(workload, &item->problem));
    add(&memory->host, need.host);
    add(&memory->host, host);
    add(backend->emulated ? &memory->host : &memory->device, need.device);
    add(&memory->device, device);
}

/* What flushing the caches of a CPU reads. */
static uint64_t flush_bytes(const struct duel_group *group, const struct duel_case *item)
{
    const uint64_t twice = 2 * (uint64_t)memory_cache_bytes(&item->place->info);
    if (group->cache != DUEL_CACHE_FLUSHED || !item->place->backend->flush || item->place->backend->upload)
        return 0;
    return twice > FLUSH_LEAST ? twice : FLUSH_LEAST;
}

struct duel_memory group_memory(const struct duel_group *group, const struct duel_place *place)
{
    struct duel_memory memory = {0, 0, 0, 0};
    uint64_t rows = 0, flush = 0; /* for one case after the other */
    for (int i = 0; i < group->count; i++) {
        const struct duel_case *item = &group->cases[i];
        if (item->skip[0] || (place && item->place != place))
            continue;
        const bool on_host = !item->place->backend->upload || item->place->backend->emulated;
        add(on_host ? &memory.host : &memory.device, item->impl->workspace ? item->impl->workspace(&item->problem) : 0);
        if (!counted_before(group, i))
            add_stage(group, item, &memory);
        const uint64_t own = (uint64_t)memory_exact_rows(group->workload, &item->problem) *
                             verify_row_bytes(group->workload, &item->problem);
        rows = own > rows ? own : rows;
        flush = flush_bytes(group, item) > flush ? flush_bytes(group, item) : flush;
    }
    add(&memory.verifier, rows);
    add(&memory.host, memory.verifier);
    add(&memory.host, flush);
    return memory;
}
