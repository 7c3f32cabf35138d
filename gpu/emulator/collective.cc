/* collective.cc: lanes of a warp that meet: shuffles, votes, __syncwarp, and what mma.h builds on meet().
 *
 * CUDA asks all lanes of a mask that have not exited to execute the same operation with the same mask. A lane that does
 * something else leaves the others waiting, and the block reports the deadlock with both call sites. */
#include "gpu/emulator/machine.h"

#include <cstring>

namespace emulated
{

static bool same_meeting(const thread *a, const thread *b)
{
    return a->mask == b->mask && a->leader == b->leader && strcmp(a->waits_in, b->waits_in) == 0;
}

/* If all that `self` waits for are there, lets them do what they came for and makes them ready. */
static bool complete(const thread *self)
{
    warp *team = self->team;
    const uint32_t needed = self->mask & team->live;
    if ((team->meeting & needed) != needed)
        return false;
    void *payload[lanes_per_warp] = {};
    for (unsigned int lane = 0; lane < lanes_per_warp; lane++)
        if (needed >> lane & 1U) {
            if (!same_meeting(self, &team->first[lane]))
                return false;
            payload[lane] = team->first[lane].payload;
        }
    if (self->leader) { /* stands for one instruction of the warp: what it does is nothing that the kernel does */
        gpu.leading = true;
        self->leader(payload, needed); /* may end the kernel: launch() puts an end to leading, too */
        gpu.leading = false;
    }
    if (gpu.watching && !self->leader) /* only __syncwarp has none, and only that orders memory */
        gpu.watching->lanes_ordered(team, needed);
    if (gpu.watching && needed == team->live)
        gpu.watching->warp_meets(team, meeting_collective, self->file, self->line);
    team->meeting &= ~needed;
    team->ready |= needed;
    gpu.events++;
    return true;
}

void meet(const char *operation, uint32_t mask, void *payload, collective_leader *leader, const char *file, int line)
{
    thread *self = gpu.running;
    if (!(mask >> self->lane & 1U)) {
        failure_is("bad mask", file, line);
        misuse("name every lane that calls it in the mask", "%s at %s:%d with mask 0x%08x, which leaves out lane %u",
               operation, base_name(file), line, mask, self->lane);
    }
    self->waits_in = operation;
    self->file = file;
    self->line = line;
    self->mask = mask;
    self->payload = payload;
    self->leader = leader;
    self->team->meeting |= 1U << self->lane;
    if (complete(self))
        self->waits_in = nullptr;
    else
        wait(operation, file, line);
}

void meet_without(warp *team)
{
    for (unsigned int lane = 0; lane < lanes_per_warp; lane++)
        if (team->meeting >> lane & 1U)
            complete(&team->first[lane]);
}

void sync_warp(uint32_t mask, const char *file, int line)
{
    meet("__syncwarp", mask, nullptr, nullptr, file, line);
}

/* The lanes that stand at the same __activemask() once none of the warp can go on: the most a GPU could bring together.
 * No code may depend on it. */
bool converge(warp *team)
{
    if (team->converging == 0)
        return false;
    const thread *first = &team->first[__builtin_ctz(team->converging)];
    uint32_t together = 0;
    for (unsigned int lane = 0; lane < lanes_per_warp; lane++) {
        const thread *other = &team->first[lane];
        if (team->converging >> lane & 1U && other->line == first->line && strcmp(other->file, first->file) == 0)
            together |= 1U << lane;
    }
    for (unsigned int lane = 0; lane < lanes_per_warp; lane++)
        if (together >> lane & 1U)
            team->first[lane].mask = together;
    team->converging &= ~together;
    team->ready |= together;
    gpu.events++;
    return true;
}

uint32_t active_mask(const char *file, int line)
{
    thread *self = gpu.running;
    self->team->converging |= 1U << self->lane;
    wait("__activemask", file, line);
    return self->mask;
}

/* ---- votes ---------------------------------------------------------------------------------------------------- */

struct voter {
    bool predicate;
    ballot result;
};

static void count_votes(void *const payload[lanes_per_warp], uint32_t lanes)
{
    ballot result = {lanes, 0};
    for (unsigned int lane = 0; lane < lanes_per_warp; lane++)
        if (lanes >> lane & 1U && static_cast<const voter *>(payload[lane])->predicate)
            result.yes |= 1U << lane;
    for (unsigned int lane = 0; lane < lanes_per_warp; lane++)
        if (lanes >> lane & 1U)
            static_cast<voter *>(payload[lane])->result = result;
}

ballot vote(const char *operation, uint32_t mask, bool predicate, const char *file, int line)
{
    voter mine = {predicate, {0, 0}};
    meet(operation, mask, &mine, count_votes, file, line);
    return mine.result;
}

/* ---- shuffles ------------------------------------------------------------------------------------------------- */

struct shuffler {
    shuffle_kind kind;
    int argument, width;
    uint64_t value, result;
};

/* The lane that `lane` reads from. Past the end of its segment of `width` lanes that is itself. */
static int source_of(const shuffler *s, int lane)
{
    const int first = lane & ~(s->width - 1), last = first + s->width - 1;
    int source = lane;
    switch (s->kind) {
    case shuffle_index:
        return first + (s->argument & (s->width - 1));
    case shuffle_up:
        source = s->argument <= lane - first ? lane - s->argument : lane;
        break;
    case shuffle_down:
        source = s->argument <= last - lane ? lane + s->argument : lane;
        break;
    case shuffle_xor:
        source = (lane ^ s->argument) <= last ? lane ^ s->argument : lane;
        break;
    }
    return source;
}

/* From a lane that takes no part CUDA gives an undefined value. It may be read as long as nobody uses it, so it is no
 * error; all bits set make a NaN that shows where it is used. */
static void exchange_values(void *const payload[lanes_per_warp], uint32_t lanes)
{
    for (int lane = 0; lane < static_cast<int>(lanes_per_warp); lane++) {
        if (!(lanes >> lane & 1U))
            continue;
        shuffler *mine = static_cast<shuffler *>(payload[lane]);
        const int source = source_of(mine, lane);
        const bool there = source >= 0 && source < static_cast<int>(lanes_per_warp) && lanes >> source & 1U;
        mine->result = there ? static_cast<const shuffler *>(payload[source])->value : ~static_cast<uint64_t>(0);
    }
}

uint64_t shuffle(shuffle_kind kind, uint32_t mask, uint64_t value, int argument, int width, const char *file, int line)
{
    static const char *const names[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"};
    if (width < 1 || width > static_cast<int>(lanes_per_warp) || (width & (width - 1)) != 0) {
        failure_is("misuse of a warp", file, line);
        misuse("give a width of 1, 2, 4, 8, 16 or 32", "%s at %s:%d with width %d", names[kind], base_name(file), line,
               width);
    }
    shuffler mine = {kind, argument, width, value, 0};
    meet(names[kind], mask, &mine, exchange_values, file, line);
    return mine.result;
}

} // namespace emulated
