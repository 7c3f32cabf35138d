/* cuda_fp16.h of the emulated GPU: half precision in software, bit for bit what CUDA's conversions give; and pairs of
 * halves, which travel as one 32-bit access, as on a GPU. */
#ifndef EMULATED_CUDA_FP16_H
#define EMULATED_CUDA_FP16_H

#include "emulated/half.h"
#include "emulated/vectors.h"

struct alignas(4) __half2 {
    __half x, y;

    __half2() = default;
    __half2(__half low, __half high) : x(low), y(high)
    {
    }
};
typedef __half2 half2;

#define EMULATED_HALF2_ARITHMETIC(symbol, name)                 \
    static inline __half2 operator symbol(__half2 a, __half2 b) \
    {                                                           \
        return __half2(a.x symbol b.x, a.y symbol b.y);         \
    }                                                           \
    static inline __half2 name(__half2 a, __half2 b)            \
    {                                                           \
        return a symbol b;                                      \
    }
EMULATED_HALF2_ARITHMETIC(+, __hadd2)
EMULATED_HALF2_ARITHMETIC(-, __hsub2)
EMULATED_HALF2_ARITHMETIC(*, __hmul2)
EMULATED_HALF2_ARITHMETIC(/, __h2div)

static inline __half2 __halves2half2(__half low, __half high)
{
    return __half2(low, high);
}
static inline __half2 __half2half2(__half both)
{
    return __half2(both, both);
}
static inline __half2 __float2half2_rn(float both)
{
    return __half2(__half(both), __half(both));
}
static inline __half2 __floats2half2_rn(float low, float high)
{
    return __half2(__half(low), __half(high));
}
static inline __half __low2half(__half2 a)
{
    return a.x;
}
static inline __half __high2half(__half2 a)
{
    return a.y;
}
static inline float __low2float(__half2 a)
{
    return a.x;
}
static inline float __high2float(__half2 a)
{
    return a.y;
}
static inline float2 __half22float2(__half2 a)
{
    return make_float2(a.x, a.y);
}
static inline __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

#endif
