/* counted.h: float and double that tell of each operation. Kernels of traced mode are compiled with -DDUEL_COUNTED:
 * from the end of kernel.cuh on, the words float and double mean the types below. They hold the same values and round
 * the same way; only addition, subtraction, multiplication and division call the machine, which notes from which line.
 * Comparisons, changes of sign and conversions are no arithmetic and are not counted. Functions of the host in the same
 * file give and take plain numbers where duel.h names them: duel_bytes. */
#ifndef EMULATED_COUNTED_H
#define EMULATED_COUNTED_H

#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include "tensor.h"

namespace emulated
{

#define EMULATED_COUNTING __attribute__((always_inline)) inline

template <typename F> struct counted {
    F value;
    counted() = default;
    template <typename A, typename = std::enable_if_t<std::is_arithmetic<A>::value>>
    EMULATED_COUNTING constexpr counted(A a) : value(static_cast<F>(a))
    {
    }
    EMULATED_COUNTING counted(__half h) : value(static_cast<F>(static_cast<float>(h)))
    {
    }
    /* As between the plain types: each becomes the other by itself. */
    template <typename G, typename = std::enable_if_t<sizeof(G) != sizeof(F)>>
    EMULATED_COUNTING constexpr counted(counted<G> other) : value(static_cast<F>(other.value))
    {
    }
    template <typename A, typename = std::enable_if_t<std::is_arithmetic<A>::value>>
    EMULATED_COUNTING constexpr explicit operator A() const /* for the host's own numbers write duel_bytes */
    {
        return static_cast<A>(value);
    }
    EMULATED_COUNTING explicit operator __half() const
    {
        return __half(value);
    }

    static constexpr flop_kind kind = sizeof(F) == 8 ? flop_fp64 : flop_fp32;
#define EMULATED_COUNTED_OPERATOR(symbol)                                    \
    friend EMULATED_COUNTING counted operator symbol(counted a, counted b)   \
    {                                                                        \
        count_flops(kind, 1);                                                \
        return counted(a.value symbol b.value);                              \
    }                                                                        \
    template <typename B> EMULATED_COUNTING counted &operator symbol##=(B b) \
    {                                                                        \
        return *this = *this symbol b;                                       \
    }
    EMULATED_COUNTED_OPERATOR(+)
    EMULATED_COUNTED_OPERATOR(-)
    EMULATED_COUNTED_OPERATOR(*)
    EMULATED_COUNTED_OPERATOR(/)
#define EMULATED_COUNTED_COMPARISON(symbol)                                       \
    friend EMULATED_COUNTING constexpr bool operator symbol(counted a, counted b) \
    {                                                                             \
        return a.value symbol b.value;                                            \
    }
    EMULATED_COUNTED_COMPARISON(==)
    EMULATED_COUNTED_COMPARISON(!=)
    EMULATED_COUNTED_COMPARISON(<)
    EMULATED_COUNTED_COMPARISON(<=)
    EMULATED_COUNTED_COMPARISON(>)
    EMULATED_COUNTED_COMPARISON(>=)
    friend EMULATED_COUNTING counted operator-(counted a)
    {
        return counted(-a.value);
    }
};

/* A vector is moved whole, whatever its elements are called. */
template <typename F> struct plain<counted<F>> {
    typedef F type;
};
typedef counted<float> counted_float;
typedef counted<double> counted_double;

typedef vector2<counted_float> counted_float2;
typedef vector4<counted_float> counted_float4;
typedef vector2<counted_double> counted_double2;

} // namespace emulated

#include "counted_math.h"
#include "counted_mixed.h"

#define float ::emulated::counted_float
#define double ::emulated::counted_double
#define double2 ::emulated::counted_double2
#define make_double2(...) ::emulated::counted_double2(__VA_ARGS__)
#define float2 ::emulated::counted_float2
#define float4 ::emulated::counted_float4
#define make_float2(...) ::emulated::counted_float2(__VA_ARGS__)
#define make_float4(...) ::emulated::counted_float4(__VA_ARGS__)

#endif
