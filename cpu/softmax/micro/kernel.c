/* kernel.c: softmax of one row in vectors, with an exp() of its own. Compiled once for each instruction set and element
 * type (scripts/build/isa.mk).
 *
 * Idea     exp(x) = 2^k exp(r) with k whole and |r| at most half of log 2. There a short polynomial is as good as the
 *          last bit, and 2^k is no calculation but an exponent: k, shifted into its place. No branch, no table, so all
 *          lanes of a vector do it at once.
 * Mapping  Three passes as in cpu/softmax/three_pass, a vector at a time, several of them side by side: their sums do
 *          not wait for each other. The end of a row, shorter than a vector, goes through a copy that is filled up.
 * Traffic  As cpu/softmax/three_pass. The second and third pass find the row in the L1 cache.
 * Limits   Some 15 instructions per vector for exp(), and for rows beyond the cache memory.
 *
 * Arguments are never positive: the largest number has been taken off. So there is no overflow to look after; below the
 * smallest normal number the result is 0. NaN comes out as NaN: it goes through the polynomial.
 */
#include <math.h>
#include <string.h>

#include "cpu/softmax/micro/micro.h"

#ifndef MICRO_TABLE /* what the build sets: an example for tools that read this file alone */
#define MICRO_TABLE softmax_micro_generic_fp32
#define MICRO_ISA "generic"
#define MICRO_REAL float
#define MICRO_BYTES 16
#endif

typedef MICRO_REAL real;
enum { VL = MICRO_BYTES / sizeof(real), WIDE = sizeof(real) == sizeof(double), LANES = 4 };

/* A vector, and the same at an address that only suits its elements. may_alias: it reads memory of type real. */
typedef real vector __attribute__((vector_size(MICRO_BYTES)));
typedef real unaligned __attribute__((vector_size(MICRO_BYTES), aligned(sizeof(real)), may_alias));
typedef __typeof__(_Generic((real)0, double : (int64_t)0, default : (int32_t)0)) integer; /* as wide */
typedef integer integers __attribute__((vector_size(MICRO_BYTES)));

#define INLINE static inline __attribute__((always_inline))
#define UNROLLED _Pragma("GCC unroll 16")

/* ---- exp -------------------------------------------------------------------------------------------------- */

/* Adding 1.5 * 2^(digits - 1) pushes the fraction out at the right: what stands in the last bits is the nearest whole
 * number. log 2 in two parts: k times the first is exact. */
#define ROUNDER (WIDE ? 0x1.8p52 : 0x1.8p23)
#define LOG2_HIGH (WIDE ? 0x1.62e42fee00000p-1 : 0x1.63p-1)
#define LOG2_LOW (WIDE ? 0x1.a39ef35793c76p-33 : -0x1.bd0105c610ca8p-13)
#define SMALLEST (WIDE ? -708.0 : -87.0) /* exp() of less is no normal number */
enum { FRACTION_BITS = WIDE ? 52 : 23, BIAS = WIDE ? 1023 : 127 };

/* 1 + r + r^2 (c0 + c1 r + ...): in FP32 interpolated at Chebyshev's points, 1e-8 off at most; in FP64 Taylor's series,
 * whose first term left out is 4e-18. */
static const real coefficient[] = {
#define WIDER(wide, narrow) (real)(WIDE ? wide : narrow)
    WIDER(0x1p-1, 0.5),
    WIDER(1 / 6.0, 0.16666575943916645),
    WIDER(1 / 24.0, 0.04166655331078687),
    WIDER(1 / 120.0, 0.008363352682685172),
    WIDER(1 / 720.0, 0.001392640048073211),
    WIDER(1 / 5040.0, 0),
    WIDER(1 / 40320.0, 0),
    WIDER(1 / 362880.0, 0),
    WIDER(1 / 3628800.0, 0),
    WIDER(1 / 39916800.0, 0),
    WIDER(1 / 479001600.0, 0),
    WIDER(1 / 6227020800.0, 0),
};
enum { COEFFICIENTS = WIDE ? 12 : 5 };

