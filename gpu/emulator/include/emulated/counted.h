/* counted.h: float that tells of each operation. Kernels of traced mode are compiled with -DDUEL_COUNTED: from the end
 * of kernel.cuh on, the word float means the type below. It holds the same values and rounds the same way; only
 * addition, subtraction, multiplication and division call the machine, which notes from which line. Comparisons,
 * changes of sign and conversions are no arithmetic and are not counted. double keeps its meaning, since functions of
 * the host use it too: a kernel counts its FP64 where it says emulated::counted_double. */
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
    /* As between the plain types: a narrower one becomes a wider one by itself. */
    template <typename G, typename = std::enable_if_t<(sizeof(G) < sizeof(F))>>
    EMULATED_COUNTING constexpr counted(counted<G> narrower) : value(narrower.value)
    {
    }
    template <typename G, typename = std::enable_if_t<(sizeof(G) > sizeof(F))>, typename = void>
    EMULATED_COUNTING constexpr explicit counted(counted<G> wider) : value(static_cast<F>(wider.value))
    {
    }
    template <typename A, typename = std::enable_if_t<std::is_arithmetic<A>::value>>
    EMULATED_COUNTING constexpr explicit operator A() const
    {
        return static_cast<A>(value);
    }
    EMULATED_COUNTING explicit operator __half() const
    {
        return __half(value);
    }

    static constexpr flop_kind kind = sizeof(F) == 8 ? flop_fp64 : flop_fp32;
#define EMULATED_COUNTED_OPERATOR(symbol)                                  \
    friend EMULATED_COUNTING counted operator symbol(counted a, counted b) \
    {                                                                      \
        count_flops(kind, 1);                                              \
        return counted(a.value symbol b.value);                            \
    }                                                                      \
    EMULATED_COUNTING counted &operator symbol##=(counted b)               \
    {                                                                      \
        return *this = *this symbol b;                                     \
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
template <> struct plain<counted<float>> {
    typedef float type;
};
typedef counted<float> counted_float;
typedef counted<double> counted_double;
typedef vector2<counted_float> counted_float2;
typedef vector4<counted_float> counted_float4;

} // namespace emulated

#include "counted_math.h"

#define float ::emulated::counted_float
#define float2 ::emulated::counted_float2
#define float4 ::emulated::counted_float4
#define make_float2(...) ::emulated::counted_float2(__VA_ARGS__)
#define make_float4(...) ::emulated::counted_float4(__VA_ARGS__)

#endif
