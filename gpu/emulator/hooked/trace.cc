/* trace.cc: watches kernels for traced mode and adds up what their warps ask for. */
#include "gpu/emulator/hooked/trace.h"

#include <algorithm>

#include "gpu/emulator/machine.h"

namespace emulated
{

/* Steps of a thread between two meetings of its warp: 16 MiB each, of at most 32 threads at a time. */
static constexpr size_t steps_most = static_cast<size_t>(1) << 20;
/* Of each warp of the first block, so many requests at each place are kept with their addresses. */
static constexpr unsigned int rounds_sampled = 12;
static constexpr size_t samples_most = 8192;

static std::vector<trace_kernel> kernels;
static lane_log logs[threads_per_block];

static trace_kernel &current()
{
    return kernels.back();
}

trace_kernel *trace_current()
{
    return &current();
}

const std::vector<trace_kernel> &trace_kernels()
{
    return kernels;
}

void trace_clear()
{
    kernels.clear();
    flops_forget();
    for (lane_log &log : logs)
        log = {};
}

/* The kernel that was launched last stays last. Launches of one kernel are added up while their extents are equal. */
static void kernel_begins()
{
    const request &r = *gpu.launch;
    const unsigned int grid[] = {r.grid.x, r.grid.y, r.grid.z}, block[] = {r.block.x, r.block.y, r.block.z};
    const auto same = std::find_if(kernels.begin(), kernels.end(), [&](const trace_kernel &k) {
        return k.name == gpu.name && std::equal(grid, grid + 3, k.grid) && std::equal(block, block + 3, k.block) &&
               k.dynamic_bytes == r.shared_bytes;
    });
    if (same != kernels.end()) {
        std::rotate(same, same + 1, kernels.end());
    } else {
        kernels.emplace_back();
        current().name = gpu.name;
        std::copy(grid, grid + 3, current().grid);
        std::copy(block, block + 3, current().block);
        current().shared_bytes = gpu.facts->shared_bytes;
        current().dynamic_bytes = r.shared_bytes;
    }
    current().launches++;
    flops_forget();
    for (lane_log &log : logs) /* of a kernel that failed */
        log = {};
}

static size_t site_at(uint64_t step)
{
    const auto added = current().site_of.emplace(step, current().sites.size());
    if (added.second) {
        current().sites.emplace_back();
        current().sites.back().step = step;
    }
    return added.first->second;
}

/* Names the array that an address of a kernel lies in, and where it starts. */
static uintptr_t array_of(uintptr_t address, std::string *name)
{
    const unsigned char *byte = reinterpret_cast<const unsigned char *>(address);
    for (const shared_array &array : gpu.facts->shared)
        if (byte >= array.pointer && byte < array.pointer + array.bytes) {
            *name = array.name;
            return reinterpret_cast<uintptr_t>(array.pointer);
        }
    const allocation *memory = memory_near(byte);
    if (!memory)
        return address;
    *name = memory->pointer == gpu.dynamic ? "dynamic shared memory" : memory->name;
    return reinterpret_cast<uintptr_t>(memory->pointer);
}

/* Adds one warp's steps to the kernel. */
struct adder final : merge_listener {
    unsigned int warp = 0;
    bool sampled = false; /* the first block of the first launch */
    std::unordered_map<size_t, unsigned int> rounds;

    void merged(uint64_t step, const warp_request &request, bool certain) override
    {
        const unsigned int lanes = static_cast<unsigned int>(__builtin_popcount(request.lanes));
        if (step_is_block(step)) {
            current().issues++;
            current().active += lanes;
            return;
        }
        const memory_access what = access_of(step);
        const size_t number = site_at(step);
        trace_site &site = current().sites[number];
        site.requests++;
        site.lanes += lanes;
        site.uncertain += !certain;
        unsigned int cost = 0;
        if (what.space == space_shared) {
            site.rounds += cost = rounds_needed(request, what.kind == access_atomic);
            site.rounds_free += rounds_free(request);
        } else {
            site.sectors += cost = sectors_touched(request);
            site.sectors_packed += sectors_packed(request);
        }
        site.worst = std::max(site.worst, cost);
        if (sampled)
            keep(number, request);
    }

    void keep(size_t site, const warp_request &request)
    {
        const unsigned int round = rounds[site]++;
        if (round >= rounds_sampled || current().samples.size() == samples_most)
            return;
        trace_sample sample = {site, warp, round, request, "", 0};
        sample.start = array_of(request.address[__builtin_ctz(request.lanes)], &sample.array);
        current().samples.push_back(sample);
    }
};
static adder adders[threads_per_block / lanes_per_warp];

static void block_begins()
{
    current().blocks++;
    current().warps += gpu.warp_count;
    const bool first = gpu.block_index.x == 0 && gpu.block_index.y == 0 && gpu.block_index.z == 0;
    for (unsigned int i = 0; i < gpu.warp_count; i++) {
        adders[i].warp = i;
        adders[i].sampled = first && current().launches == 1;
        adders[i].rounds.clear();
    }
}

static void note(uint64_t step, uintptr_t address)
{
    lane_log &log = logs[gpu.running - gpu.threads];
    if (log.step.size() == steps_most) {
        current().lost = true;
        return;
    }
    log.step.push_back(step);
    log.address.push_back(address);
}

/* Stacks are what would be registers; arguments and constants come from caches of their own. */
static void access(const memory_access &what)
{
    const bool memory = what.space == space_global || what.space == space_shared;
    if (memory && what.kind != access_pending) /* an asynchronous copy is counted when it is done */
        note(step_of(what), reinterpret_cast<uintptr_t>(what.address));
}

static void basic_block(uintptr_t pc)
{
    note(step_of(pc), 0);
}

static void count_meeting(bool first_of_block, meeting_kind kind, const char *file, int line)
{
    for (trace_meeting &m : current().meetings)
        if (m.kind == kind && m.line == line && m.file == file) {
            m.warps++;
            m.blocks += first_of_block;
            return;
        }
    current().meetings.push_back({file, line, kind, 1, first_of_block});
}

static void warp_meets(const warp *team, meeting_kind kind, const char *file, int line)
{
    const size_t number = static_cast<size_t>(team - gpu.warps), first = number * lanes_per_warp;
    const size_t lanes = std::min<size_t>(lanes_per_warp, gpu.thread_count - first);
    merge_lanes(logs + first, static_cast<unsigned int>(lanes), &adders[number]);
    if (kind != meeting_exit)
        count_meeting(number == 0, kind, file, line);
}

static void nothing()
{
}

static void lanes_ordered(const warp *, uint32_t)
{
}

const watcher tracer = {
    .allocated = [](const allocation &) {},
    .host_wrote = [](const void *, size_t) {},
    .launch_refused = nothing,
    .host_touched = [](uintptr_t, const unsigned char *) {},
    .kernel_begins = kernel_begins,
    .kernel_ends = [] { current().shared_bytes = gpu.facts->shared_bytes; }, /* more may have been found meanwhile */
    .block_begins = block_begins,
    .block_ends = nothing,
    .access = access,
    .basic_block = basic_block,
    .fence = [](bool) {},
    .lanes_ordered = lanes_ordered,
    .block_ordered = nothing,
    .warp_meets = warp_meets,
};

} // namespace emulated
