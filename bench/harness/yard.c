/* yard.c: buffers, copies in one or two queues, and the comparison of bytes. */
#include "bench/harness/yard.h"
#include "bench/harness/try.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness/copies.h"

enum { MARK_START, MARK_FIRST, MARK_SECOND, MARK_DONE, MARK_CHUNK }; /* chunks take two in turn from MARK_CHUNK on */

/* ---- memory -------------------------------------------------------------------------------------------------------
 */

/* splitmix64 (Steele, Lea and Flood 2014): no byte can be guessed from its neighbours, so that a shifted, stale or
 * missing piece shows. */
static void fill_random(unsigned char *to, size_t bytes, uint64_t state)
{
    for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
        uint64_t z = (state += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z ^= z >> 31;
        memcpy(to + at, &z, bytes - at < sizeof z ? bytes - at : sizeof z);
    }
}

static enum duel_status host_memory(const struct yard *yard, enum duel_host_memory memory, unsigned char **pointer,
                                    struct duel_why *why)
{
    void *block = NULL;
    enum duel_status status;
    if (yard->backend->host_alloc)
        status = yard->backend->host_alloc(yard->device, (size_t)yard->bytes, memory, &block, why);
    else if (memory == DUEL_PINNED)
        return duel_fail(why, DUEL_SKIP, NULL, NULL, "this device has no pinned host memory");
    else
        status = (block = malloc((size_t)yard->bytes))
                     ? DUEL_OK
                     : duel_fail(why, DUEL_ENOMEM, NULL, NULL, "%lld bytes of host memory were refused",
                                 (long long)yard->bytes);
    *pointer = block;
    return status;
}

static void release_host(const struct yard *yard, enum duel_host_memory memory, unsigned char *pointer)
{
    if (pointer && yard->backend->host_release)
        yard->backend->host_release(yard->device, memory, pointer);
    else
        free(pointer);
}

/* Written all over before it is timed: fresh pages would be counted as copying. */
static void open_pair(struct yard *yard, enum duel_host_memory memory, uint64_t seed)
{
    struct yard_pair *pair = &yard->pair[memory];
    double start = yard->backend->now(yard->device);
    pair->memory = memory;
    pair->status = host_memory(yard, memory, &pair->from, &pair->why);
    if (pair->status == DUEL_OK)
        pair->status = host_memory(yard, memory, &pair->to, &pair->why);
    pair->allocate_s = yard->backend->now(yard->device) - start;
    if (pair->status != DUEL_OK)
        return;
    fill_random(pair->from, (size_t)yard->bytes, seed);
    memset(pair->to, 0xFF, (size_t)yard->bytes);
}

static enum duel_status open_device_memory(struct yard *yard, const struct yard_pair *pair, struct duel_why *why)
{
    const struct duel_backend *backend = yard->backend;
    const size_t bytes = (size_t)yard->bytes;
    TRY(backend->alloc(yard->device, bytes, &yard->in, why));
    TRY(backend->alloc(yard->device, bytes, &yard->out, why));
    TRY(backend->upload(yard->device, yard->out, pair->from, bytes, why));
    return backend->sync(yard->device, why);
}

void yard_open(struct yard *yard, struct duel_place *place, int64_t bytes, uint64_t seed)
{
    *yard = (struct yard){.backend = place->backend, .device = place->device, .bytes = bytes};
    open_pair(yard, DUEL_PAGEABLE, seed);
    if (!yard->backend->upload)
        return;
    open_pair(yard, DUEL_PINNED, seed);
    const struct yard_pair *pair = &yard->pair[DUEL_PAGEABLE];
    yard->why = pair->why;
    yard->status = pair->status == DUEL_OK ? open_device_memory(yard, pair, &yard->why) : pair->status;
}

void yard_close(struct yard *yard)
{
    for (int i = 0; i < 2; i++) {
        release_host(yard, yard->pair[i].memory, yard->pair[i].from);
        release_host(yard, yard->pair[i].memory, yard->pair[i].to);
    }
    if (yard->in)
        yard->backend->release(yard->device, yard->in);
    if (yard->out)
        yard->backend->release(yard->device, yard->out);
    memset(yard, 0, sizeof *yard);
}

static bool two_queues(enum duel_way way)
{
    return way == WAY_BOTH || way == WAY_OVERLAPPED;
}

