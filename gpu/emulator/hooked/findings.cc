/* findings.cc: from many sights of a mistake to one finding. */
#include "gpu/emulator/hooked/findings.h"

#include "gpu/emulator/hooked/lines.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace emulated
{

static std::vector<mistake> seen;
static std::vector<duel_finding> gathered;
static bool changed;

static bool same_instructions(const mistake &a, const mistake &b)
{
    const bool straight = a.here.pc == b.here.pc && a.there.pc == b.there.pc;
    const bool crossed = a.here.pc == b.there.pc && a.there.pc == b.here.pc;
    return a.kind == b.kind && a.kernel == b.kernel && a.text == b.text && (straight || crossed);
}

void findings_add(const mistake &what)
{
    changed = true;
    for (mistake &known : seen)
        if (same_instructions(known, what)) {
            known.times++;
            return;
        }
    seen.push_back(what);
    seen.back().times = 1;
}

void findings_clear()
{
    seen.clear();
    gathered.clear();
    changed = false;
}

static bool is_race(const mistake &m)
{
    return m.kind <= race_between_blocks;
}

/* A mistake with its lines. */
struct located {
    const mistake *what;
    std::string file;
    int first, last;               /* lines of the two accesses, in order of the file; 0: unknown */
    std::vector<std::string> also; /* other arrays */
    uint64_t times;
};

static located locate(const mistake &m)
{
    const source_line &here = line_of(m.here.pc);
    const source_line &there = m.there.block > 0 ? line_of(m.there.pc) : here;
    located place = {&m, here.path, std::min(here.line, there.line), std::max(here.line, there.line), {}, m.times};
    if (here.path != there.path) /* an access in a shared header */
        place.first = place.last = 0;
    return place;
}

/* One missing barrier lets several accesses race: those whose lines overlap in one kernel. A race of lanes is part of
 * one of the whole block at the same place. A copy that was not waited for races as well. */
static bool one_cause(const located &a, const located &b)
{
    if (a.what->kernel != b.what->kernel || a.file != b.file || a.file.empty())
        return false;
    const bool overlap = a.first <= b.last && b.first <= a.last;
    if (is_race(*a.what) && is_race(*b.what))
        return overlap && ((a.what->kind == race_between_blocks) == (b.what->kind == race_between_blocks) ||
                           a.what->array == b.what->array);
    if (a.what->kind == not_waited_for && is_race(*b.what) && b.what->kind != race_between_blocks)
        return overlap;
    return a.what->kind == b.what->kind && a.first == b.first && a.last == b.last && a.what->array == b.what->array &&
           a.what->text == b.what->text;
}

/* Which of two with one cause tells it better: the wait, then the wider race, then the nearer lines. */
static bool tells_better(const located &a, const located &b)
{
    if ((a.what->kind == not_waited_for) != (b.what->kind == not_waited_for))
        return a.what->kind == not_waited_for;
    if (a.what->kind != b.what->kind)
        return a.what->kind > b.what->kind;
    return a.last - a.first < b.last - b.first;
}

static void unite(located *into, const located &other)
{
    located better = tells_better(other, *into) ? other : *into;
    const located &worse = better.what == into->what ? other : *into;
    better.times = into->times + other.times;
    better.first = std::max(into->first, other.first);
    better.last = std::max(better.first, std::min(into->last, other.last));
    better.also.insert(better.also.end(), worse.also.begin(), worse.also.end());
    better.also.push_back(worse.what->array);
    *into = better;
}

static std::string other_arrays(const located &place)
{
    std::set<std::string> names(place.also.begin(), place.also.end());
    names.erase(place.what->array);
    names.erase("");
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

static std::string place_of(uintptr_t pc)
{
    if (pc == 0)
        return "its launch";
    const source_line &line = line_of(pc);
    return line.file.empty() ? lines_missing() : line.file + ":" + std::to_string(line.line);
}

static void put(unsigned int to[3], uint3 from)
{
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
}

static duel_finding describe(const located &place)
{
    const mistake &m = *place.what;
    duel_finding finding = {};
    const std::string here = m.place.empty() ? place_of(m.here.pc) : m.place;
    const std::string there = m.there.block > 0 ? place_of(m.there.pc) : "";
    snprintf(finding.kernel, sizeof finding.kernel, "%s", m.kernel.c_str());
    snprintf(finding.here, sizeof finding.here, "%s", here.c_str());
    snprintf(finding.there, sizeof finding.there, "%s", there.c_str());
    snprintf(finding.array, sizeof finding.array, "%s", m.array.c_str());
    put(finding.block, m.block);
    put(finding.other_block, m.other_block);
    put(finding.thread, gpu.threads[m.here.thread].index);
    put(finding.other_thread, gpu.threads[m.there.thread].index);
    finding.index = m.array.empty() || m.element_bytes == 0 ? -1 : m.offset / static_cast<int64_t>(m.element_bytes);
    finding.times = place.times;
    findings_words(m, other_arrays(place), here.c_str(), there.c_str(), &finding);
    return finding;
}

const std::vector<duel_finding> &findings_all()
{
    if (!changed)
        return gathered;
    changed = false;
    gathered.clear();
    std::vector<uintptr_t> addresses;
    for (const mistake &m : seen)
        for (const access_record *record : {&m.here, &m.there})
            if (record->pc != 0)
                addresses.push_back(record->pc);
    lines_look_up(addresses);
    std::vector<located> causes;
    for (const mistake &m : seen) {
        const located place = locate(m);
        const auto known = std::find_if(causes.begin(), causes.end(), [&](const located &other) {
            return one_cause(place, other) || one_cause(other, place);
        });
        if (known == causes.end())
            causes.push_back(place);
        else
            unite(&*known, place);
    }
    for (const located &cause : causes)
        gathered.push_back(describe(cause));
    return gathered;
}

} // namespace emulated
