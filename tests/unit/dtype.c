/* Conversions against the definitions of the formats, for every pattern where there are few enough. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint16_t store16(enum duel_dtype type, double value)
{
    uint16_t out = 0;
    dtype_store(type, &out, 0, value);
    return out;
}

static float store_tf32(double value)
{
    float out = 0;
    dtype_store(DUEL_TF32, &out, 0, value);
    return out;
}

static void names_sizes_and_roundoff(void **state)
{
    (void)state;
    static const struct {
        enum duel_dtype type;
        const char *name;
        size_t size;
        double roundoff;
    } table[] = {{DUEL_FP64, "fp64", 8, 0x1p-53}, {DUEL_FP32, "fp32", 4, 0x1p-24}, {DUEL_TF32, "tf32", 4, 0x1p-11},
                 {DUEL_FP16, "fp16", 2, 0x1p-11}, {DUEL_BF16, "bf16", 2, 0x1p-8},  {DUEL_FP8, "fp8", 1, 0x1p-4},
                 {DUEL_INT8, "int8", 1, 0},       {DUEL_INT32, "int32", 4, 0}};
    for (size_t t = 0; t < COUNT(table); t++) {
        assert_string_equal(dtype_name(table[t].type), table[t].name);
        assert_int_equal(dtype_parse(table[t].name), table[t].type);
        assert_int_equal(dtype_size(table[t].type), table[t].size);
        assert_true(dtype_roundoff(table[t].type) == table[t].roundoff);
    }
    assert_int_equal(dtype_parse("FP16"), DUEL_FP16);
    assert_int_equal(dtype_parse("none"), DUEL_NONE);
    assert_int_equal(dtype_parse(""), DUEL_NONE);
    assert_int_equal(dtype_parse("fp166"), DUEL_NONE);
    assert_string_equal(dtype_name(DUEL_NONE), "none");
    assert_string_equal(dtype_name((enum duel_dtype)99), "none");
    assert_int_equal(dtype_size(DUEL_NONE), 0);
}

/* The roundoff is half the distance from 1 to the next number: 1 + u is a tie and goes to 1, anything above it up. */
static void roundoff_is_what_storing_does(void **state)
{
    (void)state;
    for (int type = DUEL_FP32; type < DUEL_INT8; type++) {
        char out[8];
        double u = dtype_roundoff((enum duel_dtype)type);
        dtype_store((enum duel_dtype)type, out, 0, 1 + u);
        assert_true(dtype_load((enum duel_dtype)type, out, 0) == 1);
        dtype_store((enum duel_dtype)type, out, 0, 1 + u * (1 + 0x1p-20));
        assert_true(dtype_load((enum duel_dtype)type, out, 0) == 1 + 2 * u);
    }
}

/* The value of a 16-bit pattern from the definition: sign, exponent, fraction. */
static double defined_value(unsigned int pattern, int fraction_bits, int bias)
{
    int exponent = (int)(pattern & 0x7FFF) >> fraction_bits, most = 0x7FFF >> fraction_bits;
    double fraction = ldexp((double)(pattern & ((1u << fraction_bits) - 1)), -fraction_bits);
    double magnitude = exponent == most ? (fraction > 0 ? NAN : INFINITY)
                       : exponent == 0  ? ldexp(fraction, 1 - bias)
                                        : ldexp(1 + fraction, exponent - bias);
    return pattern & 0x8000 ? -magnitude : magnitude;
}

static void check_all_patterns(enum duel_dtype type, int fraction_bits, int bias)
{
    for (unsigned int pattern = 0; pattern < 65536; pattern++) {
        uint16_t bits = (uint16_t)pattern, bulk;
        float widened;
        double value = dtype_load(type, &bits, 0), wanted = defined_value(pattern, fraction_bits, bias);
        dtype_convert(type, &bits, DUEL_FP32, &widened, 1);
        dtype_convert(DUEL_FP32, &widened, type, &bulk, 1);
        if (isnan(wanted)) {
            assert_true(isnan(value) && isnan(widened));
            uint16_t stored = store16(type, value);
            assert_true(isnan(dtype_load(type, &stored, 0)) && isnan(dtype_load(type, &bulk, 0)));
            continue;
        }
        assert_true(value == wanted && (double)widened == wanted);
        assert_int_equal(store16(type, value), pattern); /* by bits: the sign of zero counts */
        assert_int_equal(bulk, pattern);
    }
}

