/* trace_report.cc: adds the places of a trace up to source lines. Several places of a program can belong to one line:
 * what a compiler wrote twice, or a helper that was called from it. */
#include "gpu/emulator/hooked/trace_report.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "gpu/emulator/hooked/lines.h"
#include "gpu/emulator/hooked/trace.h"
#include "gpu/emulator/machine.h"

namespace emulated
{

struct kernel_report {
    std::vector<duel_trace_line> lines;
    std::vector<size_t> line_of_site;
    std::vector<duel_trace_flops> flops;
};
static std::vector<kernel_report> reports;
static bool made;

void report_clear()
{
    reports.clear();
    made = false;
}

static duel_trace_place place_of(uintptr_t pc)
{
    const source_line &line = line_of(pc);
    duel_trace_place place = {{0}, line.kernel_line};
    snprintf(place.file, sizeof place.file, "%s", line.kernel_path.c_str());
    return place;
}

static bool same(const duel_trace_place &a, const duel_trace_place &b)
{
    return a.line == b.line && strcmp(a.file, b.file) == 0;
}

static bool before(const duel_trace_place &a, const duel_trace_place &b)
{
    const int files = strcmp(a.file, b.file);
    return files ? files < 0 : a.line < b.line;
}

/* The line that a site adds to; a new one when there is none. */
static size_t line_for(kernel_report *report, const trace_site &site)
{
    const memory_access what = access_of(site.step);
    duel_trace_line line = {};
    line.place = place_of(what.pc);
    line.access = static_cast<enum duel_trace_access>(what.kind);
    line.shared = what.space == space_shared;
    line.bytes = what.bytes;
    for (size_t i = 0; i < report->lines.size(); i++) {
        const duel_trace_line &other = report->lines[i];
        if (same(other.place, line.place) && other.access == line.access && other.shared == line.shared &&
            other.bytes == line.bytes)
            return i;
    }
    report->lines.push_back(line);
    return report->lines.size() - 1;
}

static void add(duel_trace_line *line, const trace_site &site)
{
    line->requests += site.requests;
    line->lanes += site.lanes;
    line->units += line->shared ? site.rounds : site.sectors;
    line->units_best += line->shared ? site.rounds_free : site.sectors_packed;
    line->uncertain += site.uncertain;
    line->worst = std::max(line->worst, site.worst);
}

static void sort_lines(kernel_report *report)
{
    std::vector<size_t> order(report->lines.size()), rank(order.size());
    for (size_t i = 0; i < order.size(); i++)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        const duel_trace_line &x = report->lines[a], &y = report->lines[b];
        return same(x.place, y.place) ? x.shared < y.shared : before(x.place, y.place);
    });
    std::vector<duel_trace_line> sorted;
    for (size_t i = 0; i < order.size(); i++) {
        sorted.push_back(report->lines[order[i]]);
        rank[order[i]] = i;
    }
    report->lines.swap(sorted);
    for (size_t &line : report->line_of_site)
        line = rank[line];
}

static void add_flops(kernel_report *report, const trace_kernel &kernel)
{
    for (const auto &entry : kernel.flops) {
        const duel_trace_place place = place_of(entry.first);
        auto found = std::find_if(report->flops.begin(), report->flops.end(),
                                  [&](const duel_trace_flops &other) { return same(other.place, place); });
        if (found == report->flops.end())
            found = report->flops.insert(found, {place, {0}, 0});
        found->count[DUEL_FP64] += entry.second.of[flop_fp64];
        found->count[DUEL_FP32] += entry.second.of[flop_fp32];
        found->count[DUEL_FP16] += entry.second.of[flop_fp16];
        found->tensor += entry.second.of[flop_tensor];
    }
    std::sort(report->flops.begin(), report->flops.end(),
              [](const duel_trace_flops &a, const duel_trace_flops &b) { return before(a.place, b.place); });
}

