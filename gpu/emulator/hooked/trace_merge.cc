/* trace_merge.cc: threads run one after another here, on a GPU a warp executes one instruction for all its lanes. From
 * the logs of the lanes we find out which of their accesses are one request.
 *
 * Mostly all lanes did the same, and step i of one belongs to step i of the others. Where they took different ways, two
 * accesses belong together if they come from the same place in the same rounds of all loops around it. Loops show in a
 * log as jumps backwards; that is exact for nested loops whose rounds differ from lane to lane, as long as the compiler
 * lays out blocks in the order of the source. */
#include "gpu/emulator/hooked/trace.h"

#include <algorithm>
#include <unordered_map>

namespace emulated
{

/* Above the place: bit 48 to 50 the logarithm of the bytes, 51 and 52 the kind of access, 53 and 54 the space. */
static constexpr unsigned int bytes_at = 48, kind_at = 51, space_at = 53;
static constexpr uint64_t block_kind = 3;

uint64_t step_of(const memory_access &a)
{
    uint64_t bytes = 0;
    while (1U << bytes < a.bytes) /* a copy that is cut off at an edge counts whole */
        bytes++;
    return (a.pc & step_place) | bytes << bytes_at | static_cast<uint64_t>(a.kind) << kind_at |
           static_cast<uint64_t>(a.space) << space_at;
}

uint64_t step_of(uintptr_t basic_block)
{
    return (basic_block & step_place) | block_kind << kind_at;
}

bool step_is_block(uint64_t step)
{
    return (step >> kind_at & 3U) == block_kind;
}

memory_access access_of(uint64_t step)
{
    return {static_cast<uintptr_t>(step & step_place),
            nullptr,
            1U << (step >> bytes_at & 7U),
            static_cast<access_kind>(step >> kind_at & 3U),
            static_cast<memory_space>(step >> space_at & 3U),
            false};
}

static void merge_equal(const lane_log *log, uint32_t running, merge_listener *listener)
{
    const lane_log &first = log[__builtin_ctz(running)];
    warp_request request = {running, 0, {}};
    for (size_t i = 0; i < first.step.size(); i++) {
        const uint64_t step = first.step[i];
        if (!step_is_block(step)) {
            request.bytes = access_of(step).bytes;
            for (uint32_t rest = running; rest; rest &= rest - 1) {
                const unsigned int lane = static_cast<unsigned int>(__builtin_ctz(rest));
                request.address[lane] = log[lane].address[i];
            }
        }
        listener->merged(step, request, true);
    }
}

/* The loops around the present place: each has a first and a last place, and the number of rounds begun. */
class loop_path
{
    struct loop {
        uint64_t first, last, rounds;
    };
    std::vector<loop> loops;
    uint64_t before = 0;

  public:
    /* A number that is the same for the same rounds of the same loops. */
    uint64_t move_to(uint64_t place)
    {
        if (place <= before) {
            while (!loops.empty() && loops.back().first > place)
                loops.pop_back();
            if (loops.empty() || loops.back().first != place)
                loops.push_back({place, before, 0});
            loops.back().last = std::max(loops.back().last, before);
            loops.back().rounds++;
        }
        while (!loops.empty() && place > loops.back().last)
            loops.pop_back();
        before = place;
        uint64_t number = 0;
        for (const loop &l : loops)
            number = (number ^ l.first) * 0x9e3779b97f4a7c15U + l.rounds;
        return number;
    }
};

/* Where and in which rounds of its loops a lane was. */
struct step_key {
    uint64_t step, path;
    bool operator==(const step_key &other) const
    {
        return step == other.step && path == other.path;
    }
};

struct step_hash {
    size_t operator()(const step_key &key) const
    {
        return (key.step ^ key.path) * 0x9e3779b97f4a7c15U;
    }
};

static constexpr size_t none = static_cast<size_t>(-1);

/* One request of a plan: which lanes make it, and where in their logs it stands. */
struct planned_request {
    step_key key;
    size_t first; /* position in the log of the lane that came here first */
    size_t next;  /* request of the same key: of lanes that came once more */
    uint32_t lanes;
    size_t position[trace_lanes];
};
using merge_plan = std::vector<planned_request>;

/* Lanes that came to one place by one path. A lane that did so twice starts another request. */
class planner
{
    merge_plan plan;
    std::unordered_map<step_key, size_t, step_hash> start;