static void all_fp16_patterns_are_exact(void **state)
{
    (void)state;
    check_all_patterns(DUEL_FP16, 10, 15);
}

static void all_bf16_patterns_are_exact(void **state)
{
    (void)state;
    check_all_patterns(DUEL_BF16, 7, 127);
}

/* Between every two neighbours: below the middle down, above it up, the middle to the even one. The doubles next to
 * the middle are those that rounding through float would get wrong. */
static void check_midpoints(enum duel_dtype type, unsigned int infinity)
{
    for (unsigned int pattern = 0; pattern < infinity; pattern++) {
        uint16_t low = (uint16_t)pattern, high = (uint16_t)(pattern + 1);
        double a = dtype_load(type, &low, 0), b = dtype_load(type, &high, 0);
        if (isinf(b)) { /* the place where the next number would be */
            uint16_t before = (uint16_t)(pattern - 1);
            b = a + (a - dtype_load(type, &before, 0));
        }
        double middle = a + (b - a) / 2;
        assert_int_equal(store16(type, middle), pattern & 1 ? high : low);
        assert_int_equal(store16(type, nextafter(middle, a)), low);
        assert_int_equal(store16(type, nextafter(middle, b)), high);
        assert_int_equal(store16(type, -nextafter(middle, b)), high | 0x8000);
    }
}

static void fp16_rounds_once_to_nearest_even(void **state)
{
    (void)state;
    check_midpoints(DUEL_FP16, 0x7C00);
}

static void bf16_rounds_once_to_nearest_even(void **state)
{
    (void)state;
    check_midpoints(DUEL_BF16, 0x7F80);
}

static void fp16_has_the_known_edges(void **state)
{
    (void)state;
    assert_int_equal(store16(DUEL_FP16, 65504), 0x7BFF);
    assert_int_equal(store16(DUEL_FP16, 65519.999999), 0x7BFF);
    assert_int_equal(store16(DUEL_FP16, 65520), 0x7C00);
    assert_int_equal(store16(DUEL_FP16, 1e300), 0x7C00);
    assert_int_equal(store16(DUEL_FP16, -INFINITY), 0xFC00);
    assert_int_equal(store16(DUEL_FP16, 0x1p-24), 0x0001);
    assert_int_equal(store16(DUEL_FP16, 0x1p-25), 0x0000);
    assert_int_equal(store16(DUEL_FP16, 0x1.0000000000001p-25), 0x0001);
    assert_int_equal(store16(DUEL_FP16, 5e-324), 0x0000);
    assert_int_equal(store16(DUEL_FP16, -0.0), 0x8000);
    assert_int_equal(store16(DUEL_FP16, 0x1.ffcp-15), 0x03FF + 1); /* rounds up into the normal numbers */
    assert_int_equal(store16(DUEL_FP16, NAN) & 0x7E00, 0x7E00);
}

static void tf32_keeps_ten_bits_of_fraction(void **state)
{
    (void)state;
    assert_true(store_tf32(1 + 0x1p-10) == 1 + 0x1p-10f);
    assert_true(store_tf32(1 + 0x1p-11) == 1);
    assert_true(store_tf32(1 + 0x1p-11 + 0x1p-52) == 1 + 0x1p-10f);
    assert_true(store_tf32(1 + 3 * 0x1p-11) == 1 + 0x1p-9f);
    assert_true(store_tf32(1e39) == INFINITY && store_tf32(-1e39) == -INFINITY);
    assert_true(store_tf32(0x1.fffp127) == INFINITY);
    assert_true(isnan(store_tf32(NAN)));
    assert_true(store_tf32(0x1p-136) == 0x1p-136f); /* the smallest subnormal */
    assert_true(store_tf32(0x1p-137) == 0 && store_tf32(0x1.8p-137) == 0x1p-136f);
    for (int i = 0; i < 100000; i++) {
        float value = store_tf32((double)rand() / RAND_MAX * ldexp(1, i % 60 - 30));
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        assert_int_equal(bits & 0x1FFF, 0);
        assert_true(store_tf32((double)value) == value);
    }
}

