/* Half precision in software: every conversion, every rounding, and arithmetic against exact integers. */
#include "tests/emulator/check.cuh"

/* A half as a multiple of 2^-48: then products are integers too. Written without looking at the bits' conversion. */
static __int128 exact(unsigned int bits)
{
    const unsigned int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const __int128 magnitude = exponent == 0 ? static_cast<__int128>(fraction) << 24
                                             : static_cast<__int128>(1024 + fraction) << (exponent - 1 + 24);
    return bits & 0x8000 ? -magnitude : magnitude;
}

/* The half that is nearest to value * 2^-48, the even one of two. */
static unsigned int nearest(__int128 value, unsigned int sign_of_zero)
{
    const unsigned int sign = value < 0 ? 0x8000 : value == 0 ? sign_of_zero : 0;
    const __int128 magnitude = value < 0 ? -value : value;
    unsigned int below = 0, above = 0x7c00; /* infinity stands where the next number would */
    while (above - below > 1) {
        const unsigned int middle = (below + above) / 2;
        (exact(middle) <= magnitude ? below : above) = middle;
    }
    const __int128 down = magnitude - exact(below), up = exact(above) - magnitude;
    return sign | (down < up || (down == up && below % 2 == 0) ? below : above);
}

static void to_float()
{
    int wrong = 0;
    for (unsigned int bits = 0; bits < 0x10000; bits++) {
        const float value = __half2float(__ushort_as_half(static_cast<unsigned short>(bits)));
        if ((bits & 0x7c00) != 0x7c00)
            wrong += value != ldexp(static_cast<double>(exact(bits)), -48) || std::signbit(value) != (bits >> 15);
        else
            wrong += (bits & 0x3ff) ? !std::isnan(value) : !(std::isinf(value) && std::signbit(value) == (bits >> 15));
    }
    check(wrong == 0, "half to float: all 65536 values");
}

/* Around each number and each midpoint between two; with monotony these decide every conversion. */
static void from_float()
{
    int wrong = 0;
    for (unsigned int bits = 0; bits <= 0x7bff; bits++) {
        const float low = static_cast<float>(ldexp(static_cast<double>(exact(bits)), -48));
        const float high = static_cast<float>(ldexp(static_cast<double>(exact(bits + 1)), -48));
        const float middle = low / 2 + high / 2;
        const unsigned int even = bits % 2 ? bits + 1 : bits;
        wrong += __half_as_ushort(__float2half(low)) != bits;
        wrong += __half_as_ushort(__float2half_rn(-low)) != (bits | 0x8000);
        wrong += __half_as_ushort(__float2half(middle)) != even;
        wrong += __half_as_ushort(__float2half(-middle)) != (even | 0x8000);
        wrong += __half_as_ushort(__float2half(nextafterf(middle, low))) != bits;
        wrong += __half_as_ushort(__float2half(nextafterf(middle, high))) != bits + 1;
        wrong += __half_as_ushort(__double2half(nextafter(static_cast<double>(middle), low))) != bits;
        wrong += __half_as_ushort(__double2half(nextafter(static_cast<double>(middle), high))) != bits + 1;
    }
    check(wrong == 0, "float and double to half: all numbers, midpoints and their neighbours");
    check(__half_as_ushort(__float2half(1e-45F)) == 0 && __half_as_ushort(__float2half(-1e-45F)) == 0x8000,
          "what is too small becomes a zero with its sign");
    check(__half_as_ushort(__float2half(3e38F)) == 0x7c00 && __half_as_ushort(__float2half(-INFINITY)) == 0xfc00,
          "what is too large becomes infinite");
    check(__half_as_ushort(__float2half(NAN)) == 0x7fff && __half_as_ushort(__float2half(-NAN)) == 0x7fff,
          "NaN becomes CUDA's NaN");
}

static unsigned int random_bits()
{
    static uint64_t state = 88172645463325252U;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<unsigned int>(state >> 20 & 0xffff);
}

/* Random finite halves; every fourth triple cancels nearly, where a second rounding would show. */
static void arithmetic()
{
    int wrong_sum = 0, wrong_product = 0, wrong_fma = 0, tested = 0;
    for (int i = 0; i < 1000000; i++) {
        const unsigned int x = random_bits(), y = random_bits();
        if ((x & 0x7c00) == 0x7c00 || (y & 0x7c00) == 0x7c00)
            continue;
        const half a = __ushort_as_half(static_cast<unsigned short>(x)),
                   b = __ushort_as_half(static_cast<unsigned short>(y));
        const unsigned int both = x & y & 0x8000, either = (x ^ y) & 0x8000;
        wrong_sum += __half_as_ushort(__hadd(a, b)) != nearest(exact(x) + exact(y), both);
        const __int128 product = (exact(x) >> 24) * (exact(y) >> 24); /* both are multiples of 2^-24 */
        wrong_product += __half_as_ushort(a * b) != nearest(product, either);
        unsigned int z = random_bits();
        if (i % 4 == 0)
            z = __half_as_ushort(__hneg(a * b)) + i / 4 % 3 - 1U;
        if ((z & 0x7c00) == 0x7c00)
            continue;
        const half c = __ushort_as_half(static_cast<unsigned short>(z));
        wrong_fma += __half_as_ushort(__hfma(a, b, c)) != nearest(product + exact(z & 0xffff), either & z);
        tested++;
    }
    check(wrong_sum == 0, "a + b is rounded once");
    check(wrong_product == 0, "a * b is rounded once");
    check(wrong_fma == 0 && tested > 500000, "a * b + c is rounded once");
}

static __global__ void pairs(const half2 *in, half2 *out, float2 *wide)
{
    const half2 two = __float2half2_rn(2.0F);
    out[threadIdx.x] = __hfma2(in[threadIdx.x], two, __floats2half2_rn(1.0F, -1.0F));
    wide[threadIdx.x] = __half22float2(__hadd2(in[threadIdx.x], __halves2half2(two.x, __hneg(two.y))));
}

static void in_a_kernel()
{
    buffer<half2> in(32), out(32);
    buffer<float2> wide(32);
    for (int i = 0; i < 32; i++)
        in.host[i] = half2(half(i), half(0.5F * i));
    in.up();
    DUEL_LAUNCH(pairs, 1, 32, 0, nullptr, in.pointer, out.pointer, wide.pointer);
    works("half2 in a kernel");
    out.down();
    wide.down();
    bool right = true;
    for (int i = 0; i < 32; i++)
        right = right && __low2float(out.host[i]) == 2 * i + 1 && __high2float(out.host[i]) == i - 1 &&
                wide.host[i].x == i + 2 && wide.host[i].y == 0.5F * i - 2;
    check(right && sizeof(half2) == 4 && alignof(half2) == 4, "and its values");
    half sum = half(1.0F);
    sum += half(0.5F);
    check(sum == half(1.5F) && half(1) < half(2) && -sum == half(-1.5F) && sum / half(3.0F) == half(0.5F), "operators");
    check(!(half(NAN) == half(NAN)) && half(NAN) != half(NAN) && __hisnan(half(NAN)), "NaN equals nothing");
}

static void tests()
{
    to_float();
    from_float();
    arithmetic();
    in_a_kernel();
}
