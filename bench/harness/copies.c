/* copies.c: all ways of copying one size. The order of work:
 *
 *   1  allocate    host memory of each kind, and what the device needs; pages are written before they are timed
 *   2  prove       each way once, and every byte compared
 *   3  measure     warm up, then samples forwards and backwards through the ways (ABBA) until each is good enough
 *   4  prove       once more */
#include "bench/harness/copies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness/disturbance.h"
#include "bench/harness/interrupt.h"
#include "bench/harness/yard.h"

#define ABOVE_LINK 1.05 /* a rate this far above what the link can carry is no rate */

static const struct duel_copy_kind link_kinds[] = {{WAY_H2D, DUEL_PAGEABLE}, {WAY_H2D, DUEL_PINNED},
                                                   {WAY_D2H, DUEL_PAGEABLE}, {WAY_D2H, DUEL_PINNED},
                                                   {WAY_BOTH, DUEL_PINNED},  {WAY_OVERLAPPED, DUEL_PINNED}};
static const struct duel_copy_kind host_kinds[] = {{WAY_HOST, DUEL_PAGEABLE}};

int copies_kinds(const struct duel_backend *backend, struct duel_copy_kind *kinds)
{
    size_t count = backend->upload ? sizeof link_kinds / sizeof *link_kinds : 1;
    memcpy(kinds, backend->upload ? link_kinds : host_kinds, count * sizeof *kinds);
    return (int)count;
}

const char *copies_memory_name(enum duel_host_memory memory)
{
    return memory == DUEL_PINNED ? "pinned" : "pageable";
}

uint64_t copies_host_bytes(const struct duel_backend *backend, int64_t bytes)
{
    return (uint64_t)bytes * (backend->host_alloc && backend->upload ? 4 : 2);
}

uint64_t copies_device_bytes(const struct duel_backend *backend, int64_t bytes)
{
    return (uint64_t)bytes * (backend->upload ? 2 : 0);
}

/* One way of copying while it is measured. */
struct lane {
    const struct duel_copies *copies;
    struct duel_transfer *row;
    const struct yard_pair *pair;
    struct duel_sampler sampler;
    bool alive;
};

static void fail(struct lane *lane, enum duel_status cause, const struct duel_why *why)
{
    lane->alive = false;
    transfer_fail(lane->row, cause, why->seen[0] ? why->seen : "no reason was given");
}

static void prove(struct yard *yard, struct lane *lane, const char *when)
{
    struct duel_why why = {{0}, {0}, {0}};
    if (!lane->alive)
        return;
    enum duel_status status = yard_prove(yard, lane->pair, lane->row->way, when, &why);
    if (status != DUEL_OK)
        fail(lane, status, &why);
}

static bool out_of_time(const struct yard *yard, const struct lane *lane)
{
    return yard->backend->now(yard->device) >= lane->copies->deadline;
}

static void warm_up(struct yard *yard, struct lane *lane)
{
    struct duel_why why = {{0}, {0}, {0}};
    while (lane->alive && !lane->sampler.warm && !interrupt_pending() && !out_of_time(yard, lane)) {
        double start = yard->backend->now(yard->device), seconds = 0, host_s = 0;
        enum duel_status status = yard_time(yard, lane->pair, lane->row->way, 1, &seconds, &host_s, &why);
        if (status == DUEL_OK)
            sampler_warmup(&lane->sampler, seconds, yard->backend->now(yard->device) - start);
        else
            fail(lane, status, &why);
        lane->row->warmup_runs += lane->alive;
    }
    lane->row->batch = lane->alive ? lane->sampler.batch : 0;
    lane->row->warmup_s = lane->alive ? lane->sampler.warmup_spent_s : NAN;
}

static int64_t interruptions(const struct lane *lane)
{
    return lane->copies->interruptions ? lane->copies->interruptions() : 0;
}

/* All samples are kept; one that other work interrupted is marked as well. */
static bool keep(struct lane *lane, double seconds, double host_s, int64_t interrupted)
{
    struct duel_transfer *row = lane->row;
    bool disturbed = disturbance_spoils(interrupted, host_s * (double)lane->sampler.batch);
    if (disturbed && !samples_add(&row->disturbed, (double)row->time_s.count))
        return false;
    return samples_add(&row->time_s, seconds) && samples_add(&row->host_time_s, host_s);
}

