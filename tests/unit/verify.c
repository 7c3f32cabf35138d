/* verify.c: verdicts on outputs that were made by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/trial.h"

static const struct duel_types fp32 = {DUEL_FP32, DUEL_FP32, DUEL_FP32}, fp64 = {DUEL_FP64, DUEL_FP64, DUEL_FP64},
                               half = {DUEL_FP16, DUEL_FP16, DUEL_FP16};

static bool close_to(double value, double expected)
{
    return fabs(value - expected) <= 1e-6 * fabs(expected);
}

static void right_answers_pass_in_their_tier(void **state)
{
    (void)state;
    static const struct duel_types types[] = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}, {DUEL_FP16, DUEL_FP32, DUEL_FP16}};
    for (int t = 0; t < 2; t++)
        for (int data = DUEL_UNIFORM; data <= DUEL_INTEGERS; data++) {
            struct trial trial;
            trial_open(&trial, 17, 19, 23, -0.5, types[t], (enum duel_data)data);
            trial_expect(&trial, data == DUEL_INTEGERS);
            const struct duel_verdict verdict = trial_verdict(&trial, 1);
            assert_string_equal(verdict.reason, "");
            assert_true(verdict.right && verdict.bound_ratio <= 1);
            assert_int_equal(verdict.tier, data == DUEL_INTEGERS ? DUEL_TIER_EXACT : DUEL_TIER_BOUND);
            assert_true(data == DUEL_UNIFORM || (verdict.max_error == 0 && verdict.bound_ratio == 0));
            trial_close(&trial);
        }
}

/* Right by one of the ways in which hardware treats numbers below the normal ones; alpha on A or on the sum. */
static float faint(const struct trial *t, int64_t i, int64_t j, bool flush, bool early)
{
    const float alpha = flush && fabs(t->problem.alpha) < 0x1p-126 ? 0 : (float)t->problem.alpha;
    float sum = 0;
    for (int64_t l = 0; l < t->problem.k; l++) {
        float a = (float)trial_get(&t->operand[DUEL_A], i, l) * (early ? alpha : 1);
        a = flush && fabsf(a) < 0x1p-126F ? 0 : a;
        sum += a * (float)trial_get(&t->operand[DUEL_B], l, j);
    }
    sum *= early ? 1 : alpha;
    sum = flush && fabsf(sum) < 0x1p-126F ? 0 : sum;
    return sum + (t->problem.beta == 0 ? 0 : (float)t->problem.beta * (float)trial_get(&t->operand[DUEL_C], i, j));
}

static void scalars_below_the_normal_numbers_fail_no_right_answer(void **state)
{
    (void)state;
    static const double alphas[] = {1e-30, 3e-35, 1e-37, 1.2e-38, 1e-40, 1e-42, 3e-45}, betas[] = {0, -0.5, 1e-41};
    for (size_t a = 0; a < sizeof alphas / sizeof *alphas; a++)
        for (size_t b = 0; b < sizeof betas / sizeof *betas; b++)
            for (int way = 0; way < 8; way++) {
                struct trial t;
                trial_open(&t, 20, 18, 33, betas[b], fp32, way & 4 ? DUEL_INTEGERS : DUEL_UNIFORM);
                t.problem.alpha = alphas[a];
                t.any_data = false;
                trial_expect(&t, false);
                for (int64_t i = 0; i < 20; i++)
                    for (int64_t j = 0; j < 18; j++)
                        trial_set(&t.output, i, j, (double)faint(&t, i, j, way & 1, way & 2));
                const struct duel_verdict verdict = trial_verdict(&t, 1);
                if (!verdict.right)
                    fail_msg("alpha %g beta %g way %d: %s", alphas[a], betas[b], way, verdict.reason);
                if (betas[b] == -0.5) { /* the other part is judged as sharply as ever */
                    trial_set(&t.output, 3, 4, trial_get(&t.output, 3, 4) + 1e-4);
                    assert_false(trial_verdict(&t, 1).right);
                }
                trial_close(&t);
            }
}

static void errors_are_measured(void **state)
{
    (void)state;
    struct trial t;
    trial_open(&t, 2, 2, 1, 0, fp64, DUEL_INTEGERS);
    for (int i = 0; i < 2; i++) {
        trial_set(&t.operand[DUEL_A], i, 0, 1 + i);
        trial_set(&t.operand[DUEL_B], 0, i, 1 + i);
    }
    trial_expect(&t, true); /* 1 2; 2 4: squares 1 + 4 + 4 + 16 = 25 */
    trial_set(&t.output, 0, 1, 5);
    trial_set(&t.output, 1, 0, -2);
    const struct duel_verdict verdict = trial_verdict(&t, 1);
    assert_false(verdict.right);
    assert_true(verdict.max_error == 4);
    assert_true(close_to(verdict.rms_error, sqrt((9.0 + 16.0) / 4)));
    assert_true(close_to(verdict.relative_frobenius, 1));
    assert_true(isinf(verdict.bound_ratio));
    assert_non_null(strstr(verdict.reason, "2 of 4 elements"));
    trial_close(&t);
}

