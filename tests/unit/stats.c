/* Statistics against values worked out by hand or by exact rational arithmetic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "bench/stats/random.h"
#include "bench/stats/stats.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void same(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-12))
        fail_msg("%.17g instead of %.17g", got, wanted);
}

static void samples_grow_and_keep_their_order(void **state)
{
    (void)state;
    struct duel_samples samples = {0};
    for (int i = 0; i < 1000; i++)
        assert_true(samples_add(&samples, 1000 - i));
    assert_int_equal(samples.count, 1000);
    for (int i = 0; i < 1000; i++)
        same(samples.value[i], 1000 - i);
    samples_free(&samples);
    assert_null(samples.value);
    assert_int_equal(samples.count, 0);
    samples_free(&samples);
}

/* R: quantile(c(15, 20, 35, 40, 50), c(0.05, 0.3, 0.4, 0.5, 1), type = 7) */
static void quantiles_are_type_seven(void **state)
{
    (void)state;
    const double sorted[] = {15, 20, 35, 40, 50};
    same(stats_quantile(sorted, 5, 0), 15);
    same(stats_quantile(sorted, 5, 0.05), 16);
    same(stats_quantile(sorted, 5, 0.3), 23);
    same(stats_quantile(sorted, 5, 0.4), 29);
    same(stats_quantile(sorted, 5, 0.5), 35);
    same(stats_quantile(sorted, 5, 1), 50);
    same(stats_quantile(sorted, 1, 0.75), 15);
    assert_true(isnan(stats_quantile(sorted, 0, 0.5)));
}

static void the_median_does_not_disturb_its_input(void **state)
{
    (void)state;
    double odd[] = {9, 1, 5}, even[] = {4, 1, 3, 2};
    same(stats_median(odd, 3), 5);
    same(stats_median(even, 4), 2.5);
    same(odd[0], 9);
    same(even[0], 4);
    assert_true(isnan(stats_median(odd, 0)));
}

/* 1 .. count in an order in which neighbours say nothing about each other: nothing is widened, nothing narrowed. */
static double *mixed(size_t count)
{
    double *value = malloc(count * sizeof *value);
    uint64_t state = 1;
    assert_non_null(value);
    for (size_t i = 0; i < count; i++)
        value[i] = (double)(i + 1);
    do
        for (size_t i = count - 1; i > 0; i--) {
            const size_t j = random_below(&state, i + 1);
            const double keep = value[i];
            value[i] = value[j];
            value[j] = keep;
        }
    while (stats_inflation(value, count) != 1);
    return value;
}

/* From exact rational sums: with the largest whole r for which P(X <= r - 1) <= 0.025 (Conover, Practical Nonparametric
 * Statistics, has them in tables: 1 for 6, 2 for 10, 6 for 20, 18 for 50, 40 for 100), interpolated to 95 %. */
static void the_interval_has_the_ranks_of_the_binomial(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        double rank;
    } table[] = {{6, 1.357142857},       {7, 1.733333333},       {8, 1.935643564},      {9, 2.227906977},
                 {10, 2.657657658},      {11, 2.917793965},      {12, 3.263118441},     {15, 4.373506087},
                 {20, 6.235234216},      {25, 8.198120617},      {30, 10.228711499},    {50, 18.671737514},
                 {71, 27.812095503},     {100, 40.763200616},    {1000, 469.533086602}, {1075, 505.882713851},
                 {5000, 2431.212658276}, {20000, 9861.912379369}};
    for (size_t t = 0; t < COUNT(table); t++) {
        size_t count = table[t].count;
        double *value = mixed(count), lo, hi;
        assert_true(stats_median_ci(value, count, &lo, &hi));
        assert_true(fabs(lo - table[t].rank) < 1e-8);
        assert_true(fabs(hi - ((double)count + 1 - table[t].rank)) < 1e-8);
        free(value);
    }
}

