/* math.h: functions that CUDA has and the host's mathematics lacks. The fast ones (__expf) are the exact ones here:
 * emulation shows what a kernel computes, not how a special function unit rounds. */
#ifndef EMULATED_MATH_H
#define EMULATED_MATH_H

#define EMULATED_MIN_MAX(type)             \
    static inline type min(type a, type b) \
    {                                      \
        return b < a ? b : a;              \
    }                                      \
    static inline type max(type a, type b) \
    {                                      \
        return a < b ? b : a;              \
    }
EMULATED_MIN_MAX(int)
EMULATED_MIN_MAX(unsigned int)
EMULATED_MIN_MAX(long)
EMULATED_MIN_MAX(unsigned long)
EMULATED_MIN_MAX(long long)
EMULATED_MIN_MAX(unsigned long long)

/* Of a number and a NaN, CUDA's give the number, like fmin and fmax. */
static inline float min(float a, float b)
{
    return fminf(a, b);
}
static inline float max(float a, float b)
{
    return fmaxf(a, b);
}
static inline double min(double a, double b)
{
    return fmin(a, b);
}
static inline double max(double a, double b)
{
    return fmax(a, b);
}

using std::isfinite;
using std::isinf;
using std::isnan;

/* Macros, since C libraries declare functions of these names for themselves. */
#define rsqrtf(x) (1.0F / sqrtf(x))
#define rsqrt(x) (1.0 / sqrt(x))
#define __expf(x) expf(x)
#define __logf(x) logf(x)
#define __fdividef(x, y) ((x) / (y))
#define __fmaf_rn(x, y, z) fmaf((x), (y), (z))
#define __fma_rn(x, y, z) fma((x), (y), (z))

template <typename T> static inline T __ldg(const T *address)
{
    return *address;
}
/* Writes what nobody will read soon. */
template <typename T> static inline void __stcs(T *address, T value)
{
    *address = value;
}

static inline int __popc(unsigned int bits)
{
    return __builtin_popcount(bits);
}
static inline int __clz(int bits)
{
    return bits == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(bits));
}
static inline int __ffs(int bits)
{
    return __builtin_ffs(bits);
}

#endif
