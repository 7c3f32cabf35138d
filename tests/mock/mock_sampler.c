/* mock_sampler.c: the stopping rules on scripted seconds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/harness/sampler.h"

static const struct duel_sampler_rules rules = {.target_ci = 0.01,
                                                .min_samples = 10,
                                                .max_samples = 40,
                                                .min_time_s = 0,
                                                .timeout_s = 100,
                                                .warmup_s = 1,
                                                .warmup_max_s = 20};

/* Feeds value(i) until the sampler is done; returns the number of samples. */
static size_t feed(struct duel_sampler *sampler, double (*value)(size_t))
{
    struct duel_samples samples = {0};
    while (!sampler->done) {
        samples_add(&samples, value(samples.count));
        sampler_sample(sampler, &samples, 0, samples.value[samples.count - 1]);
    }
    size_t count = samples.count;
    samples_free(&samples);
    return count;
}

static double steady(size_t i)
{
    (void)i;
    return 0.5;
}

static double wild(size_t i)
{
    return i % 2 ? 0.5 : 1.5;
}

static double within_one_percent(size_t i)
{
    return i % 2 ? 0.995 : 1.005;
}

static void steady_samples_stop_at_the_minimum(void **state)
{
    (void)state;
    struct duel_sampler sampler;
    sampler_init(&sampler, &rules);
    assert_int_equal(feed(&sampler, steady), 10);
    assert_string_equal(sampler.stop_reason, "ci");
    sampler_init(&sampler, &rules);
    assert_int_equal(feed(&sampler, within_one_percent), 10);
    assert_string_equal(sampler.stop_reason, "ci");
}

static void wild_samples_stop_at_the_maximum_or_the_limit(void **state)
{
    (void)state;
    struct duel_sampler sampler;
    sampler_init(&sampler, &rules);
    assert_int_equal(feed(&sampler, wild), 40);
    assert_string_equal(sampler.stop_reason, "samples");
    struct duel_sampler_rules hurry = rules;
    hurry.timeout_s = 8;
    sampler_init(&sampler, &hurry);
    assert_int_equal(feed(&sampler, wild), 8); /* 1.5 + 0.5 + ... reaches 8 s with the eighth */
    assert_string_equal(sampler.stop_reason, "timeout");
}

static double calm_after_ten(size_t i)
{
    return i < 10 ? wild(i) : 0.5;
}

/* The first narrow interval is not enough: it must stay so while the samples grow by half. */
static void narrow_once_is_not_enough(void **state)
{
    (void)state;
    struct duel_sampler sampler;
    struct duel_samples samples = {0};
    double lo = 0, hi = 1;
    while (!(hi - lo <= 0.02 * 0.5)) {
        samples_add(&samples, calm_after_ten(samples.count));
        stats_median_ci(samples.value, samples.count, &lo, &hi);
    }
    assert_true(samples.count > 10 && samples.count < 26);
    sampler_init(&sampler, &rules);
    assert_int_equal(feed(&sampler, calm_after_ten), (3 * samples.count + 1) / 2);
    assert_string_equal(sampler.stop_reason, "ci");
    samples_free(&samples);
}

static void minimum_time_is_kept(void **state)
{
    (void)state;
    struct duel_sampler_rules patient = rules;
    patient.min_time_s = 9;
    struct duel_sampler sampler;
    sampler_init(&sampler, &patient);
    assert_int_equal(feed(&sampler, steady), 18);
    assert_string_equal(sampler.stop_reason, "ci");
}

static void warm_up_waits_for_stability(void **state)
{
    (void)state;
    struct duel_sampler sampler;
    sampler_init(&sampler, &rules);
    int runs = 0;
    for (double run_s = 0.4; !sampler.warm; run_s = run_s > 0.2 ? run_s * 0.95 : 0.2, runs++)
        sampler_warmup(&sampler, run_s, run_s);
    assert_true(runs > 2 * SAMPLER_WINDOW + 8); /* it settles after 14 runs, then two equal windows must be seen */
    assert_true(sampler.warmup_spent_s < rules.warmup_max_s);
    sampler_free(&sampler);
}

static void warm_up_ends_even_when_nothing_settles(void **state)
{
    (void)state;
    struct duel_sampler sampler;
    sampler_init(&sampler, &rules);
    int runs = 0;
    for (double run_s = 0.1; !sampler.warm; run_s *= 1.05, runs++)
        sampler_warmup(&sampler, run_s, run_s);
    assert_true(runs < 1000);
    sampler_free(&sampler);
    sampler_init(&sampler, &rules);
    sampler_warmup(&sampler, 1.0, 1.0); /* one run as long as the whole warm-up is enough */
    assert_true(sampler.warm);
    sampler_free(&sampler);
}

static void short_runs_are_batched(void **state)
{
    (void)state;
    static const struct {
        double run_s;
        int64_t batch;
    } cases[] = {{1e-3, 1}, {100e-6, 1}, {99e-6, 2}, {30e-6, 4}, {1e-6, 100}, {0, 1000000}};
    struct duel_sampler_rules quick = rules;
    quick.warmup_s = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct duel_sampler sampler;
        sampler_init(&sampler, &quick);
        sampler_warmup(&sampler, cases[i].run_s, cases[i].run_s);
        assert_true(sampler.warm);
        assert_int_equal(sampler.batch, cases[i].batch);
        sampler_free(&sampler);
    }
}

static void stopping_from_outside_keeps_the_first_reason(void **state)
{
    (void)state;
    struct duel_sampler sampler;
    sampler_init(&sampler, &rules);
    sampler_stop(&sampler, "interrupted");
    sampler_stop(&sampler, "budget");
    assert_true(sampler.done);
    assert_string_equal(sampler.stop_reason, "interrupted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_samples_stop_at_the_minimum),
        cmocka_unit_test(wild_samples_stop_at_the_maximum_or_the_limit),
        cmocka_unit_test(narrow_once_is_not_enough),
        cmocka_unit_test(minimum_time_is_kept),
        cmocka_unit_test(warm_up_waits_for_stability),
        cmocka_unit_test(warm_up_ends_even_when_nothing_settles),
        cmocka_unit_test(short_runs_are_batched),
        cmocka_unit_test(stopping_from_outside_keeps_the_first_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