/* The same values in another order: neighbours that resemble each other say less. */
static void samples_that_depend_on_each_other_widen_the_interval(void **state)
{
    (void)state;
    double *apart = mixed(100), *rising = mixed(100), *swinging = mixed(100), lo, hi, low, high, inner, outer;
    for (size_t i = 0; i < 100; i++) {
        rising[i] = (double)(i + 1);
        swinging[i] = (double)(i % 2 ? 100 - i / 2 : i / 2 + 1); /* smallest, largest, second smallest, ... */
    }
    assert_true(stats_inflation(apart, 100) == 1);
    assert_true(stats_inflation(swinging, 100) > 0.5 && stats_inflation(swinging, 100) < 0.6);
    assert_true(stats_autocorrelation(swinging, 100) < -0.9);
    assert_true(stats_inflation(rising, 100) > 10);
    assert_true(stats_autocorrelation(rising, 100) > 0.9);
    assert_true(stats_median_ci(apart, 100, &lo, &hi));
    assert_true(stats_median_ci(rising, 100, &low, &high));
    assert_true(low < lo && hi < high);
    assert_true(low >= 0 && high <= 151); /* beyond the samples by half their range at most */
    assert_true(stats_median_ci(swinging, 100, &inner, &outer));
    assert_true(lo < inner && inner < outer && outer < hi);
    free(apart);
    free(swinging);
    free(rising);
}

static void five_samples_cannot_give_an_interval(void **state)
{
    (void)state;
    const double value[] = {1, 2, 3, 4, 5};
    for (size_t count = 0; count <= 5; count++) {
        double lo = 7, hi = 7;
        assert_false(stats_median_ci(value, count, &lo, &hi));
        assert_true(isnan(lo) && isnan(hi));
    }
}

static void a_summary_has_everything(void **state)
{
    (void)state;
    const double value[] = {5, 6, 100, 3, 2, 4, 7, 1, 9, 8};
    struct duel_summary s = stats_summary(value, COUNT(value));
    assert_int_equal(s.count, 10);
    same(s.median, 5.5);
    assert_true(fabs(s.ci_lo - 2.657657658) < 1e-8);
    assert_true(fabs(s.ci_hi - 8.342342342) < 1e-8);
    same(s.min, 1);
    same(s.q1, 3.25);
    same(s.q3, 7.75);
    same(s.max, 100);
    same(s.mad, 2.5); /* |x - 5.5| sorted: .5 .5 1.5 1.5 2.5 2.5 3.5 3.5 4.5 94.5 */
    same(value[2], 100);
}

static void equal_samples_give_numbers_not_nan(void **state)
{
    (void)state;
    double value[64];
    for (size_t i = 0; i < COUNT(value); i++)
        value[i] = 0.1;
    struct duel_summary s = stats_summary(value, COUNT(value));
    assert_true(s.median == 0.1 && s.ci_lo == 0.1 && s.ci_hi == 0.1);
    assert_true(s.min == 0.1 && s.q1 == 0.1 && s.q3 == 0.1 && s.max == 0.1 && s.mad == 0);
}

static void few_samples_say_what_they_can(void **state)
{
    (void)state;
    const double value[] = {3, 1};
    struct duel_summary none = stats_summary(value, 0), one = stats_summary(value, 1), two = stats_summary(value, 2);
    assert_int_equal(none.count, 0);
    assert_true(isnan(none.median) && isnan(none.min) && isnan(none.mad) && isnan(none.ci_lo));
    assert_true(one.median == 3 && one.min == 3 && one.q1 == 3 && one.q3 == 3 && one.max == 3 && one.mad == 0);
    assert_true(isnan(one.ci_lo) && isnan(one.ci_hi));
    assert_true(two.median == 2 && two.q1 == 1.5 && two.q3 == 2.5 && two.mad == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_grow_and_keep_their_order),
        cmocka_unit_test(quantiles_are_type_seven),
        cmocka_unit_test(the_median_does_not_disturb_its_input),
        cmocka_unit_test(the_interval_has_the_ranks_of_the_binomial),
        cmocka_unit_test(samples_that_depend_on_each_other_widen_the_interval),
        cmocka_unit_test(five_samples_cannot_give_an_interval),
        cmocka_unit_test(a_summary_has_everything),
        cmocka_unit_test(equal_samples_give_numbers_not_nan),
        cmocka_unit_test(few_samples_say_what_they_can),
    };
    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
