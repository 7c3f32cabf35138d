/* fibre.h: threads of control that are switched by hand, all within one thread of the operating system. */
#ifndef EMULATED_FIBRE_H
#define EMULATED_FIBRE_H

#include <cstddef>

#if !defined(__x86_64__) && !defined(__aarch64__) && !defined(EMULATED_UCONTEXT)
#define EMULATED_UCONTEXT
#endif
#ifdef EMULATED_UCONTEXT
#include <ucontext.h>
#endif

/* The machine itself is watched by AddressSanitizer. */
#if defined(__SANITIZE_ADDRESS__)
#define EMULATED_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EMULATED_ASAN
#endif
#endif

namespace emulated
{

/* The stack that a program started on is a fibre too, without a stack of its own in the pool. */
struct fibre {
    const void *stack; /* lowest byte */
    size_t bytes;
    void *fake_stack; /* AddressSanitizer's */
#ifdef EMULATED_UCONTEXT
    ucontext_t context;
#else
    void *stack_pointer; /* registers lie there while it does not run */
#endif
};

constexpr size_t fibre_stack_bytes = 64 * 1024;

/* Maps stacks for `count` fibres, each above a page that may not be touched; false without memory for them. What is
 * mapped stays until stacks_unmap(). */
bool stacks_map(size_t count);
void stacks_unmap();
/* True if `address` lies in one of those untouchable pages: that fibre's stack has overflowed. */
bool stacks_hold(const void *address); /* the stack of any fibre */
bool stacks_overflow(const void *address);

/* For stacks that were left in the middle of calls: AddressSanitizer must forget those calls' variables. */
void stack_forget(const void *stack, size_t bytes);

/* The next switch to `f` starts entry() on an empty stack, whatever it did before. */
void fibre_prepare(fibre *f, size_t number, void (*entry)());
void fibre_switch(fibre *from, fibre *to);
/* Leaves a fibre that will only ever be prepared again. */
[[noreturn]] void fibre_abandon(fibre *to);
/* What entry() calls first. */
void fibre_started();

} // namespace emulated

#endif