  public:
    void add(const step_key &key, unsigned int lane, size_t position)
    {
        size_t at = start.emplace(key, plan.size()).first->second;
        while (at < plan.size() && plan[at].lanes >> lane & 1U) {
            if (plan[at].next == none)
                plan[at].next = plan.size();
            at = plan[at].next;
        }
        if (at == plan.size())
            plan.push_back({key, position, none, 0, {}});
        plan[at].first = std::min(plan[at].first, position);
        plan[at].lanes |= 1U << lane;
        plan[at].position[lane] = position;
    }

    merge_plan in_order()
    {
        std::sort(plan.begin(), plan.end(), [](const planned_request &a, const planned_request &b) {
            return a.first != b.first         ? a.first < b.first
                   : a.key.step != b.key.step ? a.key.step < b.key.step
                                              : a.key.path < b.key.path;
        });
        return std::move(plan);
    }
};

static merge_plan make_plan(const lane_log *log, uint32_t running)
{
    planner lanes;
    for (uint32_t rest = running; rest; rest &= rest - 1) {
        const unsigned int lane = static_cast<unsigned int>(__builtin_ctz(rest));
        loop_path path;
        for (size_t i = 0; i < log[lane].step.size(); i++)
            lanes.add({log[lane].step[i], path.move_to(log[lane].step[i] & step_place)}, lane, i);
    }
    return lanes.in_order();
}

/* The steps of all lanes, as one key: kernels go the same ways round after round, and what belongs together then need
 * not be found anew each time. */
using ways = std::vector<uint64_t>;

struct ways_hash {
    size_t operator()(const ways &all) const
    {
        uint64_t hash = all.size();
        for (uint64_t step : all)
            hash = (hash ^ step) * 0x9e3779b97f4a7c15U;
        return hash ^ hash >> 32;
    }
};

static ways ways_of(const lane_log *log, uint32_t running)
{
    ways all;
    for (uint32_t rest = running; rest; rest &= rest - 1) {
        const lane_log &lane = log[__builtin_ctz(rest)];
        all.push_back(static_cast<uint64_t>(__builtin_ctz(rest)) << 32 | lane.step.size());
        all.insert(all.end(), lane.step.begin(), lane.step.end());
    }
    return all;
}

static void merge_different(const lane_log *log, uint32_t running, merge_listener *listener)
{
    static constexpr size_t most = 64; /* plans that are kept: more than a block has warps */
    static std::unordered_map<ways, merge_plan, ways_hash> known;
    ways all = ways_of(log, running);
    auto found = known.find(all);
    if (found == known.end()) {
        if (known.size() == most)
            known.clear();
        found = known.emplace(std::move(all), make_plan(log, running)).first;
    }
    for (const planned_request &planned : found->second) {
        warp_request request = {planned.lanes, access_of(planned.key.step).bytes, {}};
        for (uint32_t rest = planned.lanes; rest; rest &= rest - 1) {
            const unsigned int lane = static_cast<unsigned int>(__builtin_ctz(rest));
            request.address[lane] = log[lane].address[planned.position[lane]];
        }
        listener->merged(planned.key.step, request, planned.lanes == running);
    }
}

void merge_lanes(lane_log *log, unsigned int lanes, merge_listener *listener)
{
    uint32_t running = 0;
    bool equal = true;
    const lane_log *first = nullptr;
    for (unsigned int lane = 0; lane < lanes; lane++) {
        if (log[lane].step.empty())
            continue;
        running |= 1U << lane;
        first = first ? first : &log[lane];
        equal = equal && log[lane].step == first->step;
    }
    if (running && equal)
        merge_equal(log, running, listener);
    else if (running)
        merge_different(log, running, listener);
    for (unsigned int lane = 0; lane < lanes; lane++) {
        log[lane].step.clear();
        log[lane].address.clear();
    }
}

} // namespace emulated
