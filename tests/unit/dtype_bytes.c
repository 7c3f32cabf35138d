/* The one-byte types against their definitions: every code, every midpoint, and what is too large for them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "bench/matrix/dtype.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The value of a code of E4M3 from the definition of the Open Compute Project: bias 7, no infinities, and NaN only
 * where all bits but the sign are set. */
static double defined_fp8(unsigned int code)
{
    int exponent = (int)(code & 0x7F) >> 3;
    double fraction = (code & 7) / 8.0;
    double magnitude = (code & 0x7F) == 0x7F ? NAN
                       : exponent == 0       ? ldexp(fraction, -6)
                                             : ldexp(1 + fraction, exponent - 7);
    return code & 0x80 ? -magnitude : magnitude;
}

static unsigned int store_fp8(double value)
{
    uint8_t out = 0x55;
    dtype_store(DUEL_FP8, &out, 0, value);
    return out;
}

static void all_fp8_codes_are_exact(void **state)
{
    (void)state;
    for (unsigned int code = 0; code < 256; code++) {
        const uint8_t byte = (uint8_t)code;
        const double value = dtype_load(DUEL_FP8, &byte, 0), wanted = defined_fp8(code);
        float widened;
        uint8_t bulk;
        dtype_convert(DUEL_FP8, &byte, DUEL_FP32, &widened, 1);
        dtype_convert(DUEL_FP32, &widened, DUEL_FP8, &bulk, 1);
        assert_true(isnan(wanted) ? isnan(value) && isnan(widened) : value == wanted && (double)widened == wanted);
        assert_int_equal(store_fp8(value), code); /* by bits: the sign of zero and of NaN counts */
        assert_int_equal(bulk, code);
    }
    const uint8_t largest = 0x7E, smallest = 0x01;
    assert_true(dtype_load(DUEL_FP8, &largest, 0) == 448 && dtype_load(DUEL_FP8, &smallest, 0) == 0x1p-9);
}

static void fp8_rounds_once_to_nearest_even(void **state)
{
    (void)state;
    for (unsigned int low = 0; low < 0x7E; low++) {
        const double a = defined_fp8(low), b = defined_fp8(low + 1), middle = (a + b) / 2;
        assert_int_equal(store_fp8(middle), low & 1 ? low + 1 : low);
        assert_int_equal(store_fp8(nextafter(middle, a)), low);
        assert_int_equal(store_fp8(nextafter(middle, b)), low + 1);
        assert_int_equal(store_fp8(-nextafter(middle, b)), (low + 1) | 0x80);
        for (int sign = -1; sign <= 1; sign += 2) { /* the same in bulk, from the floats around the middle */
            const float from = sign < 0 ? nextafterf((float)middle, (float)a) : nextafterf((float)middle, (float)b);
            uint8_t bulk;
            dtype_convert(DUEL_FP32, &from, DUEL_FP8, &bulk, 1);
            assert_int_equal(bulk, sign < 0 ? low : low + 1);
        }
    }
}

static void fp8_saturates(void **state)
{
    (void)state;
    static const double large[] = {448, 463.9, 464, 464.1, 480, 500, 1e5, 1e300, INFINITY};
    for (size_t i = 0; i < COUNT(large); i++) {
        assert_int_equal(store_fp8(large[i]), 0x7E);
        assert_int_equal(store_fp8(-large[i]), 0xFE);
        assert_int_equal(dtype_holds(DUEL_FP8, -large[i]), large[i] <= 464);
    }
    assert_int_equal(store_fp8(NAN) & 0x7F, 0x7F);
    assert_int_equal(store_fp8(5e-324), 0);
    assert_true(dtype_holds(DUEL_FP8, 1e-9) && dtype_holds(DUEL_FP8, 0.3));
}

static void whole_numbers_round_and_saturate(void **state)
{
    (void)state;
    static const struct {
        double value;
        int8_t byte;
        int32_t word;
    } table[] = {{0, 0, 0},
                 {-0.5, 0, 0},
                 {0.5, 0, 0},
                 {1.5, 2, 2},
                 {2.5, 2, 2},
                 {-2.51, -3, -3},
                 {126.5, 126, 126},
                 {127.4, 127, 127},
                 {128, 127, 128},
                 {-127.5, -127, -128},
                 {-128, -127, -128},
                 {1e9, 127, 1000000000},
                 {1e12, 127, INT32_MAX},
                 {-1e12, -127, -INT32_MAX},
                 {INFINITY, 127, INT32_MAX},
                 {-INFINITY, -127, -INT32_MAX},
                 {NAN, INT8_MIN, INT32_MIN}};
    for (size_t t = 0; t < COUNT(table); t++) {
        int8_t byte = 1;
        int32_t word = 1;
        dtype_store(DUEL_INT8, &byte, 0, table[t].value);
        dtype_store(DUEL_INT32, &word, 0, table[t].value);
        assert_int_equal(byte, table[t].byte);
        assert_int_equal(word, table[t].word);
    }
    for (int code = -127; code <= 127; code++) {
        const int8_t byte = (int8_t)code;
        assert_true(dtype_load(DUEL_INT8, &byte, 0) == code && dtype_holds(DUEL_INT8, code));
    }
    const int8_t none = INT8_MIN;
    assert_true(isnan(dtype_load(DUEL_INT8, &none, 0)));
    assert_false(dtype_holds(DUEL_INT8, 0.3) || dtype_holds(DUEL_INT8, 128) || dtype_holds(DUEL_INT8, -128));
    assert_true(dtype_holds(DUEL_FP16, 65504) && !dtype_holds(DUEL_FP16, 65520) && dtype_holds(DUEL_FP16, 1e-9));
}

static void quantising_rounds_the_product_once(void **state)
{
    (void)state;
    enum { N = 513 };
    float from[N];
    int8_t byte[N];
    int32_t word[N];
    for (int i = 0; i < N; i++)
        from[i] = (float)(i - N / 2) / 256; /* -1 .. 1 */
    dtype_quantise(DUEL_INT8, 127, from, byte, N);
    dtype_quantise(DUEL_INT32, 127, from, word, N);
    for (int i = 0; i < N; i++) {
        assert_int_equal(byte[i], (int)rint(127.0 * (i - N / 2) / 256));
        assert_int_equal(word[i], byte[i]);
    }
    assert_true(byte[0] == -127 && byte[N / 2] == 0 && byte[N - 1] == 127);
    /* 127 v lies just above 126.5: rounded to FP32 first, it would be the tie, which goes to the even 126 */
    const float near = 0x1.fdfbf8p-1f;
    assert_true(127.0 * (double)near > 126.5 && 127.0f * near <= 126.5f);
    dtype_quantise(DUEL_INT8, 127, &near, byte, 1);
    assert_int_equal(byte[0], 127);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_fp8_codes_are_exact),
        cmocka_unit_test(fp8_rounds_once_to_nearest_even),
        cmocka_unit_test(fp8_saturates),
        cmocka_unit_test(whole_numbers_round_and_saturate),
        cmocka_unit_test(quantising_rounds_the_product_once),
    };
    return cmocka_run_group_tests_name("dtype_bytes", tests, NULL, NULL);
}
