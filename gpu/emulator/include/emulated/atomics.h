/* atomics.h: one thread runs at a time and none is interrupted, so plain reads and writes are atomic. */
#ifndef EMULATED_ATOMICS_H
#define EMULATED_ATOMICS_H

namespace emulated
{
/* Lets the others run: a thread that spins on a lock must not keep the owner from releasing it. */
void spin();
} // namespace emulated

#define EMULATED_ATOMIC(name, type, result)              \
    static inline type name(type *address, type operand) \
    {                                                    \
        const type old = *address;                       \
        *address = (result);                             \
        return old;                                      \
    }
#define EMULATED_ATOMICS(type)                                              \
    EMULATED_ATOMIC(atomicAdd, type, old + operand)                         \
    EMULATED_ATOMIC(atomicExch, type, operand)                              \
    EMULATED_ATOMIC(atomicMax, type, old > operand ? old : operand)         \
    EMULATED_ATOMIC(atomicMin, type, old < operand ? old : operand)         \
    static inline type atomicCAS(type *address, type expected, type wanted) \
    {                                                                       \
        const type old = *address;                                          \
        if (old == expected)                                                \
            *address = wanted;                                              \
        else                                                                \
            ::emulated::spin();                                             \
        return old;                                                         \
    }

EMULATED_ATOMICS(int)
EMULATED_ATOMICS(unsigned int)
EMULATED_ATOMICS(unsigned long long)
EMULATED_ATOMIC(atomicAdd, float, old + operand)
EMULATED_ATOMIC(atomicAdd, double, old + operand)
EMULATED_ATOMIC(atomicExch, float, operand)

#endif