INLINE vector exponential(vector x)
{
    const vector rounded = x * (real)1.4426950408889634 + (real)ROUNDER, k = rounded - (real)ROUNDER;
    const vector r = (x - k * (real)LOG2_HIGH) - k * (real)LOG2_LOW;
    vector p = coefficient[COEFFICIENTS - 1] - (vector){0};
    UNROLLED for (int i = COEFFICIENTS - 2; i >= 0; i--) p = p * r + coefficient[i];
    p = (p * r) * r + r + 1;
    const integers power = ((integers)rounded << FRACTION_BITS) + (((integers){0} + BIAS) << FRACTION_BITS);
    return (vector)((integers)(p * (vector)power) & ~(integers)(x < (real)SMALLEST));
}

/* ---- a row ------------------------------------------------------------------------------------------------ */

INLINE vector load(const real *from)
{
    return *(const unaligned *)from;
}

/* The last `count` numbers of a row, and `filler` behind them. */
INLINE vector load_end(const real *from, int64_t count, real filler)
{
    real whole[VL];
    for (int lane = 0; lane < VL; lane++)
        whole[lane] = filler;
    memcpy(whole, from, (size_t)count * sizeof(real));
    return load(whole);
}

/* Lane by lane; a NaN in b is never the larger one, so that NaN cannot hide what it should not. */
INLINE vector larger(vector a, vector b)
{
    const integers take = (integers)(b > a);
    return (vector)(((integers)b & take) | ((integers)a & ~take));
}

static real largest_of(const real *x, int64_t n)
{
    vector most[LANES];
    int64_t j = 0;
    UNROLLED for (int i = 0; i < LANES; i++) most[i] = (vector){0} - (real)INFINITY;
    for (; j + LANES * VL <= n; j += LANES * VL)
        UNROLLED for (int i = 0; i < LANES; i++) most[i] = larger(most[i], load(x + j + i * VL));
    for (; j + VL <= n; j += VL)
        most[0] = larger(most[0], load(x + j));
    if (j < n)
        most[0] = larger(most[0], load_end(x + j, n - j, (real)-INFINITY));
    UNROLLED for (int i = 1; i < LANES; i++) most[0] = larger(most[0], most[i]);
    real largest = most[0][0];
    for (int lane = 1; lane < VL; lane++)
        largest = most[0][lane] > largest ? most[0][lane] : largest;
    return largest;
}

static real exponentials_of(const real *x, int64_t n, real largest, real *restrict y)
{
    vector sum[LANES] = {0};
    int64_t j = 0;
    for (; j + LANES * VL <= n; j += LANES * VL)
        UNROLLED for (int i = 0; i < LANES; i++)
        {
            const vector e = exponential(load(x + j + i * VL) - largest);
            *(unaligned *)(y + j + i * VL) = e;
            sum[i] += e;
        }
    for (; j + VL <= n; j += VL) {
        const vector e = exponential(load(x + j) - largest);
        *(unaligned *)(y + j) = e;
        sum[0] += e;
    }
    if (j < n) {
        const vector e = exponential(load_end(x + j, n - j, (real)-INFINITY) - largest);
        memcpy(y + j, &e, (size_t)(n - j) * sizeof(real));
        /* A filler adds exp(-inf) = 0; in a row of nothing but -infinity NaN, as the row itself does. */
        sum[1] += e;
    }
    real total = 0;
    UNROLLED for (int i = 1; i < LANES; i++) sum[0] += sum[i];
    for (int lane = 0; lane < VL; lane++)
        total += sum[0][lane];
    return total;
}

static void rows(int64_t count, int64_t n, const void *from, int64_t ldx, void *to, int64_t ldy)
{
    const real *x = from;  /* count x n */
    real *restrict y = to; /* count x n */
    for (int64_t i = 0; i < count; i++, x += ldx, y += ldy) {
        const real largest = largest_of(x, n), share = 1 / exponentials_of(x, n, largest, y);
        for (int64_t j = 0; j < n; j++)
            y[j] *= share;
    }
}

extern const struct softmax_micro MICRO_TABLE; /* declared before it is defined, so that it has external linkage */
const struct softmax_micro MICRO_TABLE = {
    .text = MICRO_ISA " kernel, exp() in vectors",
    .rows = rows,
};
