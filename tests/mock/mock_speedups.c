/* mock_speedups.c: a base without copies and a device with them, both on scripted clocks: every speed-up and the number
 * of uses that earn back the copies have exact values; what cannot be known says why, and is never NaN in an output. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/mock/fight.h"

static void assert_ratio(const struct duel_ratio *ratio, double value, double lo, double hi)
{
    assert_close(ratio->value, value);
    assert_close(ratio->lo, lo);
    assert_close(ratio->hi, hi);
}

static void scripted_times_give_exact_speedups(void **state)
{
    (void)state;
    struct fight fight;
    fight_prepare(&fight, &(struct mock)BASE_10_MS, &(struct mock)ROW_5_MS);
    fight_run(&fight);
    const struct duel_result *row = &fight.result[ROW];
    assert_string_equal(row->base, "cpu/gemm/base fp32");
    assert_ratio(&row->speedup_kernel, 2, 2, 2);
    assert_ratio(&row->speedup_end_to_end, 1, 1, 1);
    assert_ratio(&row->speedup_amortised, 10 / 5.5, 10 / 5.5, 10 / 5.5);
    assert_ratio(&row->break_even_reuse, 1, 1, 1); /* 5 ms of copies, 5 ms earned by each use: even at once */
    assert_true(isnan(fight.result[BASE].break_even_reuse.value));
    assert_string_equal(fight_why(&fight.result[BASE], "break_even_reuse"), "");
    fight_finish(&fight);
}

static void uses_are_counted_until_the_copies_are_earned(void **state)
{
    (void)state;
    static const struct {
        double base_s, kernel_s, upload_s, download_s, uses;
    } table[] = {
        {10e-3, 5e-3, 2e-3, 1.01e-3, 2}, {10e-3, 9e-3, 2e-3, 1e-3, 5},  {10e-3, 9.5e-3, 2e-3, 1e-3, 10},
        {10e-3, 1e-3, 1e-6, 1e-6, 1},    {1, 1 - 1e-6, 0.25, 0.5, 1e6},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct fight fight;
        fight_prepare(&fight, &(struct mock){.kernel_s = table[i].base_s},
                      &(struct mock){.kernel_s = table[i].kernel_s,
                                     .upload_s = table[i].upload_s,
                                     .download_s = table[i].download_s});
        fight_run(&fight);
        const struct duel_ratio *uses = &fight.result[ROW].break_even_reuse;
        assert_true(fabs(uses->value - table[i].uses) <= 1e-6 * table[i].uses);
        assert_true(uses->lo <= uses->value && uses->hi >= uses->value && uses->hi <= uses->lo * (1 + 1e-6) + 1);
        fight_finish(&fight);
    }
}

/* The device gets slower and slower: its samples differ, and so the number of uses has an interval. */
static void drifting_kernels_give_an_interval(void **state)
{
    (void)state;
    struct fight fight;
    struct mock row = {.kernel_s = 5e-3, .kernel_growth = 20e-6, .upload_s = 2e-3, .download_s = 1e-3};
    fight_prepare(&fight, &(struct mock)BASE_10_MS, &row);
    fight.runner.options.rules.max_samples = 30;
    fight.runner.options.rules.min_samples = 30;
    fight_run(&fight);
    const struct duel_result *result = &fight.result[ROW];
    const double wanted = ceil(5e-3 / (10e-3 - result->kernel.median) * (1 - 1e-12));
    assert_close(result->break_even_reuse.value, wanted);
    assert_true(result->break_even_reuse.lo <= wanted && wanted <= result->break_even_reuse.hi);
    assert_true(result->speedup_kernel.lo < result->speedup_kernel.value);
    assert_true(result->speedup_kernel.value < result->speedup_kernel.hi);
    fight_finish(&fight);
}

