/* dtype.c: element types as a table, and conversions that round once, to nearest even.
 *
 * Every narrow type is reached from float by integer arithmetic on its bits. A double goes through float too, but is
 * rounded to odd on the way (Boldo & Melquiond, IEEE Trans. Computers 57(4), 2008): float has more than two bits to
 * spare over every type below it, so the sticky last bit makes the second rounding see what was lost by the first. */
#include "bench/matrix/dtype.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    size_t size;
    double roundoff;
} dtype_table[DUEL_DTYPES] = {
    [DUEL_NONE] = {"none", 0, 0},       [DUEL_FP64] = {"fp64", 8, 0x1p-53}, [DUEL_FP32] = {"fp32", 4, 0x1p-24},
    [DUEL_TF32] = {"tf32", 4, 0x1p-11}, [DUEL_FP16] = {"fp16", 2, 0x1p-11}, [DUEL_BF16] = {"bf16", 2, 0x1p-8},
    [DUEL_FP8] = {"fp8", 1, 0x1p-4},    [DUEL_INT8] = {"int8", 1, 0},       [DUEL_INT32] = {"int32", 4, 0},
};

static bool known(enum duel_dtype type)
{
    return type > DUEL_NONE && type < DUEL_DTYPES;
}

const char *dtype_name(enum duel_dtype type)
{
    return dtype_table[known(type) ? type : DUEL_NONE].name;
}

enum duel_dtype dtype_parse(const char *name)
{
    for (int type = DUEL_NONE + 1; type < DUEL_DTYPES; type++)
        if (strcasecmp(name, dtype_table[type].name) == 0)
            return (enum duel_dtype)type;
    return DUEL_NONE;
}

size_t dtype_size(enum duel_dtype type)
{
    return dtype_table[known(type) ? type : DUEL_NONE].size;
}

double dtype_roundoff(enum duel_dtype type)
{
    return dtype_table[known(type) ? type : DUEL_NONE].roundoff;
}

static inline uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Adding just under half of the last kept place, and one more when that place is odd, rounds to nearest even; a carry
 * into the exponent is the right result, up to infinity. `cut` is the number of bits that go. */
static inline uint32_t round_bits(uint32_t bits, int cut)
{
    return bits + (1u << (cut - 1)) - 1 + (bits >> cut & 1);
}

/* condition ? yes : no, with masks: a branch around a float addition would keep compilers from vectorising. */
static inline uint32_t choose(bool condition, uint32_t yes, uint32_t no)
{
    uint32_t mask = 0u - (uint32_t)condition;
    return (yes & mask) | (no & ~mask);
}

static inline uint16_t half_from_float(float value)
{
    uint32_t bits = bits_of(value), magnitude = bits & 0x7FFFFFFF;
    uint32_t normal = round_bits(magnitude - (112u << 23), 13) >> 13; /* exponent bias 127 becomes 15 */
    /* In [0.5, 1) the last place of float is 2^-24, that of half's subnormals: the addition rounds for us. */
    uint32_t subnormal = bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f);
    uint32_t not_a_number = 0x7E00 | (magnitude >> 13 & 0x3FF);
    uint32_t half = choose(magnitude < 113u << 23, subnormal, choose(normal < 0x7C00, normal, 0x7C00));
    half = choose(magnitude > 0x7F800000, not_a_number, half);
    return (uint16_t)(half | (bits >> 16 & 0x8000));
}

static inline float float_from_half(uint16_t half)
{
    uint32_t magnitude = half & 0x7FFFu, sign = (half & 0x8000u) << 16;
    uint32_t normal = (magnitude << 13) + (112u << 23);
    uint32_t special = magnitude << 13 | 0x7F800000;
    /* A subnormal has no leading one: give it one by reading it one exponent higher, then subtract it. */
    uint32_t subnormal = bits_of(float_of((magnitude << 13) + (113u << 23)) - 0x1p-14f);
    return float_of(sign | choose(magnitude < 0x400, subnormal, choose(magnitude < 0x7C00, normal, special)));
}

static inline uint16_t bfloat_from_float(float value)
{
    uint32_t bits = bits_of(value);
    uint32_t not_a_number = bits >> 16 | 0x40; /* quiet, and never rounded up to infinity */
    return (uint16_t)((bits & 0x7FFFFFFF) > 0x7F800000 ? not_a_number : round_bits(bits, 16) >> 16);
}