enum duel_status yard_supports(const struct yard *yard, const struct yard_pair *pair, enum duel_way way,
                               struct duel_why *why)
{
    const enum duel_status status = pair->status != DUEL_OK ? pair->status : yard->status;
    if (status != DUEL_OK) {
        *why = pair->status != DUEL_OK ? pair->why : yard->why;
        return status;
    }
    if (two_queues(way) && (!yard->backend->select || !yard->backend->wait))
        return duel_fail(why, DUEL_SKIP, NULL, NULL, "this device has one queue: copies cannot run side by side");
    if (way == WAY_OVERLAPPED && yard->bytes < COPIES_CHUNKS * COPIES_CHUNK_LEAST)
        return duel_fail(why, DUEL_SKIP, NULL, NULL, "less than %lld bytes are not worth cutting into %d pieces",
                         (long long)(COPIES_CHUNKS * COPIES_CHUNK_LEAST), COPIES_CHUNKS);
    return DUEL_OK;
}

/* ---- one copy -----------------------------------------------------------------------------------------------------
 */

typedef enum duel_status copy_once(struct yard *yard, const struct yard_pair *pair, struct duel_why *why);

static enum duel_status copy_in(struct yard *yard, const struct yard_pair *pair, struct duel_why *why)
{
    return yard->backend->upload(yard->device, yard->in, pair->from, (size_t)yard->bytes, why);
}

static enum duel_status copy_out(struct yard *yard, const struct yard_pair *pair, struct duel_why *why)
{
    return yard->backend->download(yard->device, pair->to, yard->out, (size_t)yard->bytes, why);
}

static enum duel_status copy_both(struct yard *yard, const struct yard_pair *pair, struct duel_why *why)
{
    TRY(copy_in(yard, pair, why));
    TRY(yard->backend->select(yard->device, 1, why));
    enum duel_status status = copy_out(yard, pair, why);
    TRY(yard->backend->select(yard->device, 0, status == DUEL_OK ? why : NULL));
    return status;
}

/* A chunk is copied back as soon as it has arrived, while the next one is on its way. */
static enum duel_status copy_chunk(struct yard *yard, const struct yard_pair *pair, int chunk, struct duel_why *why)
{
    const struct duel_backend *backend = yard->backend;
    const size_t whole = (size_t)yard->bytes, from = whole / COPIES_CHUNKS * (size_t)chunk;
    const size_t bytes = chunk == COPIES_CHUNKS - 1 ? whole - from : whole / COPIES_CHUNKS;
    const int arrived = MARK_CHUNK + chunk % 2;
    TRY(backend->upload(yard->device, (char *)yard->in + from, pair->from + from, bytes, why));
    TRY(backend->mark(yard->device, arrived, why));
    TRY(backend->select(yard->device, 1, why));
    TRY(backend->wait(yard->device, arrived, why));
    TRY(backend->download(yard->device, pair->to + from, (char *)yard->in + from, bytes, why));
    return backend->select(yard->device, 0, why);
}

/* The next round trip of a batch begins when this one has ended, so that its own ends count. */
static enum duel_status copy_overlapped(struct yard *yard, const struct yard_pair *pair, struct duel_why *why)
{
    const struct duel_backend *backend = yard->backend;
    for (int chunk = 0; chunk < COPIES_CHUNKS; chunk++)
        TRY(copy_chunk(yard, pair, chunk, why));
    TRY(backend->select(yard->device, 1, why));
    TRY(backend->mark(yard->device, MARK_DONE, why));
    TRY(backend->select(yard->device, 0, why));
    return backend->wait(yard->device, MARK_DONE, why);
}

static enum duel_status copy_host(struct yard *yard, const struct yard_pair *pair, struct duel_why *why)
{
    (void)why;
    memcpy(pair->to, pair->from, (size_t)yard->bytes);
    return DUEL_OK;
}

static copy_once *const copy_table[WAYS] = {[WAY_H2D] = copy_in,
                                            [WAY_D2H] = copy_out,
                                            [WAY_BOTH] = copy_both,
                                            [WAY_OVERLAPPED] = copy_overlapped,
                                            [WAY_HOST] = copy_host};

/* ---- right? -------------------------------------------------------------------------------------------------------
 */

