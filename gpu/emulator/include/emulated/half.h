/* half.h: one number in half precision. Arithmetic is done in float or double and rounded once to nearest even, which
 * for 11 significant bits equals IEEE half arithmetic. */
#ifndef EMULATED_HALF_H
#define EMULATED_HALF_H

#include "flops.h"
#include "half_bits.h"

struct __half {
    uint16_t bits;

    __half() = default;
    __half(float value) : bits(emulated::half_from_double(value))
    {
    }
    __half(double value) : bits(emulated::half_from_double(value))
    {
    }
    __half(int value) : bits(emulated::half_from_double(value))
    {
    }
    __half(unsigned int value) : bits(emulated::half_from_double(value))
    {
    }
    operator float() const
    {
        return emulated::half_to_float(bits);
    }
    explicit operator bool() const
    {
        return (bits & 0x7fff) != 0;
    }
};
typedef __half half;

static inline __half __float2half(float value)
{
    return __half(value);
}
static inline __half __float2half_rn(float value)
{
    return __half(value);
}
static inline __half __double2half(double value)
{
    return __half(value);
}
static inline __half __int2half_rn(int value)
{
    return __half(value);
}
static inline float __half2float(__half value)
{
    return value;
}
static inline __half __ushort_as_half(unsigned short bits)
{
    __half value;
    value.bits = bits;
    return value;
}
static inline unsigned short __half_as_ushort(__half value)
{
    return value.bits;
}

#define EMULATED_HALF_ARITHMETIC(symbol, name)                             \
    static inline __half operator symbol(__half a, __half b)               \
    {                                                                      \
        EMULATED_COUNT(::emulated::flop_fp16, 1);                          \
        return __half(static_cast<float>(a) symbol static_cast<float>(b)); \
    }                                                                      \
    static inline __half &operator symbol##=(__half &a, __half b)          \
    {                                                                      \
        return a = a symbol b;                                             \
    }                                                                      \
    static inline __half __h##name(__half a, __half b)                     \
    {                                                                      \
        return a symbol b;                                                 \
    }
EMULATED_HALF_ARITHMETIC(+, add)
EMULATED_HALF_ARITHMETIC(-, sub)
EMULATED_HALF_ARITHMETIC(*, mul)
EMULATED_HALF_ARITHMETIC(/, div)

#define EMULATED_HALF_COMPARISON(symbol, name)                     \
    static inline bool operator symbol(__half a, __half b)         \
    {                                                              \
        return static_cast<float>(a) symbol static_cast<float>(b); \
    }                                                              \
    static inline bool __h##name(__half a, __half b)               \
    {                                                              \
        return a symbol b;                                         \
    }
EMULATED_HALF_COMPARISON(==, eq)
EMULATED_HALF_COMPARISON(!=, ne)
EMULATED_HALF_COMPARISON(<, lt)
EMULATED_HALF_COMPARISON(<=, le)
EMULATED_HALF_COMPARISON(>, gt)
EMULATED_HALF_COMPARISON(>=, ge)

static inline __half operator-(__half a)
{
    return __ushort_as_half(static_cast<unsigned short>(a.bits ^ 0x8000U));
}
#define __hneg(a) (-static_cast<__half>(a))
static inline bool __hisnan(__half a)
{
    return (a.bits & 0x7fff) > 0x7c00;
}
static inline __half __hfma(__half a, __half b, __half c)
{
    EMULATED_COUNT(::emulated::flop_fp16, 2);
    return __ushort_as_half(emulated::half_fma(a, b, c));
}

#endif
