/* trace_merge.cc: threads run one after another here, on a GPU a warp executes one instruction for all its lanes. From
 * the logs of the lanes we find out which of their accesses are one request.
 *
 * Mostly all lanes did the same, and step i of one belongs to step i of the others. Where they took different ways, two
 * accesses belong together if they come from the same place in the same rounds of all loops around it. Loops show in a
 * log as jumps backwards; that is exact for nested loops whose rounds differ from lane to lane, as long as the compiler
 * lays out blocks in the order of the source. */
#include "gpu/emulator/hooked/trace.h"

#include <algorithm>

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
    return {static_cast<uintptr_t>(step & step_place), nullptr, 1U << (step >> bytes_at & 7U),
            static_cast<access_kind>(step >> kind_at & 3U), static_cast<memory_space>(step >> space_at & 3U)};
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

struct placed_step {
    uint64_t step, path;
    size_t position; /* in its lane's log */
    unsigned int lane;
    uintptr_t address;
};

static std::vector<placed_step> place_all(const lane_log *log, uint32_t running)
{
    std::vector<placed_step> all;
    for (uint32_t rest = running; rest; rest &= rest - 1) {
        const unsigned int lane = static_cast<unsigned int>(__builtin_ctz(rest));
        loop_path path;
        for (size_t i = 0; i < log[lane].step.size(); i++)
            all.push_back(
                {log[lane].step[i], path.move_to(log[lane].step[i] & step_place), i, lane, log[lane].address[i]});
    }
    std::sort(all.begin(), all.end(), [](const placed_step &a, const placed_step &b) {
        return a.step != b.step           ? a.step < b.step
               : a.path != b.path         ? a.path < b.path
               : a.position != b.position ? a.position < b.position
                                          : a.lane < b.lane;
    });
    return all;
}

struct merged_step {
    uint64_t step;
    size_t position; /* of the first lane that came here */
    warp_request request;
};

/* Lanes that came to one place by one path. A lane that did so twice starts another request. */
static std::vector<merged_step> group(const std::vector<placed_step> &all)
{
    std::vector<merged_step> groups;
    size_t first = 0; /* group of the present place and path that is filled first */
    for (size_t i = 0; i < all.size(); i++) {
        if (i == 0 || all[i].step != all[i - 1].step || all[i].path != all[i - 1].path)
            first = groups.size();
        size_t at = first;
        while (at < groups.size() && groups[at].request.lanes >> all[i].lane & 1U)
            at++;
        if (at == groups.size())
            groups.push_back({all[i].step, all[i].position, {0, access_of(all[i].step).bytes, {}}});
        groups[at].request.lanes |= 1U << all[i].lane;
        groups[at].request.address[all[i].lane] = all[i].address;
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const merged_step &a, const merged_step &b) { return a.position < b.position; });
    return groups;
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
        for (const merged_step &m : group(place_all(log, running)))
            listener->merged(m.step, m.request, m.request.lanes == running);
    for (unsigned int lane = 0; lane < lanes; lane++) {
        log[lane].step.clear();
        log[lane].address.clear();
    }
}

} // namespace emulated