/* Nothing is under way, and queue 0 is selected: a copy that failed may have left the other one. */
static enum duel_status settle(struct yard *yard, struct duel_why *why)
{
    if (yard->backend->select)
        TRY(yard->backend->select(yard->device, 0, why));
    return yard->backend->sync(yard->device, why);
}

static enum duel_status compare(const struct yard *yard, const struct yard_pair *pair, const char *when,
                                struct duel_why *why)
{
    if (memcmp(pair->from, pair->to, (size_t)yard->bytes) == 0)
        return DUEL_OK;
    int64_t at = 0;
    while (pair->from[at] == pair->to[at])
        at++;
    return duel_fail(why, DUEL_EVERIFY, NULL, NULL, "wrong bytes %s timing: byte %lld went as %d and came back as %d",
                     when, (long long)at, pair->from[at], pair->to[at]);
}

enum duel_status yard_prove(struct yard *yard, const struct yard_pair *pair, enum duel_way way, const char *when,
                            struct duel_why *why)
{
    const struct duel_backend *backend = yard->backend;
    const size_t bytes = (size_t)yard->bytes;
    TRY(settle(yard, why));
    memset(pair->to, 0xFF, bytes);
    if (yard->in)
        TRY(backend->fill(yard->device, yard->in, 0xFF, bytes, why));
    TRY(backend->sync(yard->device, why));
    TRY(copy_table[way](yard, pair, why));
    TRY(backend->sync(yard->device, why));
    if (way != WAY_H2D)
        TRY(compare(yard, pair, when, why));
    if (way != WAY_H2D && way != WAY_BOTH)
        return DUEL_OK;
    memset(pair->to, 0xFF, bytes); /* what was uploaded is fetched and compared too */
    TRY(backend->download(yard->device, pair->to, yard->in, bytes, why));
    TRY(backend->sync(yard->device, why));
    return compare(yard, pair, when, why);
}

/* ---- time ---------------------------------------------------------------------------------------------------------
 */

static enum duel_status enqueue(struct yard *yard, const struct yard_pair *pair, enum duel_way way, int64_t batch,
                                struct duel_why *why)
{
    const struct duel_backend *backend = yard->backend;
    TRY(backend->mark(yard->device, MARK_START, why));
    if (two_queues(way)) {
        TRY(backend->select(yard->device, 1, why));
        TRY(backend->wait(yard->device, MARK_START, why));
        TRY(backend->select(yard->device, 0, why));
    }
    for (int64_t i = 0; i < batch; i++)
        TRY(copy_table[way](yard, pair, why));
    TRY(backend->mark(yard->device, MARK_FIRST, why));
    if (two_queues(way)) {
        TRY(backend->select(yard->device, 1, why));
        TRY(backend->mark(yard->device, MARK_SECOND, why));
        TRY(backend->select(yard->device, 0, why));
    }
    return DUEL_OK;
}

/* Both queues count: it takes as long as the slower one. */
enum duel_status yard_time(struct yard *yard, const struct yard_pair *pair, enum duel_way way, int64_t batch,
                           double *seconds, double *host_s, struct duel_why *why)
{
    const struct duel_backend *backend = yard->backend;
    double first = 0, second = 0;
    TRY(settle(yard, why));
    double start = backend->now(yard->device);
    TRY(enqueue(yard, pair, way, batch, why));
    TRY(backend->sync(yard->device, why));
    double host = backend->now(yard->device) - start;
    TRY(backend->elapsed(yard->device, MARK_START, MARK_FIRST, &first, why));
    if (two_queues(way))
        TRY(backend->elapsed(yard->device, MARK_START, MARK_SECOND, &second, why));
    first = fmax(first, second);
    if (!(first > 0) || !isfinite(first))
        return duel_fail(why, DUEL_EDEVICE, NULL, NULL, "the clock gave %g s for %lld copies of %lld bytes", first,
                         (long long)batch, (long long)yard->bytes);
    /* The device cannot have copied longer than the host waited for it; 10 us and 5 % allow for both clocks. */
    if (first > 1.05 * host + 10e-6)
        return duel_fail(why, DUEL_EDEVICE, NULL, NULL, "device clock %g s, host clock %g s for the same copies", first,
                         host);
    *seconds = first / (double)batch;
    *host_s = host / (double)batch;
    return DUEL_OK;
}
