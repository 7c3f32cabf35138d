/* flush.c: throws everything out of the caches by reading twice as much as all of them hold.
 *
 * Idea     Lines that are read push out older ones. Reading, not writing: what it leaves behind is clean, so that the
 *          next kernel need not write back lines that it never touched. Dirty lines of the operands are written back
 *          here, outside any timed interval.
 * Who      Every core has caches of its own, which only itself can fill. So each usable CPU reads a share, from a
 * thread of its own that is bound to it and ends with the flush; the threads of kernels stay where they are. A share is
 *          twice the private caches of its CPU and twice its part of what it shares.
 * Limits   A virtual machine may hide caches or show smaller ones than there are: at least LEAST is read, and whether
 *          memory was really left behind is for a measurement to say (the test of this file is one).
 */
#include "cpu/device.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define LEAST ((uint64_t)64 << 20)
enum { LINE = 64 }; /* bytes; where lines are longer some are read twice, which does no harm */

struct share {
    pthread_t thread;
    bool started;
    int cpu;
    const volatile char *from;
    size_t bytes;
};

static void *read_share(void *argument)
{
    const struct share *share = argument;
    for (size_t i = 0; i < share->bytes; i += LINE)
        (void)share->from[i];
    return NULL;
}

static void *read_bound(void *argument)
{
    const struct share *share = argument;
    const size_t size = CPU_ALLOC_SIZE(CPU_MOST);
    cpu_set_t *set = CPU_ALLOC(CPU_MOST);
    if (set) {
        memset(set, 0, size);
        CPU_SET_S((size_t)share->cpu, size, set);
        (void)sched_setaffinity(0, size, set); /* of this thread alone; a CPU that went offline is no reason to fail */
    }
    CPU_FREE(set);
    return read_share(argument);
}

/* A page that was never written is the kernel's one page of zeros: reading a thousand of those would fill 4 KiB of
 * cache. */
static enum duel_status make_buffer(struct cpu_device *device, struct duel_why *why)
{
    struct cpu_topology topology;
    void *buffer = NULL;
    if (device->flush_buffer)
        return DUEL_OK;
    cpu_topology_read(&topology);
    const uint64_t bytes = 2 * topology.all_caches_bytes;
    device->flush_bytes = (size_t)(bytes > LEAST ? bytes : LEAST);
    const enum duel_status status = cpu_reserve(device->flush_bytes, &buffer, why);
    if (status == DUEL_OK)
        cpu_touch(buffer, device->flush_bytes);
    device->flush_buffer = buffer;
    return status;
}

enum duel_status cpu_flush(void *handle, struct duel_why *why)
{
    struct cpu_device *device = handle;
    const int count = cpu_usable(NULL, 0);
    int *cpu = malloc((size_t)count * sizeof *cpu);
    struct share *share = calloc((size_t)count, sizeof *share);
    enum duel_status status = make_buffer(device, why);
    if (status == DUEL_OK && (!cpu || !share))
        status = duel_fail(why, DUEL_ENOMEM, "the caches keep what they hold", "free some memory",
                           "no memory for %d threads that flush", count);
    if (status != DUEL_OK)
        goto cleanup;
    cpu_usable(cpu, count);
    const size_t bytes = device->flush_bytes / (size_t)count;
    for (int i = 0; i < count; i++) {
        share[i] = (struct share){.cpu = cpu[i], .from = device->flush_buffer + (size_t)i * bytes, .bytes = bytes};
        share[i].started = pthread_create(&share[i].thread, NULL, read_bound, &share[i]) == 0;
    }
    for (int i = 0; i < count; i++) {
        if (share[i].started)
            pthread_join(share[i].thread, NULL);
        else
            read_share(&share[i]); /* the limit on threads is reached: better from here than not at all */
    }
cleanup:
    free(share);
    free(cpu);
    return status;
}
