/* block.cc: runs the threads of one block. All lanes of a warp run until each waits or has exited, then those of the
 * next warp: a thread gets far ahead of the others wherever no barrier holds it, which is what shows a missing one. */
#include "gpu/emulator/machine.h"

#include <algorithm>
#include <cstring>

namespace emulated
{

machine gpu;

uint3 thread_index()
{
    return gpu.running->index;
}

unsigned int lane_index()
{
    return gpu.running->lane;
}

uint3 block_index()
{
    return gpu.block_index;
}

dim3 block_extent()
{
    return gpu.launch->block;
}

dim3 grid_extent()
{
    return gpu.launch->grid;
}

void *dynamic_shared()
{
    return gpu.dynamic;
}

/* Uniform enough for schedules: xorshift64*, then the remainder. */
uint64_t random_below(uint64_t bound)
{
    gpu.random ^= gpu.random >> 12;
    gpu.random ^= gpu.random << 25;
    gpu.random ^= gpu.random >> 27;
    return (gpu.random * 0x2545f4914f6cdd1dU >> 16) % bound;
}

void schedule_set(direction order, uint64_t seed)
{
    gpu.order = order;
    gpu.seed = seed;
    gpu.random = seed * 0x9e3779b97f4a7c15U | 1U; /* the generator must not start at zero */
}

void watch(const watcher *client)
{
    gpu.watching = client;
}

void memory_fence(bool whole_gpu)
{
    if (gpu.watching && gpu.running)
        gpu.watching->fence(whole_gpu);
}

/* 0 .. count - 1 in the order that was asked for. */
static void arrange(unsigned int *list, unsigned int count)
{
    for (unsigned int i = 0; i < count; i++)
        list[i] = gpu.order == reverse ? count - 1 - i : i;
    if (gpu.order == randomly)
        for (unsigned int i = count; i > 1; i--)
            std::swap(list[i - 1], list[random_below(i)]);
}

/* The next lane of this round over a warp that can run; NULL at its end. */
static thread *next_lane(const warp *team)
{
    while (gpu.turn < lanes_per_warp) {
        const unsigned int lane = gpu.lanes[gpu.turn++];
        if ((team->ready & ~team->spinning) >> lane & 1U)
            return &team->first[lane];
    }
    return nullptr;
}

/* Hands over to the next lane, or at the end of a round to the scheduler. */
static void hand_over(thread *self)
{
    gpu.running = next_lane(self->team);
    fibre_switch(&self->control, gpu.running ? &gpu.running->control : &gpu.scheduler);
}

static void leave()
{
    thread *self = gpu.running;
    const uint32_t bit = 1U << self->lane;
    self->exited = true;
    self->team->live &= ~bit;
    self->team->ready &= ~bit;
    gpu.exited++;
    gpu.events++;
    if (gpu.watching && self->team->live == 0)
        gpu.watching->warp_meets(self->team, meeting_exit, nullptr, 0);
    if (self->team->meeting)
        meet_without(self->team);
    hand_over(self);
}

static void thread_main()
{
    fibre_started();
    for (;;) {
        gpu.launch->body(gpu.launch->invocation);
        leave();
    }
}

bool block_shape(dim3 extent)
{
    gpu.thread_count = extent.x * extent.y * extent.z;
    gpu.warp_count = (gpu.thread_count + lanes_per_warp - 1) / lanes_per_warp;
    if (!stacks_map(gpu.thread_count))
        return false;
    for (; gpu.prepared < gpu.thread_count; gpu.prepared++)
        fibre_prepare(&gpu.threads[gpu.prepared].control, gpu.prepared, thread_main);
    uint3 index = {0, 0, 0};
    for (unsigned int i = 0; i < gpu.thread_count; i++) {
        thread *t = &gpu.threads[i];
        t->index = index;
        t->lane = i % lanes_per_warp;
        t->team = &gpu.warps[i / lanes_per_warp];
        if (++index.x == extent.x) {
            index.x = 0;
            if (++index.y == extent.y) {
                index.y = 0;
                index.z++;
            }
        }
    }
    return true;
}

static void start()
{
    for (unsigned int i = 0; i < gpu.warp_count; i++) {
        const unsigned int lanes = std::min(lanes_per_warp, gpu.thread_count - i * lanes_per_warp);
        const uint32_t all = lanes == lanes_per_warp ? 0xffffffffU : (1U << lanes) - 1;
        gpu.warps[i] = {&gpu.threads[i * lanes_per_warp], all, all, 0, 0, 0};
    }
    for (unsigned int i = 0; i < gpu.thread_count; i++) {
        gpu.threads[i].exited = false;
        gpu.threads[i].waits_in = nullptr;
        gpu.threads[i].copies.clear();
        gpu.threads[i].batch = 0;
    }
    gpu.exited = gpu.at_barrier = 0;
}

static void warp_run(warp *team)
{
    arrange(gpu.lanes, lanes_per_warp);
    do {
        while (team->ready & ~team->spinning) {
            gpu.turn = 0;
            gpu.running = next_lane(team);
            fibre_switch(&gpu.scheduler, &gpu.running->control);
            gpu.running = nullptr;
            if (gpu.failed)
                return;
        }
    } while (converge(team));
}

/* Rounds over a block in which threads only failed to take a lock, before we call it a deadlock. */
static constexpr unsigned int spins_most = 100000;

bool block_run()
{
    unsigned int warps[threads_per_block / lanes_per_warp];
    unsigned int idle = 0;
    start();
    while (gpu.exited < gpu.thread_count) {
        const uint64_t events = gpu.events;
        bool moved = false;
        arrange(warps, gpu.warp_count);
        for (unsigned int i = 0; i < gpu.warp_count; i++) {
            warp *team = &gpu.warps[warps[i]];
            team->spinning = 0;
            if (!team->ready)
                continue;
            moved = true;
            warp_run(team);
            if (gpu.failed)
                return false;
        }
        idle = gpu.events == events ? idle + 1 : 0;
        if (!moved || idle == spins_most) {
            fail_deadlock();
            return false;
        }
    }
    return true;
}

void wait(const char *operation, const char *file, int line)
{
    thread *self = gpu.running;
    self->waits_in = operation;
    self->file = file;
    self->line = line;
    self->team->ready &= ~(1U << self->lane);
    hand_over(self);
    self->waits_in = nullptr;
}

void spin()
{
    thread *self = gpu.running;
    self->team->spinning |= 1U << self->lane;
    hand_over(self);
}

void sync_threads(const char *file, int line)
{
    if (gpu.at_barrier == 0) {
        gpu.barrier_file = file;
        gpu.barrier_line = line;
    } else if (line != gpu.barrier_line || (file != gpu.barrier_file && strcmp(file, gpu.barrier_file) != 0)) {
        failure_is("divergence at a barrier", file, line);
        misuse("take __syncthreads() out of the branch: all threads of a block must reach the same one",
               "waits in __syncthreads at %s:%d while others of its block wait in the one at %s:%d", base_name(file),
               line, base_name(gpu.barrier_file), gpu.barrier_line);
    }
    if (++gpu.at_barrier < gpu.thread_count) {
        wait("__syncthreads", file, line);
        return;
    }
    gpu.at_barrier = 0;
    gpu.events++;
    for (unsigned int i = 0; i < gpu.warp_count; i++) {
        gpu.warps[i].ready = gpu.warps[i].live;
        if (gpu.watching)
            gpu.watching->warp_meets(&gpu.warps[i], meeting_barrier, file, line);
    }
    if (gpu.watching)
        gpu.watching->block_ordered();
}

} // namespace emulated
