/* inspect.cc: the second entry of duel-emulated-hooked.so (bench/inspect.h). */
#include "bench/inspect.h"

#include "gpu/emulator/hooked/check.h"
#include "gpu/emulator/hooked/hook.h"
#include "gpu/emulator/hooked/trace.h"
#include "gpu/emulator/hooked/trace_report.h"
#include "gpu/emulator/machine.h"

using emulated::gpu;

extern "C" __attribute__((visibility("default"))) duel_inspector_entry duel_inspector;

static enum duel_status set(const struct duel_inspect_setting *setting, struct duel_why *why)
{
    static const emulated::watcher *const clients[] = {nullptr, &emulated::checker, &emulated::tracer};
    if (setting->mode > DUEL_INSPECT_TRACED || setting->order > DUEL_INSPECT_RANDOM)
        return duel_fail(why, DUEL_EINVAL, "program and plug-in would mean different things by it",
                         "rebuild both with `make clean all`", "mode %d, order %d", setting->mode, setting->order);
    emulated::schedule_set(static_cast<emulated::direction>(setting->order), setting->seed);
    gpu.capability = setting->arch ? setting->arch : 90;
    gpu.shared_most = setting->shared_most ? setting->shared_most : 227 * 1024;
    emulated::watch(clients[setting->mode]);
    return DUEL_OK;
}

static void clear()
{
    emulated::hooks_clear();
    emulated::check_clear();
    emulated::trace_clear();
    emulated::report_clear();
}

static void hooks(struct duel_hook_counts *counts)
{
    const emulated::hook_counts counted = emulated::hooks_counted();
    *counts = {counted.loads, counted.stores, counted.atomics, counted.basic_blocks};
}

static void name(const void *pointer, const char *name, size_t element_bytes)
{
    const auto found = gpu.allocations.find(reinterpret_cast<uintptr_t>(pointer));
    if (found == gpu.allocations.end())
        return;
    found->second.name = name;
    found->second.element_bytes = element_bytes;
}

const struct duel_inspector *duel_inspector()
{
    static const struct duel_inspector inspector = {
        .abi = DUEL_INSPECT_ABI,
        .set = set,
        .clear = clear,
        .hooks = hooks,
        .name = name,
        .findings = emulated::check_findings,
        .finding = emulated::check_finding,
        .trace_kernel = emulated::report_kernel,
        .trace_line = emulated::report_line,
        .trace_flops = emulated::report_flops,
        .trace_meeting = emulated::report_meeting,
        .trace_sample = emulated::report_sample,
    };
    return &inspector;
}
