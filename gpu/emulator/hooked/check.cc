/* check.cc: strict mode: looks at every access of a kernel before it happens. It needs no luck with the order in which
 * threads run: what nothing orders is a race, whichever came first this time. */
#include "gpu/emulator/hooked/check.h"

#include "gpu/emulator/hooked/cells.h"
#include "gpu/emulator/hooked/order.h"

#include <cstring>

namespace emulated
{

static bool stopped_here; /* the error of this kernel has been told */

/* Ends the kernel: what follows such an access means nothing. */
[[noreturn]] static void stop(mistake &&what)
{
    { /* nothing on a stack that is left for ever may own memory */
        const mistake m = std::move(what);
        duel_finding finding = {};
        findings_add(m);
        findings_words(m, "", "the line that strict mode names", "", &finding);
        fail(gpu.running, finding.matters, finding.next, "%s: %s", finding.kind, finding.seen);
    }
    stopped_here = true;
    fibre_abandon(&gpu.scheduler);
}

/* ---- one access ----------------------------------------------------------------------------------------------- */

/* Arguments of the kernel: they lie on the host's stack. A generous look around. */
static bool is_argument(const unsigned char *address)
{
    constexpr size_t most = 64 * 1024;
    return static_cast<size_t>(address - static_cast<const unsigned char *>(gpu.launch->invocation) + most / 2) < most;
}

static void check_elsewhere(const memory_access &what)
{
    uintptr_t base = 0;
    if (is_argument(what.address))
        return;
    const access_record now = order_stamp(what.pc, false);
    const shadow *array = shadow_near_shared(what.address);
    const allocation *near = memory_near(what.address);
    if (array)
        stop(mistake_begin(outside_array, what, now, array));
    if (near)
        stop(mistake_begin(outside_allocation, what, now, shadow_of(near, false)));
    if (module_of(reinterpret_cast<uintptr_t>(what.address), &base).empty()) /* constants are in a loaded file */
        stop(mistake_begin(no_device_memory, what, now, nullptr));
}

static void access(const memory_access &what)
{
    if (what.space == space_local || gpu.failed)
        return;
    if (what.space == space_elsewhere) {
        check_elsewhere(what);
        return;
    }
    const bool shared = what.space == space_shared;
    shadow *memory = shared ? shadow_of_shared(what.address) : shadow_of(memory_near(what.address), false);
    if (!memory)
        return;
    const access_record now = order_stamp(what.pc, what.kind == access_atomic);
    if (!memory->holds(what.address, what.bytes))
        stop(mistake_begin(shared ? outside_array : outside_allocation, what, now, memory));
    if (reinterpret_cast<uintptr_t>(what.address) % what.bytes != 0)
        stop(mistake_begin(misaligned, what, now, memory));
    if (what.kind == access_atomic)
        order_atomic(what.address);
    cells_check(what, memory, now);
}

/* ---- the course of a kernel ----------------------------------------------------------------------------------- */

static void allocated(const allocation &memory)
{
    shadow_of(&memory, true);
}

static void host_wrote(const void *pointer, size_t bytes)
{
    const allocation *memory = memory_near(pointer);
    shadow *known = memory ? shadow_of(memory, false) : nullptr;
    if (known)
        known->initialise(static_cast<const unsigned char *>(pointer), bytes);
}

static void kernel_begins()
{
    stopped_here = false;
    cells_begin();
    order_kernel_begins();
    shadow_prepare_shared();
}

/* Mistakes that the machine itself notices: barriers, masks, WMMA. */
static void add_stopped()
{
    mistake m = {};
    m.kind = stopped;
    m.array = gpu.failure ? gpu.failure : "error";
    m.kernel = gpu.name;
    m.text = gpu.why.seen;
    m.matters = gpu.why.matters;
    m.next = gpu.why.next;
    m.place = gpu.failure_place;
    m.block = gpu.block_index;
    findings_add(m);
}

static void kernel_ends()
{
    cells_settle(true);
    if (gpu.failed && !stopped_here)
        add_stopped();
}

static void launch_refused()
{
    if (gpu.failed) {
        add_stopped();
        return;
    }
    mistake m = {};
    m.kind = refused;
    m.kernel = gpu.name;
    m.text = gpu.refusal;
    m.matters = "on a GPU of this compute capability the kernel does not run, and only cudaGetLastError() tells";
    m.next = "make the block, its shared memory or the grid smaller, or ask for a larger limit with "
             "cudaFuncSetAttribute";
    findings_add(m);
}

static void host_touched(uintptr_t pc, const unsigned char *address)
{
    const allocation *memory = memory_near(address);
    mistake m = {};
    m.kind = host_access;
    m.here.pc = pc + 1; /* as a return address would */
    m.kernel = "none";
    m.array = memory ? memory->name : "";
    m.offset = memory ? address - memory->pointer : 0;
    m.array_bytes = memory ? memory->bytes : 0;
    m.element_bytes = memory && memory->element_bytes ? memory->element_bytes : 1;
    findings_add(m);
}

const watcher checker = {
    .allocated = allocated,
    .host_wrote = host_wrote,
    .launch_refused = launch_refused,
    .host_touched = host_touched,
    .kernel_begins = kernel_begins,
    .kernel_ends = kernel_ends,
    .block_begins = order_block_begins,
    .block_ends = [] { cells_settle(false); },
    .access = access,
    .basic_block = [](uintptr_t) {},
    .fence = order_fence,
    .lanes_ordered = [](const warp *team,
                        uint32_t lanes) { order_lanes(static_cast<unsigned int>(team - gpu.warps), lanes); },
    .block_ordered = order_block,
    .warp_meets = [](const warp *, meeting_kind, const char *, int) {},
};

void check_clear()
{
    findings_clear();
}

int64_t check_findings()
{
    return static_cast<int64_t>(findings_all().size());
}

bool check_finding(int64_t index, duel_finding *finding)
{
    const std::vector<duel_finding> &all = findings_all();
    if (index < 0 || static_cast<size_t>(index) >= all.size())
        return false;
    *finding = all[static_cast<size_t>(index)];
    return true;
}

} // namespace emulated
