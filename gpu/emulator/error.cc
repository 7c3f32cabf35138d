/* error.cc: what went wrong, in words. The first error of a kernel is kept until the device is synchronised, as on a
 * GPU; launches in between do nothing. */
#include "gpu/emulator/machine.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace emulated
{

static const char *const undefined = "on a GPU the block hangs or goes on with wrong values, without a message";

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void failure_is(const char *kind, const char *file, int line)
{
    if (gpu.failed)
        return;
    gpu.failure = kind;
    if (file)
        snprintf(gpu.failure_place, sizeof gpu.failure_place, "%s:%d", base_name(file), line);
}

/* `meeting`: it happened in the operation for which `where` met its warp. */
static void record(const thread *where, bool meeting, const char *matters, const char *next, const char *format,
                   va_list arguments)
{
    if (gpu.failed)
        return;
    if (!gpu.failure && meeting)
        failure_is(strncmp(where->waits_in, "wmma", 4) == 0 ? "WMMA misuse" : "misuse of a warp", where->file,
                   where->line);
    gpu.failed = true;
    const size_t size = sizeof gpu.why.seen;
    size_t used = 0;
    const auto length = [&](int wanted) { used += wanted < 0 ? 0 : static_cast<size_t>(wanted); };
    length(snprintf(gpu.why.seen, size, "kernel %s, ", gpu.name.c_str()));
    if (used < size)
        length(snprintf(gpu.why.seen + used, size - used, "block (%u,%u,%u)", gpu.block_index.x, gpu.block_index.y,
                        gpu.block_index.z));
    if (where && used < size)
        length(snprintf(gpu.why.seen + used, size - used, ", thread (%u,%u,%u)", where->index.x, where->index.y,
                        where->index.z));
    if (used < size && meeting)
        length(snprintf(gpu.why.seen + used, size - used, ", %s at %s:%d", where->waits_in, base_name(where->file),
                        where->line));
    if (used < size)
        length(snprintf(gpu.why.seen + used, size - used, ": "));
    if (used < size)
        vsnprintf(gpu.why.seen + used, size - used, format, arguments);
    snprintf(gpu.why.matters, sizeof gpu.why.matters, "%s", matters);
    snprintf(gpu.why.next, sizeof gpu.why.next, "%s", next);
}

void fail(const thread *where, const char *matters, const char *next, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record(where, false, matters, next, format, arguments);
    va_end(arguments);
}

void misuse(const char *next, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record(gpu.running, gpu.running->waits_in != nullptr, undefined, next, format, arguments);
    va_end(arguments);
    fibre_abandon(&gpu.scheduler);
}

/* Which lane keeps `self` waiting, and what it does instead. */
static void explain_meeting(const thread *self)
{
    const warp *team = self->team;
    const thread *other = nullptr;
    for (unsigned int lane = 0; lane < lanes_per_warp && !other; lane++) {
        const thread *t = &team->first[lane];
        const bool wanted = (self->mask & team->live) >> lane & 1U, there = team->meeting >> lane & 1U;
        if (wanted && !(there && t->mask == self->mask && strcmp(t->waits_in, self->waits_in) == 0))
            other = t;
    }
    failure_is("divergence in a warp", self->file, self->line);
    if (!other || !other->waits_in) {
        fail(self, undefined, "let all lanes of the mask reach it", "waits in %s at %s:%d for the lanes of mask 0x%08x",
             self->waits_in, base_name(self->file), self->line, self->mask);
        return;
    }
    char with[40] = "";
    if (team->meeting >> other->lane & 1U)
        snprintf(with, sizeof with, " with mask 0x%08x", other->mask);
    fail(self, undefined, "let all lanes of the mask execute it, outside of branches, with the same mask",
         "waits in %s at %s:%d with mask 0x%08x, which names lane %u; but that waits in %s at %s:%d%s", self->waits_in,
         base_name(self->file), self->line, self->mask, other->lane, other->waits_in, base_name(other->file),
         other->line, with);
}

void fail_deadlock()
{
    const thread *gone = nullptr, *spinner = nullptr;
    for (unsigned int i = 0; i < gpu.thread_count; i++) {
        const thread *t = &gpu.threads[i];
        if (t->team->meeting >> t->lane & 1U) {
            explain_meeting(t);
            return;
        }
        if (t->exited && !gone)
            gone = t;
        if (t->team->ready >> t->lane & 1U && !spinner)
            spinner = t;
    }
    if (spinner || !gone) {
        failure_is("deadlock", nullptr, 0);
        fail(spinner, undefined, "release the lock on every path; never wait for a block that may not have started",
             "spins on atomicCAS, and no other thread of the block can go on");
        return;
    }
    failure_is("divergence at a barrier", gpu.barrier_file, gpu.barrier_line);
    fail(nullptr, undefined, "let every thread reach every __syncthreads(): replace the early return by an if",
         "%u threads have exited, thread (%u,%u,%u) among them, and %u wait for them in __syncthreads at %s:%d",
         gpu.exited, gone->index.x, gone->index.y, gone->index.z, gpu.at_barrier, base_name(gpu.barrier_file),
         gpu.barrier_line);
}

} // namespace emulated