static inline float float_from_bfloat(uint16_t bfloat)
{
    return float_of((uint32_t)bfloat << 16);
}

/* E4M3 of the Open Compute Project (OFP8, 2023): bias 7, and of the codes with the largest exponent only the last is
 * NaN. Beyond 448 it saturates, infinity too. */
static inline uint8_t fp8_from_float(float value)
{
    uint32_t bits = bits_of(value), magnitude = bits & 0x7FFFFFFF;
    uint32_t normal = round_bits(magnitude - (120u << 23), 20) >> 20; /* exponent bias 127 becomes 7 */
    /* From 2^14 on the last place of float is 2^-9, that of the subnormals. */
    uint32_t subnormal = bits_of(float_of(magnitude) + 0x1p14f) - bits_of(0x1p14f);
    uint32_t code = choose(magnitude < 121u << 23, subnormal, choose(normal < 0x7E, normal, 0x7E));
    code = choose(magnitude > 0x7F800000, 0x7F, code);
    return (uint8_t)(code | (bits >> 24 & 0x80));
}

static inline float float_from_fp8(uint8_t code)
{
    uint32_t magnitude = code & 0x7Fu, sign = (code & 0x80u) << 24;
    uint32_t normal = (magnitude << 20) + (120u << 23), subnormal = bits_of((float)magnitude * 0x1p-9f);
    uint32_t number = choose(magnitude < 8, subnormal, normal);
    return float_of(sign | choose(magnitude == 0x7F, 0x7FC00000, number));
}

/* Whole numbers are symmetric; the code that is left over stands for no number. */
static inline int32_t whole(double value, int32_t most)
{
    double nearest = rint(value);
    return isnan(value) ? -most - 1 : nearest > most ? most : nearest < -most ? -most : (int32_t)nearest;
}

static inline double double_of_whole(int32_t value, int32_t most)
{
    return value < -most ? (double)NAN : (double)value;
}

static inline float tf32_from_float(float value)
{
    uint32_t bits = bits_of(value);
    uint32_t rounded = (bits & 0x7FFFFFFF) > 0x7F800000 ? bits | 0x400000 : round_bits(bits, 13);
    return float_of(rounded & ~0x1FFFu);
}

static float float_rounded_to_odd(double value)
{
    float nearest = (float)value;
    double error = value - (double)nearest;
    if (error == 0 || isnan(value) || isinf(value))
        return nearest;
    /* Inexact: of the two floats around the value take the one whose last bit is odd. Stepping the bits moves the
     * magnitude, infinity included, so a step towards zero gives the truncation. */
    uint32_t bits = bits_of(nearest);
    bool away = fabs((double)nearest) > fabs(value);
    return float_of((bits - away) | 1);
}

void dtype_store(enum duel_dtype type, void *to, size_t index, double value)
{
    float narrow = (float)value, odd = float_rounded_to_odd(value);
    switch (type) {
    case DUEL_FP64:
        ((double *)to)[index] = value;
        break;
    case DUEL_FP32:
        ((float *)to)[index] = narrow;
        break;
    case DUEL_TF32:
        ((float *)to)[index] = tf32_from_float(odd);
        break;
    case DUEL_FP16:
        ((uint16_t *)to)[index] = half_from_float(odd);
        break;
    case DUEL_BF16:
        ((uint16_t *)to)[index] = bfloat_from_float(odd);
        break;
    case DUEL_FP8:
        ((uint8_t *)to)[index] = fp8_from_float(odd);
        break;
    case DUEL_INT8:
        ((int8_t *)to)[index] = (int8_t)whole(value, INT8_MAX);
        break;
    case DUEL_INT32:
        ((int32_t *)to)[index] = whole(value, INT32_MAX);
        break;
    case DUEL_NONE:
    case DUEL_DTYPES:
        break;
    }
}

double dtype_load(enum duel_dtype type, const void *from, size_t index)
{
    switch (type) {
    case DUEL_FP64:
        return ((const double *)from)[index];
    case DUEL_FP32:
    case DUEL_TF32:
        return (double)((const float *)from)[index];
    case DUEL_FP16:
        return (double)float_from_half(((const uint16_t *)from)[index]);
    case DUEL_BF16:
        return (double)float_from_bfloat(((const uint16_t *)from)[index]);
    case DUEL_FP8:
        return (double)float_from_fp8(((const uint8_t *)from)[index]);
    case DUEL_INT8:
        return double_of_whole(((const int8_t *)from)[index], INT8_MAX);
    case DUEL_INT32:
        return double_of_whole(((const int32_t *)from)[index], INT32_MAX);
    case DUEL_NONE:
    case DUEL_DTYPES:
        break;
    }
    return NAN;
}