/* A payload that lies only in the bits that are cut off must not turn NaN into infinity. */
static void every_nan_stays_nan(void **state)
{
    (void)state;
    static const uint32_t patterns[] = {0x7F800001, 0x7F801FFF, 0x7FBFFFFF, 0x7FC00000, 0x7FFFFFFF};
    for (size_t p = 0; p < COUNT(patterns); p++)
        for (int type = DUEL_FP32; type < DUEL_DTYPES; type++)
            for (int negative = 0; negative < 2; negative++) {
                uint32_t bits = patterns[p] | (uint32_t)negative << 31, out = 0;
                dtype_convert(DUEL_FP32, &bits, (enum duel_dtype)type, &out, 1);
                double value = dtype_load((enum duel_dtype)type, &out, 0);
                assert_true(isnan(value) && (type >= DUEL_INT8 || !signbit(value) == !negative));
            }
}

/* Bulk conversion is the same function as element by element, for every pair of types. */
static void bulk_conversion_agrees_with_single_elements(void **state)
{
    (void)state;
    enum { N = 1027 };
    static const double edges[] = {0,     -0.0,    1,        65519,   65520,    1e-7,  -6.1e-5, 1e39,
                                   -1e39, 0x1p-24, 0x1p-133, 0x1p-25, INFINITY, 3e-40, 0.1,     NAN};
    static double from[N], bulk[N], single[N];
    for (int a = DUEL_FP64; a < DUEL_DTYPES; a++) {
        enum duel_dtype from_type = (enum duel_dtype)a;
        for (size_t i = 0; i < N; i++)
            dtype_store(from_type, from, i, i < COUNT(edges) ? edges[i] : (double)rand() / RAND_MAX - 0.5);
        for (int b = DUEL_FP64; b < DUEL_DTYPES; b++) {
            enum duel_dtype to_type = (enum duel_dtype)b;
            memset(bulk, 0, sizeof bulk);
            memset(single, 0, sizeof single);
            dtype_convert(from_type, from, to_type, bulk, N);
            for (size_t i = 0; i < N; i++)
                dtype_store(to_type, single, i, dtype_load(from_type, from, i));
            for (size_t i = 0; i < N; i++) {
                double x = dtype_load(to_type, bulk, i), y = dtype_load(to_type, single, i);
                assert_true((isnan(x) && isnan(y)) || (x == y && signbit(x) == signbit(y)));
            }
        }
    }
}

static void unknown_types_do_nothing(void **state)
{
    (void)state;
    double value = 3;
    dtype_store(DUEL_NONE, &value, 0, 5);
    dtype_convert(DUEL_NONE, &value, DUEL_FP64, &value, 1);
    assert_true(value == 3);
    assert_true(isnan(dtype_load(DUEL_NONE, &value, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_sizes_and_roundoff),
        cmocka_unit_test(roundoff_is_what_storing_does),
        cmocka_unit_test(all_fp16_patterns_are_exact),
        cmocka_unit_test(all_bf16_patterns_are_exact),
        cmocka_unit_test(fp16_rounds_once_to_nearest_even),
        cmocka_unit_test(bf16_rounds_once_to_nearest_even),
        cmocka_unit_test(fp16_has_the_known_edges),
        cmocka_unit_test(tf32_keeps_ten_bits_of_fraction),
        cmocka_unit_test(every_nan_stays_nan),
        cmocka_unit_test(bulk_conversion_agrees_with_single_elements),
        cmocka_unit_test(unknown_types_do_nothing),
    };
    return cmocka_run_group_tests_name("dtype", tests, NULL, NULL);
}
