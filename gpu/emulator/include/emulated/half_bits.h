/* half_bits.h: the bits of IEEE half precision: 1 sign, 5 exponent (bias 15), 10 fraction. */
#ifndef EMULATED_HALF_BITS_H
#define EMULATED_HALF_BITS_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace emulated
{

static inline float half_to_float(uint16_t half)
{
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000U) << 16, exponent = (half >> 10) & 0x1fU;
    const uint32_t fraction = half & 0x3ffU;
    uint32_t bits = sign | (exponent + 127 - 15) << 23 | fraction << 13;
    if (exponent == 0) {
        /* Zero or subnormal: a count of 2^-24, which float holds exactly. */
        const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
        memcpy(&bits, &magnitude, sizeof bits);
        bits |= sign;
    } else if (exponent == 0x1f) {
        bits = fraction != 0 ? 0x7fffffffU : sign | 0x7f800000U; /* every NaN becomes CUDA's one NaN */
    }
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Rounds to nearest even, once. float fits into double, so this is also the conversion from float. */
static inline uint16_t half_from_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = static_cast<uint16_t>(bits >> 48 & 0x8000U);
    const double magnitude = fabs(value);
    if (std::isnan(value))
        return 0x7fff;
    if (magnitude >= 65520.0) /* half an ulp above 65504, the largest */
        return static_cast<uint16_t>(sign | 0x7c00U);
    if (magnitude < 0x1p-14) {
        /* Subnormal: at 2^28 one ulp of a double is 2^-24, so the addition rounds to the count that is stored. */
        const double count = magnitude + 0x1p28;
        memcpy(&bits, &count, sizeof bits);
        return static_cast<uint16_t>(sign | (bits & 0x7ffU));
    }
    memcpy(&bits, &magnitude, sizeof bits);
    bits -= static_cast<uint64_t>(1023 - 15) << 52;
    bits += (static_cast<uint64_t>(1) << 41) - 1 + (bits >> 42 & 1U); /* half an ulp; a tie only if odd */
    return static_cast<uint16_t>(sign | bits >> 42);
}

/* a * b + c of three halves with one rounding: the product, 22 bits, is exact in double. So is the sum, unless the
 * product lies more than 30 bits below c; then it cannot decide how 11 bits are rounded. */
static inline uint16_t half_fma(double a, double b, double c)
{
    return half_from_double(a * b + c);
}

} // namespace emulated

#endif
