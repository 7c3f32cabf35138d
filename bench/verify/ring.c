/* ring.c: rotating buffers. What the last lap left in the caches is evicted before it is used again, as it is in a
 * program that works on fresh data every time; `hot` would show the speed of the cache instead. */
#include <stdlib.h>
#include <string.h>

#include "bench/verify/stage.h"

#define RING_MOST 4096

static enum duel_status no_memory(struct duel_why *why, int count)
{
    return duel_fail(why, DUEL_ENOMEM, "rotating buffers need twice the size of the cache",
                     "give --cache hot, or a larger --n", "no memory for %d copies of the operands", count);
}

static enum duel_status copy_operand(struct duel_ring *ring, int copy, int i, struct duel_why *why)
{
    const struct duel_stage *stage = ring->stage;
    const struct duel_backend *backend = stage->backend;
    size_t bytes = stage->bytes[i] ? stage->bytes[i] : 1;
    enum duel_status status = backend->alloc(stage->device, bytes, &ring->copy[copy][i], why);
    if (status != DUEL_OK)
        return status;
    if (backend->upload)
        return backend->upload(stage->device, ring->copy[copy][i], stage->host[i].data, stage->bytes[i], why);
    memcpy(ring->copy[copy][i], stage->host[i].data, stage->bytes[i]);
    return DUEL_OK;
}

enum duel_status ring_open(struct duel_ring *ring, const struct duel_stage *stage, size_t bytes, struct duel_why *why)
{
    size_t own = 0;
    memset(ring, 0, sizeof *ring);
    for (int i = 0; i < stage->workload->operands; i++)
        own += stage->bytes[i];
    size_t count = own > 0 ? (bytes + own - 1) / own : 1;
    ring->stage = stage;
    ring->count = (int)(count > RING_MOST ? RING_MOST : count > 1 ? count : 1);
    if (ring->count == 1)
        return DUEL_OK;
    ring->copy = calloc((size_t)ring->count - 1, sizeof *ring->copy);
    enum duel_status status = ring->copy ? DUEL_OK : no_memory(why, ring->count);
    for (int c = 0; c < ring->count - 1 && status == DUEL_OK; c++)
        for (int i = 0; i < stage->workload->operands && status == DUEL_OK; i++)
            status = copy_operand(ring, c, i, why);
    if (status == DUEL_OK)
        status = stage->backend->sync(stage->device, why);
    if (status != DUEL_OK)
        ring_close(ring);
    return status;
}

void ring_close(struct duel_ring *ring)
{
    for (int c = 0; ring->copy && c < ring->count - 1; c++)
        for (int i = 0; i < ring->stage->workload->operands; i++)
            if (ring->copy[c][i])
                ring->stage->backend->release(ring->stage->device, ring->copy[c][i]);
    free(ring->copy);
    memset(ring, 0, sizeof *ring);
}

void ring_turn(struct duel_ring *ring, struct duel_call *call)
{
    if (ring->count <= 1)
        return;
    ring->next = (ring->next + 1) % ring->count;
    const void *from = ring->next == 0 ? ring->stage->on_device : ring->copy[ring->next - 1];
    memcpy(call->operand, from, sizeof call->operand);
}