static void what_never_pays_says_so(void **state)
{
    (void)state;
    static const struct {
        struct mock base, row;
        const char *why;
    } table[] = {
        {BASE_10_MS, {.kernel_s = 11e-3, .upload_s = 2e-3, .download_s = 1e-3}, "never: the kernel itself is slower"},
        {BASE_10_MS, {.kernel_s = 10e-3, .upload_s = 2e-3, .download_s = 1e-3}, "undecided: the kernel itself"},
        {BASE_10_MS, {.kernel_s = 5e-3}, "the copies were too short to tell"},
        {{.kernel_s = 1},
         {.kernel_s = 1 - 1e-9, .upload_s = 2, .download_s = 1},
         "not in the range of 1 to 1000000000"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct fight fight;
        fight_prepare(&fight, &table[i].base, &table[i].row);
        fight_run(&fight);
        assert_int_equal(fight.result[ROW].status, ROW_OK);
        assert_true(isnan(fight.result[ROW].break_even_reuse.value));
        assert_non_null(strstr(fight_why(&fight.result[ROW], "break_even_reuse"), table[i].why));
        fight_finish(&fight);
    }
}

static void reuse_may_be_once_or_a_thousand_million(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct fight fight;
        fight_prepare(&fight, &(struct mock)BASE_10_MS, &(struct mock)ROW_5_MS);
        fight.runner.options.reuse = i == 0 ? 1 : 1000000000;
        fight_run(&fight);
        const double amortised = i == 0 ? 1 : 2 / (1 + 1e-9);
        assert_ratio(&fight.result[ROW].speedup_amortised, amortised, amortised, amortised);
        fight_finish(&fight);
    }
}

static void one_sample_gives_a_value_without_an_interval(void **state)
{
    (void)state;
    struct fight fight;
    fight_prepare(&fight, &(struct mock)BASE_10_MS, &(struct mock)ROW_5_MS);
    fight.runner.options.rules.min_samples = fight.runner.options.rules.max_samples = 1;
    fight_run(&fight);
    const struct duel_result *row = &fight.result[ROW];
    assert_int_equal(row->kernel.count, 1);
    assert_close(row->speedup_kernel.value, 2);
    assert_true(isnan(row->speedup_kernel.lo) && isnan(row->break_even_reuse.lo));
    assert_close(row->break_even_reuse.value, 1);
    static const char *const fields[] = {"speedup_kernel_ci_lo", "speedup_end_to_end_ci_hi", "speedup_amortised_ci_lo",
                                         "break_even_reuse_ci_lo", "break_even_reuse_ci_hi"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        assert_non_null(strstr(fight_why(row, fields[i]), "too few pairs"));
    fight_finish(&fight);
}

static void without_a_good_base_there_is_no_speedup(void **state)
{
    (void)state;
    static const struct mock bad[] = {{.kernel_s = 0}, {.kernel_s = 1e-3, .wrong_from = 1}, {.kernel_s = NAN}};
    for (size_t i = 0; i <= sizeof bad / sizeof *bad; i++) {
        struct fight fight;
        const bool skipped = i == sizeof bad / sizeof *bad;
        fight_prepare(&fight, skipped ? &(struct mock)BASE_10_MS : &bad[i], &(struct mock)ROW_5_MS);
        snprintf(fight.cases[BASE].skip, sizeof fight.cases[BASE].skip, "%s", skipped ? "scripted" : "");
        fight_run(&fight);
        const struct duel_result *row = &fight.result[ROW];
        assert_int_equal(fight.result[BASE].status, skipped ? ROW_SKIPPED : ROW_FAILED);
        assert_int_equal(row->status, ROW_OK);
        assert_string_equal(row->base, "");
        assert_true(isnan(row->speedup_kernel.value) && isnan(row->speedup_end_to_end.value));
        assert_true(isnan(row->speedup_cold.value) && isnan(row->break_even_reuse.value));
        assert_string_equal(fight_why(row, "break_even_reuse"), "no verified row to compare with");
        fight_finish(&fight);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripted_times_give_exact_speedups),
        cmocka_unit_test(uses_are_counted_until_the_copies_are_earned),
        cmocka_unit_test(drifting_kernels_give_an_interval),
        cmocka_unit_test(what_never_pays_says_so),
        cmocka_unit_test(reuse_may_be_once_or_a_thousand_million),
        cmocka_unit_test(one_sample_gives_a_value_without_an_interval),
        cmocka_unit_test(without_a_good_base_there_is_no_speedup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
