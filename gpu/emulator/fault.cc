/* fault.cc: a kernel that touches what it may not stops, and duel goes on. While a kernel runs, the signals of faults
 * lead here, on a stack of their own, since the kernel's may have overflowed. The handler notes what happened and
 * switches to the scheduler instead of returning. */
#include "gpu/emulator/machine.h"

#include <csignal>
#include <cstdio>
#include <ucontext.h>

namespace emulated
{

/* Without a text the address says what happened. */
static const struct {
    int number;
    const char *text, *next;
} faults[] = {
    {SIGSEGV, nullptr, nullptr},
    {SIGBUS, nullptr, nullptr},
    {SIGFPE, "divides an integer by zero", "check the divisor; a GPU gives a meaningless number without a message"},
    {SIGILL, "runs into code that the compiler thinks is never reached", "look for undefined behaviour in the kernel"},
    {SIGABRT, "stops at an assertion", "see the line of assert() above"},
};
static constexpr size_t fault_count = sizeof faults / sizeof faults[0];

static struct sigaction before[fault_count];
static stack_t stack_before;
static unsigned char handler_stack[64 * 1024];

/* " writes" or " reads", where the processor tells. */
static const char *access_kind(const void *context)
{
#if defined(__x86_64__)
    const auto *state = static_cast<const ucontext_t *>(context);
    return state->uc_mcontext.gregs[REG_ERR] & 2 ? "writes" : "reads";
#else
    static_cast<void>(context);
    return "reads or writes";
#endif
}

static void explain_access(const siginfo_t *info, const void *context)
{
    const char *matters = "on a GPU this is an illegal address, or silently the data of another matrix";
    const char *next = "compare the index with the extents first: if (row < m && column < n)";
    const char *kind = access_kind(context);
    const auto *address = static_cast<const unsigned char *>(info->si_addr);
    const allocation *near = memory_near(address);
    if (stacks_overflow(address)) {
        fail(gpu.running, "a thread has little memory of its own, and on a GPU it is slow",
             "use smaller local arrays, or shared memory", "uses more than the %zu bytes of its stack",
             fibre_stack_bytes);
    } else if (near) {
        const bool past = address >= near->pointer + near->bytes;
        fail(gpu.running, matters, next, "%s %zu bytes %s %s of %zu bytes", kind,
             static_cast<size_t>(past ? address - near->pointer - near->bytes : near->pointer - address),
             past ? "past the end of" : "before the start of",
             near->pointer == gpu.dynamic ? "dynamic shared memory" : "an allocation", near->bytes);
    } else if (info->si_code == SI_KERNEL) {
        /* x86-64 gives no address here: the access was misaligned, or the address none at all. */
        fail(gpu.running, "a GPU stops at a misaligned address", "align vector accesses: a float4 to 16 bytes",
             "uses a misaligned or impossible address");
    } else {
        fail(gpu.running, matters, next, "%s address %p, which is no memory of the device", kind, info->si_addr);
    }
}

static uintptr_t program_counter(const void *context)
{
    const auto *state = static_cast<const ucontext_t *>(context);
#if defined(__x86_64__)
    return static_cast<uintptr_t>(state->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return static_cast<uintptr_t>(state->uc_mcontext.pc);
#else
    static_cast<void>(state);
    return 0;
#endif
}

static struct sigaction host_before;

/* Code of the host uses device memory. We note where, and let it go on, so that the error is told like any other. */
static void host_handler(int, siginfo_t *info, void *context)
{
    const allocation *near = memory_near(info->si_addr);
    const auto *address = static_cast<const unsigned char *>(info->si_addr);
    if (gpu.running || !near || near->alias == 0 || address < near->pointer || address >= near->pointer + near->bytes) {
        sigaction(SIGSEGV, &host_before, nullptr); /* not ours: whoever was there before has it when it runs again */
        return;
    }
    memory_open(true);
    if (gpu.touched.pc != 0)
        return;
    gpu.touched = {program_counter(context), address, near->pointer, near->bytes, access_kind(context)};
}

void host_faults_catch()
{
    struct sigaction action = {};
    action.sa_sigaction = host_handler;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &host_before);
}

void host_faults_release()
{
    struct sigaction now = {};
    sigaction(SIGSEGV, nullptr, &now);
    if (now.sa_sigaction == host_handler)
        sigaction(SIGSEGV, &host_before, nullptr);
}

void host_touch_report()
{
    const host_touch touched = gpu.touched;
    if (touched.pc == 0)
        return;
    gpu.touched = {};
    memory_open(false);
    if (gpu.watching)
        gpu.watching->host_touched(touched.pc, touched.address);
    const allocation *a = memory_near(touched.allocation);
    gpu.name = "none";
    if (gpu.failed)
        return;
    gpu.failed = true;
    const bool named = a && !a->name.empty();
    snprintf(gpu.why.seen, sizeof gpu.why.seen,
             "code of the host %s %p: byte %zu of %s, %zu bytes of device memory at %p", touched.kind,
             static_cast<const void *>(touched.address), static_cast<size_t>(touched.address - touched.allocation),
             named ? a->name.c_str() : "an allocation", touched.bytes, static_cast<const void *>(touched.allocation));
    snprintf(gpu.why.matters, sizeof gpu.why.matters,
             "the memory of a GPU has no address on the host: there the program ends with a segmentation fault");
    snprintf(gpu.why.next, sizeof gpu.why.next,
             "copy the data first, or do this in a kernel; `duel verify --strict` names the line");
}

static void handler(int number, siginfo_t *info, void *context)
{
    if (!gpu.running) {
        /* Not the kernel's: let whoever was in charge before have it when the instruction runs again. */
        faults_release();
        return;
    }
    for (const auto &fault : faults)
        if (fault.number == number && fault.text)
            fail(gpu.running, "the kernel computes with values it must not have", fault.next, "%s", fault.text);
    if (!gpu.failed)
        explain_access(info, context);
    fibre_abandon(&gpu.scheduler);
}

void faults_catch()
{
    stack_forget(handler_stack, sizeof handler_stack);
    stack_t stack = {};
    stack.ss_sp = handler_stack;
    stack.ss_size = sizeof handler_stack;
    sigaltstack(&stack, &stack_before);
    struct sigaction action = {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER; /* not deferred: we never return from the handler */
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < fault_count; i++)
        sigaction(faults[i].number, &action, &before[i]);
}

void faults_release()
{
    for (size_t i = 0; i < fault_count; i++)
        sigaction(faults[i].number, &before[i], nullptr);
    sigaltstack(&stack_before, nullptr);
}

} // namespace emulated
