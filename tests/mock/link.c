#include "tests/mock/link.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum duel_status link_alloc(void *device, size_t bytes, void **pointer, struct duel_why *why)
{
    (void)why;
    *pointer = malloc(bytes);
    ((struct link *)device)->allocations += *pointer != NULL;
    return *pointer ? DUEL_OK : DUEL_ENOMEM;
}

static void link_release(void *device, void *pointer)
{
    ((struct link *)device)->allocations--;
    free(pointer);
}

static enum duel_status link_host_alloc(void *device, size_t bytes, enum duel_host_memory kind, void **pointer,
                                        struct duel_why *why)
{
    (void)kind;
    return link_alloc(device, bytes, pointer, why);
}

static void link_host_release(void *device, enum duel_host_memory kind, void *pointer)
{
    (void)kind;
    link_release(device, pointer);
}

static enum duel_status link_fill(void *device, void *pointer, int byte, size_t bytes, struct duel_why *why)
{
    (void)device;
    (void)why;
    memset(pointer, byte, bytes);
    return DUEL_OK;
}

static void move(struct link *link, int direction, size_t bytes)
{
    double *engine = &link->engine_s[link->half_duplex ? 0 : direction], *queue = &link->queue_s[link->selected];
    double start = fmax(fmax(*engine, *queue), link->host_s);
    *engine = *queue = start + LINK_FIXED_S + (double)bytes / LINK_RATE;
}

static enum duel_status link_upload(void *device, void *to, const void *from, size_t bytes, struct duel_why *why)
{
    (void)why;
    memcpy(to, from, bytes);
    move(device, 0, bytes);
    return DUEL_OK;
}

static enum duel_status link_download(void *device, void *to, const void *from, size_t bytes, struct duel_why *why)
{
    struct link *link = device;
    (void)why;
    memcpy(to, from, bytes);
    link->downloads++;
    if (link->corrupt_from > 0 && link->downloads >= link->corrupt_from)
        ((unsigned char *)to)[bytes / 2] ^= 1;
    move(link, 1, bytes);
    return DUEL_OK;
}

static enum duel_status link_mark(void *device, int slot, struct duel_why *why)
{
    struct link *link = device;
    (void)why;
    link->mark_s[slot] = fmax(link->queue_s[link->selected], link->host_s);
    return DUEL_OK;
}

static enum duel_status link_elapsed(void *device, int from, int to, double *seconds, struct duel_why *why)
{
    const struct link *link = device;
    (void)why;
    *seconds = link->mark_s[to] - link->mark_s[from];
    return DUEL_OK;
}

static enum duel_status link_sync(void *device, struct duel_why *why)
{
    struct link *link = device;
    (void)why;
    link->host_s = fmax(link->host_s, fmax(link->queue_s[0], link->queue_s[1]));
    return DUEL_OK;
}

static double link_now(void *device)
{
    return ((struct link *)device)->host_s;
}

static enum duel_status link_select(void *device, int queue, struct duel_why *why)
{
    (void)why;
    ((struct link *)device)->selected = queue;
    return DUEL_OK;
}

static enum duel_status link_wait(void *device, int slot, struct duel_why *why)
{
    struct link *link = device;
    (void)why;
    link->queue_s[link->selected] = fmax(link->queue_s[link->selected], link->mark_s[slot]);
    return DUEL_OK;
}

#define ONE_QUEUE                                                                                           \
    .name = "link", .alloc = link_alloc, .release = link_release, .fill = link_fill, .upload = link_upload, \
    .download = link_download, .mark = link_mark, .elapsed = link_elapsed, .sync = link_sync, .now = link_now

const struct duel_backend plain_link = {ONE_QUEUE};
const struct duel_backend full_link = {ONE_QUEUE, .host_alloc = link_host_alloc, .host_release = link_host_release,
                                       .select = link_select, .wait = link_wait};
