/* fibre.cc: switches between stacks. A switch saves the registers that a called function must preserve and exchanges
 * the stack pointer: a dozen instructions. The C library's swapcontext() does the same and asks the kernel about
 * signal masks every time, which costs thirty times more; it serves other processors. */
#include "gpu/emulator/fibre.h"

#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

#ifdef EMULATED_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace emulated
{

/* Room for the largest block, reserved once; pages become usable as blocks ask for them. */
static struct {
    unsigned char *map;
    size_t mapped; /* stacks that are usable */
    size_t page;
} pool;
static constexpr size_t pool_most = 1024;

static size_t slot_bytes()
{
    return pool.page + fibre_stack_bytes;
}

bool stacks_map(size_t count)
{
    if (!pool.map) {
        pool.page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
        void *map =
            mmap(nullptr, pool_most * slot_bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (map == MAP_FAILED)
            return false;
        pool.map = static_cast<unsigned char *>(map);
    }
    for (; pool.mapped < count; pool.mapped++)
        if (mprotect(pool.map + pool.mapped * slot_bytes() + pool.page, fibre_stack_bytes, PROT_READ | PROT_WRITE) != 0)
            return false;
    return true;
}

void stacks_unmap()
{
    if (pool.map)
        munmap(pool.map, pool_most * slot_bytes());
    pool = {};
}

bool stacks_hold(const void *address)
{
    return static_cast<size_t>(static_cast<const unsigned char *>(address) - pool.map) < pool_most * slot_bytes();
}

bool stacks_overflow(const void *address)
{
    const size_t offset = static_cast<size_t>(static_cast<const unsigned char *>(address) - pool.map);
    return pool.map && offset < pool_most * slot_bytes() && offset % slot_bytes() < pool.page;
}

#ifdef EMULATED_UCONTEXT

static void exchange(fibre *from, fibre *to)
{
    swapcontext(&from->context, &to->context);
}

static void prepare(fibre *f, size_t, void (*entry)())
{
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = const_cast<void *>(f->stack);
    f->context.uc_stack.ss_size = f->bytes;
    f->context.uc_link = nullptr;
    makecontext(&f->context, entry, 0);
}

#else

extern "C" __attribute__((visibility("hidden"))) void emulated_exchange(void **save, void *load);

#if defined(__x86_64__)
/* System V ABI: rbx, rbp and r12 to r15 belong to the caller. The return address is already on the stack. */
__asm__(".text\n"
        ".globl emulated_exchange\n"
        ".hidden emulated_exchange\n"
        ".type emulated_exchange, @function\n"
        "emulated_exchange:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size emulated_exchange, . - emulated_exchange\n");
/* In words from the new stack pointer: six registers, the entry, and a return address of zero that leaves the stack as
 * a call would. */
static constexpr size_t frame_words = 8, entry_word = 6;
#else
/* AAPCS64: x19 to x28, the frame pointer, the return address and the lower halves of v8 to v15 belong to the caller. */
__asm__(".text\n"
        ".globl emulated_exchange\n"
        ".hidden emulated_exchange\n"
        ".type emulated_exchange, %function\n"
        "emulated_exchange:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size emulated_exchange, . - emulated_exchange\n");
/* `ret` goes to x30, the word after the frame pointer. */
static constexpr size_t frame_words = 20, entry_word = 11;
#endif

static void exchange(fibre *from, fibre *to)
{
    emulated_exchange(&from->stack_pointer, to->stack_pointer);
}

static void prepare(fibre *f, size_t number, void (*entry)())
{
    /* Stacks of equal size put the same variable of every thread into the same set of a cache; shifting each by some
     * lines spreads them over the cache. */
    const size_t shift = number * 5 % 64 * 64;
    uintptr_t *frame = reinterpret_cast<uintptr_t *>(reinterpret_cast<uintptr_t>(f->stack) + f->bytes - shift);
    frame -= frame_words;
    for (size_t i = 0; i < frame_words; i++)
        frame[i] = 0;
    frame[entry_word] = reinterpret_cast<uintptr_t>(entry);
    f->stack_pointer = frame;
}

#endif

#ifdef EMULATED_ASAN
static fibre *switched_from;

void stack_forget(const void *stack, size_t bytes)
{
    __asan_unpoison_memory_region(stack, bytes);
}
#else
void stack_forget(const void *, size_t)
{
}
#endif

void fibre_prepare(fibre *f, size_t number, void (*entry)())
{
    f->stack = pool.map + number * slot_bytes() + pool.page;
    f->bytes = fibre_stack_bytes;
    f->fake_stack = nullptr;
    stack_forget(f->stack, f->bytes);
    prepare(f, number, entry);
}

void fibre_switch(fibre *from, fibre *to)
{
#ifdef EMULATED_ASAN
    switched_from = from;
    __sanitizer_start_switch_fiber(&from->fake_stack, to->stack, to->bytes);
#endif
    exchange(from, to);
#ifdef EMULATED_ASAN
    __sanitizer_finish_switch_fiber(from->fake_stack, nullptr, nullptr);
#endif
}

void fibre_abandon(fibre *to)
{
    static fibre left; /* static: AddressSanitizer may take this stack away before the switch */
#ifdef EMULATED_ASAN
    __sanitizer_start_switch_fiber(nullptr, to->stack, to->bytes);
#endif
    exchange(&left, to);
    abort(); /* nobody switches to `left` */
}

void fibre_started()
{
#ifdef EMULATED_ASAN
    /* Only here do we learn where the stack lies that the program was started on. */
    __sanitizer_finish_switch_fiber(nullptr, &switched_from->stack, &switched_from->bytes);
#endif
}

} // namespace emulated