static void make()
{
    std::vector<uintptr_t> places;
    for (const trace_kernel &kernel : trace_kernels()) {
        for (const trace_site &site : kernel.sites)
            places.push_back(access_of(site.step).pc);
        for (const auto &entry : kernel.flops)
            places.push_back(entry.first);
    }
    lines_look_up(places);
    for (const trace_kernel &kernel : trace_kernels()) {
        kernel_report report;
        for (const trace_site &site : kernel.sites) {
            report.line_of_site.push_back(line_for(&report, site));
            add(&report.lines[report.line_of_site.back()], site);
        }
        sort_lines(&report);
        add_flops(&report, kernel);
        reports.push_back(report);
    }
    made = true;
}

static const trace_kernel *kernel_at(int64_t number)
{
    if (!made)
        make();
    return number >= 0 && static_cast<size_t>(number) < reports.size() ? &trace_kernels()[static_cast<size_t>(number)]
                                                                       : nullptr;
}

template <typename T> static bool at(const std::vector<T> &list, int64_t index, T *out)
{
    if (index < 0 || static_cast<size_t>(index) >= list.size())
        return false;
    *out = list[static_cast<size_t>(index)];
    return true;
}

bool report_kernel(int64_t number, struct duel_trace_kernel *out)
{
    const trace_kernel *k = kernel_at(number);
    if (!k)
        return false;
    const kernel_report &report = reports[static_cast<size_t>(number)];
    *out = {};
    snprintf(out->name, sizeof out->name, "%s", k->name.c_str());
    std::copy(k->grid, k->grid + 3, out->grid);
    std::copy(k->block, k->block + 3, out->block);
    out->shared_bytes = k->shared_bytes;
    out->dynamic_bytes = k->dynamic_bytes;
    out->launches = k->launches;
    out->blocks = k->blocks;
    out->warps = k->warps;
    out->issues = k->issues;
    out->active = k->active;
    out->lost = k->lost;
    out->lines = static_cast<int64_t>(report.lines.size());
    out->flops = static_cast<int64_t>(report.flops.size());
    out->meetings = static_cast<int64_t>(k->meetings.size());
    out->samples = static_cast<int64_t>(k->samples.size());
    return true;
}

bool report_line(int64_t kernel, int64_t index, struct duel_trace_line *out)
{
    return kernel_at(kernel) && at(reports[static_cast<size_t>(kernel)].lines, index, out);
}

bool report_flops(int64_t kernel, int64_t index, struct duel_trace_flops *out)
{
    return kernel_at(kernel) && at(reports[static_cast<size_t>(kernel)].flops, index, out);
}

bool report_meeting(int64_t kernel, int64_t index, struct duel_trace_meeting *out)
{
    const trace_kernel *k = kernel_at(kernel);
    trace_meeting meeting;
    if (!k || !at(k->meetings, index, &meeting))
        return false;
    *out = {{{0}, meeting.line}, meeting.kind == meeting_barrier, meeting.blocks, meeting.warps};
    snprintf(out->place.file, sizeof out->place.file, "%s", meeting.file.c_str());
    return true;
}

/* The array that holds all of a request, and where it starts. Allocations are looked up as they were: trace.cc keeps
 * their names with the sample. */
bool report_sample(int64_t kernel, int64_t index, struct duel_trace_sample *out)
{
    const trace_kernel *k = kernel_at(kernel);
    if (!k || index < 0 || static_cast<size_t>(index) >= k->samples.size())
        return false;
    const trace_sample &sample = k->samples[static_cast<size_t>(index)];
    *out = {};
    out->line = static_cast<int64_t>(reports[static_cast<size_t>(kernel)].line_of_site[sample.site]);
    out->warp = sample.warp;
    out->round = sample.round;
    out->lanes = sample.request.lanes;
    snprintf(out->array, sizeof out->array, "%s", sample.array.c_str());
    for (unsigned int lane = 0; lane < trace_lanes; lane++)
        if (sample.request.lanes >> lane & 1U)
            out->offset[lane] = static_cast<int64_t>(sample.request.address[lane] - sample.start);
    return true;
}

} // namespace emulated
