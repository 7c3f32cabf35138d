/* ring.c: rotating buffers. What the last lap left in the caches is evicted before it is used again, as it is in a
 * program that works on fresh data every time; `hot` would show the speed of the cache instead.
 *
 * All copies lie in one block, slot after slot: small operands need a hundred thousand of them, and an allocation each
 * would cost more memory and time than the numbers in it. */
#include <stdlib.h>
#include <string.h>

#include "bench/verify/stage.h"

#define SLOT_ALIGN ((size_t)256) /* what a GPU's allocator promises; kernels may count on it */
#define LINE ((size_t)64)        /* the least that an operand takes in a cache, however small it is */
#define STAGING ((size_t)1 << 20)

static size_t round_up(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

/* Slots that a lap needs, with the stage itself as the first. A stage that is large enough by itself needs no other. */
static struct duel_ring layout(const struct duel_workload *workload, const size_t *bytes, size_t span)
{
    struct duel_ring ring = {.count = 1};
    size_t touched = 0;
    for (int i = 0; i < workload->operands; i++) {
        if (bytes[i] >= span)
            return ring;
        ring.offset[i] = ring.slot_bytes;
        ring.slot_bytes += round_up(bytes[i] + (bytes[i] == 0), SLOT_ALIGN);
        touched += round_up(bytes[i], LINE);
    }
    ring.count = touched > 0 && touched < span ? (int64_t)((span + touched - 1) / touched) : 1;
    return ring;
}

/* On their way to a device copies go through host memory, as many at a time as fit there. */
static size_t staged_at_once(const struct duel_ring *ring)
{
    const size_t most = ring->slot_bytes < STAGING ? STAGING / ring->slot_bytes : 1;
    return most < (size_t)ring->count - 1 ? most : (size_t)ring->count - 1;
}

void ring_need(const struct duel_backend *backend, const struct duel_workload *workload, const size_t *bytes,
               size_t span, uint64_t *host, uint64_t *device)
{
    const struct duel_ring ring = layout(workload, bytes, span);
    const bool copies = backend->upload != NULL;
    const uint64_t block = (uint64_t)(ring.count - 1) * ring.slot_bytes;
    *host = !copies ? block : ring.count > 1 ? (uint64_t)(staged_at_once(&ring) * ring.slot_bytes) : 0;
    *device = copies ? block : 0;
}

static void fill_slot(const struct duel_ring *ring, char *slot)
{
    for (int i = 0; i < ring->stage->workload->operands; i++)
        memcpy(slot + ring->offset[i], ring->stage->host[i].data, ring->stage->bytes[i]);
}

static enum duel_status upload_slots(const struct duel_ring *ring, struct duel_why *why)
{
    const struct duel_backend *backend = ring->stage->backend;
    const size_t most = staged_at_once(ring), slots = (size_t)ring->count - 1;
    char *staging = calloc(most, ring->slot_bytes); /* zeroed: what lies between operands is copied as well */
    enum duel_status status = DUEL_OK;
    if (!staging)
        return duel_fail(why, DUEL_ENOMEM, "rotating buffers are filled through it", "close other programs",
                         "no %zu bytes of host memory for copies of the operands", most * ring->slot_bytes);
    for (size_t i = 0; i < most; i++)
        fill_slot(ring, staging + i * ring->slot_bytes);
    for (size_t done = 0; done < slots && status == DUEL_OK; done += most) {
        const size_t count = slots - done < most ? slots - done : most;
        status = backend->upload(ring->stage->device, ring->block + done * ring->slot_bytes, staging,
                                 count * ring->slot_bytes, why);
    }
    if (status == DUEL_OK)
        status = backend->sync(ring->stage->device, why);
    free(staging);
    return status;
}

enum duel_status ring_open(struct duel_ring *ring, const struct duel_stage *stage, size_t span, struct duel_why *why)
{
    void *block = NULL;
    *ring = layout(stage->workload, stage->bytes, span);
    ring->stage = stage;
    if (ring->count == 1)
        return DUEL_OK;
    const size_t slots = (size_t)ring->count - 1;
    enum duel_status status = stage->backend->alloc(stage->device, slots * ring->slot_bytes, &block, why);
    if (status != DUEL_OK) {
        memset(ring, 0, sizeof *ring);
        return duel_fail(why, status, "rotating buffers need twice the size of the cache",
                         "give --cache hot, or a larger --n", "no memory for %zu copies of the operands, %zu MiB",
                         slots, slots * ring->slot_bytes >> 20);
    }
    ring->block = block;
    if (stage->backend->upload)
        status = upload_slots(ring, why);
    else
        for (size_t i = 0; i < slots; i++)
            fill_slot(ring, ring->block + i * ring->slot_bytes);
    if (status != DUEL_OK)
        ring_close(ring);
    return status;
}

void ring_close(struct duel_ring *ring)
{
    if (ring->block)
        ring->stage->backend->release(ring->stage->device, ring->block);
    memset(ring, 0, sizeof *ring);
}

void ring_turn(struct duel_ring *ring, struct duel_call *call)
{
    if (ring->count <= 1)
        return;
    ring->next = (ring->next + 1) % ring->count;
    char *slot = ring->block + (size_t)(ring->next - 1) * ring->slot_bytes;
    for (int i = 0; i < ring->stage->workload->operands; i++)
        call->operand[i] = ring->next == 0 ? ring->stage->on_device[i] : slot + ring->offset[i];
}