static void sample(struct yard *yard, struct lane *lane)
{
    struct duel_why why = {{0}, {0}, {0}};
    double start = yard->backend->now(yard->device), seconds = 0, host_s = 0;
    if (interrupt_pending()) {
        sampler_stop(&lane->sampler, "interrupted");
        return;
    }
    if (lane->row->time_s.count > 0 && out_of_time(yard, lane)) {
        sampler_stop(&lane->sampler, "budget");
        return;
    }
    int64_t before = interruptions(lane);
    enum duel_status status = yard_time(yard, lane->pair, lane->row->way, lane->sampler.batch, &seconds, &host_s, &why);
    if (status == DUEL_OK && !keep(lane, seconds, host_s, interruptions(lane) - before))
        status = duel_fail(&why, DUEL_ENOMEM, NULL, NULL, "out of memory for samples");
    if (status == DUEL_OK)
        sampler_sample(&lane->sampler, &lane->row->time_s, lane->row->disturbed.count,
                       yard->backend->now(yard->device) - start);
    else
        fail(lane, status, &why);
}

/* Forwards, then backwards: a drift hits the first and the last alike. */
static void take_samples(struct yard *yard, struct lane *lanes, int count)
{
    bool racing = true;
    for (int round = 0; racing; round++) {
        racing = false;
        for (int i = 0; i < count; i++) {
            struct lane *lane = &lanes[round % 2 ? count - 1 - i : i];
            if (!lane->alive || lane->sampler.done)
                continue;
            sample(yard, lane);
            racing = true;
        }
    }
}

/* What is right and measured becomes a rate; a rate that no link carries does not. */
static void finish(const struct duel_copies *copies, struct lane *lane)
{
    struct duel_transfer *row = lane->row;
    if (lane->alive && row->time_s.count > 0) {
        snprintf(row->stop_reason, sizeof row->stop_reason, "%s",
                 lane->sampler.stop_reason ? lane->sampler.stop_reason : "");
        transfer_summarise(row);
        double most = copies->link_gbps * way_directions(row->way);
        if (row->gbps > ABOVE_LINK * most) {
            char reason[200];
            snprintf(reason, sizeof reason,
                     "%.4g GB/s is above the %.4g GB/s that the link can carry: no copy, or a "
                     "wrong clock",
                     row->gbps, most);
            transfer_fail(row, DUEL_EDEVICE, reason);
        }
    } else if (lane->alive) {
        transfer_fail(row, DUEL_SKIP, "interrupted before its first sample");
    }
    sampler_free(&lane->sampler);
}

static void begin(const struct duel_copies *copies, const struct yard *yard, struct lane *lane,
                  const struct duel_copy_kind *kind, struct duel_transfer *row)
{
    struct duel_why why = {{0}, {0}, {0}};
    transfer_init(row, kind->way, copies_memory_name(kind->memory), yard->bytes);
    snprintf(row->device, sizeof row->device, "%s", copies->place->id);
    *lane = (struct lane){.copies = copies, .row = row, .pair = &yard->pair[kind->memory], .alive = true};
    row->allocate_s = lane->pair->allocate_s;
    row->clean_wanted = copies->rules.min_samples;
    sampler_init(&lane->sampler, &copies->rules);
    enum duel_status status = yard_supports(yard, lane->pair, kind->way, &why);
    if (status != DUEL_OK)
        fail(lane, status, &why);
}

static void say(const struct duel_copies *copies, int64_t bytes, const char *doing)
{
    if (copies->step)
        copies->step(copies->context, bytes, doing);
}

static const struct duel_transfer *find(const struct duel_transfer *rows, int count, enum duel_way way,
                                        const char *memory)
{
    for (int i = 0; i < count; i++)
        if (rows[i].way == way && strcmp(rows[i].memory, memory) == 0)
            return &rows[i];
    return NULL;
}

void copies_measure(const struct duel_copies *copies, int64_t bytes, struct duel_transfer *rows)
{
    struct duel_copy_kind kinds[COPIES_MOST];
    struct lane lanes[COPIES_MOST];
    struct yard yard;
    const int count = copies_kinds(copies->place->backend, kinds);
    say(copies, bytes, "allocating");
    yard_open(&yard, copies->place, bytes, copies->seed);
    for (int i = 0; i < count; i++)
        begin(copies, &yard, &lanes[i], &kinds[i], &rows[i]);
    for (int i = 0; i < count; i++)
        prove(&yard, &lanes[i], "before");
    for (int i = 0; i < count; i++) {
        say(copies, bytes, "warming up");
        warm_up(&yard, &lanes[i]);
    }
    say(copies, bytes, "copying, interleaved");
    take_samples(&yard, lanes, count);
    say(copies, bytes, "comparing");
    for (int i = 0; i < count; i++)
        prove(&yard, &lanes[i], "after");
    for (int i = 0; i < count; i++)
        finish(copies, &lanes[i]);
    for (int i = 0; i < count; i++)
        if (way_directions(rows[i].way) == 2)
            transfer_overlap(&rows[i], find(rows, count, WAY_H2D, rows[i].memory),
                             find(rows, count, WAY_D2H, rows[i].memory));
    yard_close(&yard);
}
