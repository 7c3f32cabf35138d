/* atomics.h: one thread runs at a time and none is interrupted, so plain reads and writes are atomic. */
#ifndef EMULATED_ATOMICS_H
#define EMULATED_ATOMICS_H

namespace emulated
{
/* Lets the others run: a thread that spins on a lock must not keep the owner from releasing it. */
void spin();
/* Only in hooked kernel files: tells whoever watches. */
void atomic_access(const void *address, unsigned int bytes, const void *pc);
} // namespace emulated

/* The reads and writes below must not count as the kernel's own: no hooks, and in no function that has some. */
#ifdef DUEL_HOOKED
#define EMULATED_ATOMIC_FUNCTION static __attribute__((noinline, unused, no_sanitize("coverage")))
#define EMULATED_ATOMIC_ACCESS ::emulated::atomic_access(address, sizeof *address, __builtin_return_address(0));
#else
#define EMULATED_ATOMIC_FUNCTION static inline
#define EMULATED_ATOMIC_ACCESS
#endif

#define EMULATED_ATOMIC(name, type, result)                         \
    EMULATED_ATOMIC_FUNCTION type name(type *address, type operand) \
    {                                                               \
        EMULATED_ATOMIC_ACCESS                                      \
        const type old = *address;                                  \
        *address = (result);                                        \
        return old;                                                 \
    }
#define EMULATED_ATOMICS(type)                                                         \
    EMULATED_ATOMIC(atomicAdd, type, old + operand)                                    \
    EMULATED_ATOMIC(atomicExch, type, operand)                                         \
    EMULATED_ATOMIC(atomicMax, type, old > operand ? old : operand)                    \
    EMULATED_ATOMIC(atomicMin, type, old < operand ? old : operand)                    \
    EMULATED_ATOMIC_FUNCTION type atomicCAS(type *address, type expected, type wanted) \
    {                                                                                  \
        EMULATED_ATOMIC_ACCESS                                                         \
        const type old = *address;                                                     \
        if (old == expected)                                                           \
            *address = wanted;                                                         \
        else                                                                           \
            ::emulated::spin();                                                        \
        return old;                                                                    \
    }

EMULATED_ATOMICS(int)
EMULATED_ATOMICS(unsigned int)
EMULATED_ATOMICS(unsigned long long)
EMULATED_ATOMIC(atomicAdd, float, old + operand)
EMULATED_ATOMIC(atomicAdd, double, old + operand)
EMULATED_ATOMIC(atomicExch, float, operand)

#endif
