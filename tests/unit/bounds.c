/* bounds.c: how far a right answer may lie off, as numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/verify/bounds.h"

static const struct duel_types fp32 = {DUEL_FP32, DUEL_FP32, DUEL_FP32}, fp64 = {DUEL_FP64, DUEL_FP64, DUEL_FP64},
                               fp16 = {DUEL_FP16, DUEL_FP32, DUEL_FP32}, half = {DUEL_FP16, DUEL_FP16, DUEL_FP16};
static const double u = 0x1p-24;

static struct duel_bounds bounds_of(struct duel_types types, int64_t k, bool any_data)
{
    const struct duel_problem problem = {.m = 64, .n = 64, .k = k, .alpha = 1, .types = types};
    return bounds_make(&problem, k, 64, any_data);
}

static bool close_to(double value, double expected)
{
    return fabs(value - expected) <= 1e-6 * fabs(expected);
}

static void short_sums_stand_at_the_wall(void **state)
{
    (void)state;
    for (int64_t k = 0; k < 12; k++)
        assert_true(close_to(bounds_of(fp32, k, false).magnitude, (double)(k + 2) * u));
}

static void long_sums_grow_with_the_root(void **state)
{
    (void)state;
    assert_true(close_to(bounds_of(fp32, 16, false).magnitude, 16 * u));
    assert_true(close_to(bounds_of(fp32, 4096, false).magnitude, 4 * 64 * u));
    assert_true(close_to(bounds_of(fp32, 4096, true).magnitude, 4098 * u)); /* a user's data: the wall */
    assert_true(isinf(bounds_of(fp32, 4096, true).fingerprint));
    assert_true(close_to(bounds_of(fp64, 4096, false).magnitude, 2 * 4 * 64 * 0x1p-53)); /* the reference rounds too */
    assert_true(close_to(bounds_of(fp16, 4096, false).magnitude, 2 * 4 * 64 * u));       /* tensor cores cut */
}

/* MEASURING: one dropped product of 4096 is inside the classical bound and far outside this one. */
static void one_product_of_4096_is_beyond_the_bound(void **state)
{
    (void)state;
    const double product = 0.25, magnitude = 4096 * product;
    const struct duel_bounds bounds = bounds_of(fp32, 4096, false), wall = bounds_of(fp32, 4096, true);
    assert_true(product > 10 * bounds_element(&bounds, magnitude, 20));
    assert_true(product < bounds_element(&wall, magnitude, 20));
}

static void last_rounding_and_tiny_numbers_have_room(void **state)
{
    (void)state;
    const struct duel_bounds bounds = bounds_of(fp32, 1, false);
    assert_true(close_to(bounds_element(&bounds, 1, 3), 3 * u + 3 * u)); /* magnitude 1, value 3 */
    assert_true(bounds_element(&bounds, 0, 0) >= 0x1p-126);              /* flushed to zero */
    assert_true(bounds_element(&bounds, 0, 0) < 1e-36);
    assert_true(close_to(bounds_of(half, 1, false).value, 0x1p-11));
}

static void row_sums_gain_by_random_signs(void **state)
{
    (void)state;
    const struct duel_bounds random = bounds_of(fp32, 4096, false), any = bounds_of(fp32, 4096, true);
    assert_true(bounds_row(&random, 64, 64) < bounds_row(&any, 64, 64) / 64);
    assert_true(bounds_row(&random, 64, 64) > 8 * bounds_element(&random, 1, 0)); /* sqrt(64) elements */
}

static void exactness_needs_short_scalars_and_room(void **state)
{
    (void)state;
    struct duel_problem p = {.alpha = 1, .beta = 0};
    assert_true(bounds_exact(&p, 4096, DUEL_FP32));
    assert_true(bounds_exact(&p, 1 << 22, DUEL_FP32));
    assert_false(bounds_exact(&p, (1 << 22) + 1, DUEL_FP32));
    assert_true(bounds_exact(&p, 512, DUEL_FP16));
    assert_false(bounds_exact(&p, 513, DUEL_FP16));
    p.alpha = -0.5; /* halves: one place less */
    assert_true(bounds_exact(&p, 1 << 21, DUEL_FP32));
    assert_false(bounds_exact(&p, (1 << 21) + 1, DUEL_FP32));
    p.alpha = 0.3;
    assert_false(bounds_exact(&p, 1, DUEL_FP64));
    p.alpha = 1;
    p.beta = 1e-5;
    assert_false(bounds_exact(&p, 1, DUEL_FP64));
}

static void fingerprints_are_told_only_of_narrower_types(void **state)
{
    (void)state;
    assert_non_null(strstr(bounds_fingerprint_words(2.6e-4, 4, DUEL_FP32), "TF32"));
    assert_non_null(strstr(bounds_fingerprint_words(2.1e-3, 4, DUEL_FP32), "BF16"));
    assert_null(bounds_fingerprint_words(2.6e-4, 4, DUEL_FP16));    /* that is its label */
    assert_null(bounds_fingerprint_words(2.6e-4, 1000, DUEL_FP32)); /* one large error is no rounding */
    assert_null(bounds_fingerprint_words(1e-6, 4, DUEL_FP32));
    assert_null(bounds_fingerprint_words(0.5, 4, DUEL_FP32));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_sums_stand_at_the_wall),
        cmocka_unit_test(long_sums_grow_with_the_root),
        cmocka_unit_test(one_product_of_4096_is_beyond_the_bound),
        cmocka_unit_test(last_rounding_and_tiny_numbers_have_room),
        cmocka_unit_test(row_sums_gain_by_random_signs),
        cmocka_unit_test(exactness_needs_short_scalars_and_room),
        cmocka_unit_test(fingerprints_are_told_only_of_narrower_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