bool dtype_holds(enum duel_dtype type, double value)
{
    const double largest_fp8 = 464; /* half-way to the number that would follow 448 */
    double stored = 0, back;
    dtype_store(type, &stored, 0, value);
    back = dtype_load(type, &stored, 0);
    if (dtype_roundoff(type) == 0)
        return back == value;
    return isfinite(back) && (type != DUEL_FP8 || fabs(value) <= largest_fp8);
}

void dtype_quantise(enum duel_dtype type, double scale, const float *from, void *to, size_t count)
{
    if (type == DUEL_INT8)
        for (size_t i = 0; i < count; i++)
            ((int8_t *)to)[i] = (int8_t)whole(scale * (double)from[i], INT8_MAX);
    else
        for (size_t i = 0; i < count; i++)
            dtype_store(type, to, i, scale * (double)from[i]);
}

/* The conversions that matter for speed, one tight loop each; all others go element by element through double. */
#define DEFINE_LOOP(name, from_t, to_t, expression)                              \
    static void name(const void *restrict from, void *restrict to, size_t count) \
    {                                                                            \
        const from_t *source = from;                                             \
        to_t *target = to;                                                       \
        for (size_t i = 0; i < count; i++)                                       \
            target[i] = expression(source[i]);                                   \
    }

DEFINE_LOOP(fp32_to_fp16, float, uint16_t, half_from_float)
DEFINE_LOOP(fp32_to_bf16, float, uint16_t, bfloat_from_float)
DEFINE_LOOP(fp32_to_tf32, float, float, tf32_from_float)
DEFINE_LOOP(fp32_to_fp8, float, uint8_t, fp8_from_float)
DEFINE_LOOP(fp8_to_fp32, uint8_t, float, float_from_fp8)
DEFINE_LOOP(fp16_to_fp32, uint16_t, float, float_from_half)
DEFINE_LOOP(bf16_to_fp32, uint16_t, float, float_from_bfloat)
DEFINE_LOOP(fp32_to_fp64, float, double, (double))
DEFINE_LOOP(fp64_to_fp32, double, float, (float))

typedef void convert_loop(const void *restrict from, void *restrict to, size_t count);

static convert_loop *const convert_table[DUEL_DTYPES][DUEL_DTYPES] = {
    [DUEL_FP32] = {[DUEL_FP64] = fp32_to_fp64,
                   [DUEL_TF32] = fp32_to_tf32,
                   [DUEL_FP16] = fp32_to_fp16,
                   [DUEL_BF16] = fp32_to_bf16,
                   [DUEL_FP8] = fp32_to_fp8},
    [DUEL_TF32] =
        {[DUEL_FP64] = fp32_to_fp64, [DUEL_FP16] = fp32_to_fp16, [DUEL_BF16] = fp32_to_bf16, [DUEL_FP8] = fp32_to_fp8},
    [DUEL_FP64] = {[DUEL_FP32] = fp64_to_fp32},
    [DUEL_FP16] = {[DUEL_FP32] = fp16_to_fp32, [DUEL_TF32] = fp16_to_fp32},
    [DUEL_BF16] = {[DUEL_FP32] = bf16_to_fp32, [DUEL_TF32] = bf16_to_fp32},
    [DUEL_FP8] = {[DUEL_FP32] = fp8_to_fp32, [DUEL_TF32] = fp8_to_fp32},
};

void dtype_convert(enum duel_dtype from_type, const void *from, enum duel_dtype to_type, void *to, size_t count)
{
    if (!known(from_type) || !known(to_type) || count == 0)
        return;
    convert_loop *loop = convert_table[from_type][to_type];
    if (loop)
        loop(from, to, count);
    else if (from_type == to_type || (from_type == DUEL_TF32 && to_type == DUEL_FP32))
        memcpy(to, from, count * dtype_size(to_type));
    else
        for (size_t i = 0; i < count; i++)
            dtype_store(to_type, to, i, dtype_load(from_type, from, i));
}
