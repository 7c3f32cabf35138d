/* guard.c: zones around what is written, so that writing outside C shows instead of spoiling a neighbour.
 *
 * An OUT operand on the device lies between two zones whose bytes are all 0xFF, NaN in every type. Nothing may change
 * them. A page each: more than any tile reaches beyond the edge, and C keeps its alignment. The emulated GPU has none,
 * because it stops at the first access outside an allocation and zones would hide that. */
#include <string.h>

#include "bench/verify/stage.h"

enum { ZONE = STAGE_GUARD };

size_t guard_bytes(const struct duel_backend *backend, const struct duel_workload *workload, int operand)
{
    return workload->role[operand] == DUEL_OUT && !backend->emulated ? ZONE : 0;
}

static bool has_zones(const struct duel_stage *stage, int operand)
{
    return guard_bytes(stage->backend, stage->workload, operand) > 0;
}

/* The zone before (0) or behind (1) an operand. */
static char *zone_of(const struct duel_stage *stage, int operand, int which)
{
    char *start = stage->on_device[operand];
    const size_t bytes = stage->bytes[operand] ? stage->bytes[operand] : 1;
    return which == 0 ? start - ZONE : start + bytes;
}

enum duel_status guard_fill(const struct duel_stage *stage, int operand, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    for (int which = 0; which < 2 && has_zones(stage, operand) && status == DUEL_OK; which++)
        status = stage->backend->fill(stage->device, zone_of(stage, operand, which), 0xFF, ZONE, why);
    return status;
}

/* The device's memory as the host sees it: itself on the CPU, else a copy. */
static enum duel_status look_at(const struct duel_stage *stage, const char *zone, unsigned char *copy,
                                struct duel_why *why)
{
    const struct duel_backend *backend = stage->backend;
    if (!backend->download) {
        memcpy(copy, zone, ZONE);
        return DUEL_OK;
    }
    enum duel_status status = backend->download(stage->device, copy, zone, ZONE, why);
    return status == DUEL_OK ? backend->sync(stage->device, why) : status;
}

/* Changed bytes of a zone; `nearest` becomes the distance of the nearest one from the operand, 1 for its neighbour. */
static size_t changed(const unsigned char *zone, int which, size_t *nearest)
{
    size_t count = 0;
    for (size_t i = 0; i < ZONE; i++) {
        const size_t distance = which == 0 ? ZONE - i : i + 1;
        if (zone[i] == 0xFF)
            continue;
        *nearest = count++ == 0 || distance < *nearest ? distance : *nearest;
    }
    return count;
}

enum duel_status guard_check(const struct duel_stage *stage, struct duel_why *why)
{
    unsigned char copy[ZONE];
    for (int i = 0; i < stage->workload->operands; i++)
        for (int which = 0; which < 2 && has_zones(stage, i); which++) {
            size_t nearest = 0, count;
            enum duel_status status = look_at(stage, zone_of(stage, i, which), copy, why);
            if (status != DUEL_OK)
                return status;
            if ((count = changed(copy, which, &nearest)) == 0)
                continue;
            guard_fill(stage, i, why); /* the next implementation must not answer for this one */
            return duel_fail(why, DUEL_EVERIFY, "whatever stands there in a real program is destroyed",
                             "look at the edges: which threads or loops go beyond the last row or column",
                             "wrote outside %s: %zu of the %d bytes %s it changed, the nearest %zu bytes from it",
                             stage->workload->operand_name[i], count, ZONE, which == 0 ? "before" : "behind", nearest);
        }
    return DUEL_OK;
}