static void hash_is_fnv_without_padding(void **state)
{
    (void)state;
    struct trial t;
    trial_open(&t, 1, 3, 1, 0, half, DUEL_INTEGERS);
    trial_expect(&t, true);
    memcpy(t.output.data, "foobar", 6);
    assert_true(trial_verdict(&t, 1).hash == 0x85944171F73967E8); /* published test vector of FNV-1a */
    trial_close(&t);
}

static void an_input_that_holds_nan_is_named(void **state)
{
    (void)state;
    struct trial t;
    trial_open(&t, 4, 4, 4, 0, fp32, DUEL_UNIFORM);
    trial_set(&t.operand[DUEL_A], 2, 1, NAN);
    trial_expect(&t, false);
    const struct duel_verdict verdict = trial_verdict(&t, 1);
    assert_false(verdict.right);
    assert_int_equal(verdict.worst_row, 2);
    assert_non_null(strstr(verdict.reason, "the input holds NaN"));
    trial_close(&t);
}

static void overflow_is_named(void **state)
{
    (void)state;
    struct trial t;
    trial_open(&t, 4, 4, 4, 0, fp32, DUEL_UNIFORM);
    for (int l = 0; l < 4; l++) {
        trial_set(&t.operand[DUEL_A], 3, l, 1e30);
        trial_set(&t.operand[DUEL_B], l, 0, 1e30);
    }
    trial_expect(&t, false);
    const struct duel_verdict verdict = trial_verdict(&t, 1);
    assert_false(verdict.right);
    assert_non_null(strstr(verdict.reason, "overflow"));
    trial_close(&t);
}

static void results_flushed_to_zero_pass(void **state)
{
    (void)state;
    struct trial t;
    trial_open(&t, 16, 16, 8, 0, fp32, DUEL_UNIFORM);
    t.any_data = true;
    for (int i = 0; i < 16; i++)
        for (int l = 0; l < 8; l++) {
            trial_set(&t.operand[DUEL_A], i, l, 1e-20 * (i + 1));
            trial_set(&t.operand[DUEL_B], l, i, 1e-20);
        }
    trial_expect(&t, false);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++)
            trial_set(&t.output, i, j, 0);
    assert_true(trial_verdict(&t, 1).right);
    trial_set(&t.output, 0, 0, 1e-30); /* small, but far from any rounding */
    assert_false(trial_verdict(&t, 1).right);
    trial_close(&t);
}

/* Equal numbers round the same way each time, so their errors add up instead of cancelling: only the wall is proof. */
static void a_users_own_data_are_held_to_the_wall(void **state)
{
    (void)state;
    const double third = 1.0 / 3;
    struct trial t;
    trial_open(&t, 2, 2, 16384, 0, fp32, DUEL_UNIFORM);
    for (int l = 0; l < 16384; l++)
        for (int i = 0; i < 2; i++) {
            trial_set(&t.operand[DUEL_A], i, l, third);
            trial_set(&t.operand[DUEL_B], l, i, third);
        }
    t.any_data = true;
    trial_expect(&t, false);
    float sum = 0;
    for (int l = 0; l < 16384; l++)
        sum += (float)third * (float)third;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            trial_set(&t.output, i, j, (double)sum);
    assert_true(trial_verdict(&t, 1).right);
    t.expectation.any_data = false;
    assert_false(trial_verdict(&t, 1).right);
    trial_close(&t);
}

static void padding_must_stay_nan(void **state)
{
    (void)state;
    struct trial t;
    trial_open(&t, 3, 3, 3, 1, fp32, DUEL_INTEGERS);
    trial_expect(&t, true);
    assert_true(trial_verdict(&t, 1).right);
    trial_set(&t.output, 2, 4, 0); /* the very last element of the last row's padding */
    const struct duel_verdict verdict = trial_verdict(&t, 1);
    assert_false(verdict.right);
    assert_int_equal(verdict.worst_row, 2);
    assert_int_equal(verdict.worst_column, 4);
    trial_close(&t);
}

static void tiers_have_names(void **state)
{
    (void)state;
    assert_string_equal(verdict_tier_name(DUEL_TIER_NONE), "none");
    assert_string_equal(verdict_tier_name(DUEL_TIER_EXACT), "exact");
    assert_string_equal(verdict_tier_name(DUEL_TIER_BOUND), "bound");
    assert_string_equal(verdict_tier_name(DUEL_TIER_FREIVALDS), "freivalds");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_answers_pass_in_their_tier),
        cmocka_unit_test(scalars_below_the_normal_numbers_fail_no_right_answer),
        cmocka_unit_test(errors_are_measured),
        cmocka_unit_test(hash_is_fnv_without_padding),
        cmocka_unit_test(an_input_that_holds_nan_is_named),
        cmocka_unit_test(overflow_is_named),
        cmocka_unit_test(results_flushed_to_zero_pass),
        cmocka_unit_test(a_users_own_data_are_held_to_the_wall),
        cmocka_unit_test(padding_must_stay_nan),
        cmocka_unit_test(tiers_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
