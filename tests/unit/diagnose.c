/* diagnose.c: what is strange about samples, on samples made strange; and that ordinary ones are not called so. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/stats/diagnose.h"
#include "bench/stats/random.h"

enum { TRIALS = 1000, MOST_SAMPLES = 400 };

static void outliers_are_counted_and_nothing_else(void **state)
{
    (void)state;
    /* quartiles 3 and 8, so the fences are -4.5 and 15.5, -12 and 23 */
    const double value[] = {5, 1, 9, 2, 8, 3, 7, 4, 6, 5, 16, -5, 24};
    double copy[13];
    for (int i = 0; i < 13; i++)
        copy[i] = value[i];
    struct duel_diagnosis d = stats_diagnose(copy, 13);
    assert_int_equal(d.count, 13);
    assert_int_equal(d.mild_high, 1);
    assert_int_equal(d.mild_low, 1);
    assert_int_equal(d.severe_high, 1);
    assert_int_equal(d.severe_low, 0);
    copy[3] = -40;
    d = stats_diagnose(copy, 13);
    assert_int_equal(d.severe_low, 1);
    assert_true(copy[3] == -40 && copy[12] == 24);
}

static void equal_or_few_samples_give_no_alarm(void **state)
{
    (void)state;
    double value[30];
    for (int i = 0; i < 30; i++)
        value[i] = 0.1;
    struct duel_diagnosis d = stats_diagnose(value, 30);
    assert_int_equal(d.mild_low + d.mild_high + d.severe_low + d.severe_high, 0);
    assert_true(d.drift == 0 && !d.drifting && !d.bimodal && d.autocorrelation == 0);
    assert_true(d.effective == 30);
    for (size_t count = 0; count < 6; count++) {
        d = stats_diagnose(value, count);
        assert_true(isnan(d.drift) && isnan(d.autocorrelation) && !d.drifting && !d.bimodal);
        assert_true(d.effective == (double)count);
    }
}

static void a_slow_down_over_the_run_is_measured(void **state)
{
    (void)state;
    static const double rise[] = {0.05, -0.05, 0.2};
    for (int r = 0; r < 3; r++) {
        double value[MOST_SAMPLES];
        uint64_t seed = 1;
        for (int i = 0; i < MOST_SAMPLES; i++)
            value[i] = (1 + rise[r] * i / (MOST_SAMPLES - 1)) * (1 + 0.005 * random_normal(&seed));
        value[7] = 100; /* an outlier moves nothing */
        const struct duel_diagnosis d = stats_diagnose(value, MOST_SAMPLES);
        assert_true(d.drifting);
        assert_true(fabs(d.drift / (rise[r] / (1 + rise[r] / 2)) - 1) < 0.1);
    }
}

static void dependence_is_measured(void **state)
{
    (void)state;
    double value[MOST_SAMPLES];
    uint64_t seed = 2;
    value[0] = 0;
    for (int i = 1; i < MOST_SAMPLES; i++)
        value[i] = 0.6 * value[i - 1] + random_normal(&seed);
    struct duel_diagnosis d = stats_diagnose(value, MOST_SAMPLES);
    assert_true(d.autocorrelation > 0.45 && d.autocorrelation < 0.7);
    assert_true(d.effective > MOST_SAMPLES / 5.0 && d.effective < MOST_SAMPLES / 2.0);
}

/* One experiment: samples around 1 with 2 % noise, of a kind. */
enum kind { PLAIN, SKEWED, HEAVY, EVEN, DEPENDENT, TWO_CLOCKS };

static void make(double *value, int count, enum kind kind, uint64_t *seed)
{
    double wander = random_normal(seed);
    for (int i = 0; i < count; i++) {
        const double noise = random_normal(seed);
        wander = 0.5 * wander + sqrt(0.75) * noise;
        const double of_kind[] = {
            [PLAIN] = noise,
            [SKEWED] = exp(noise),
            [HEAVY] = noise / fabs(random_normal(seed)),
            [EVEN] = 4 * random_unit(seed),
            [DEPENDENT] = wander,
            [TWO_CLOCKS] = (random_unit(seed) < 0.3 ? 8 : 0) + noise,
        };
        value[i] = 1 + 0.02 * of_kind[kind];
    }
}

static int alarms(enum kind kind, int count, bool drift)
{
    double value[MOST_SAMPLES];
    int alarms = 0;
    uint64_t seed = 1000 * (uint64_t)kind + (uint64_t)count;
    for (int trial = 0; trial < TRIALS; trial++) {
        make(value, count, kind, &seed);
        const struct duel_diagnosis d = stats_diagnose(value, (size_t)count);
        alarms += drift ? d.drifting : d.bimodal;
    }
    return alarms;
}

static void ordinary_samples_raise_few_alarms(void **state)
{
    (void)state;
    static const char *const name[] = {"normal", "lognormal", "heavy tails", "uniform", "autocorrelated 0.5"};
    for (int kind = PLAIN; kind <= DEPENDENT; kind++)
        for (int count = 30; count <= 300; count *= 10) {
            const int drifting = alarms((enum kind)kind, count, true), bimodal = alarms((enum kind)kind, count, false);
            print_message("# %-18s %3d samples: called drifting %4.1f %%, bimodal %4.1f %%\n", name[kind], count,
                          100.0 * drifting / TRIALS, 100.0 * bimodal / TRIALS);
            assert_true(drifting <= 0.05 * TRIALS);
            assert_true(bimodal <= 0.05 * TRIALS);
        }
}

static void two_clocks_are_seen(void **state)
{
    (void)state;
    assert_true(alarms(TWO_CLOCKS, 50, false) > 0.9 * TRIALS);
    assert_true(alarms(TWO_CLOCKS, 200, false) > 0.9 * TRIALS);
    double value[200];
    uint64_t seed = 9;
    make(value, 200, TWO_CLOCKS, &seed);
    assert_true(fabs(stats_diagnose(value, 200).modes_apart - 0.16) < 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outliers_are_counted_and_nothing_else), cmocka_unit_test(equal_or_few_samples_give_no_alarm),
        cmocka_unit_test(a_slow_down_over_the_run_is_measured),  cmocka_unit_test(dependence_is_measured),
        cmocka_unit_test(ordinary_samples_raise_few_alarms),     cmocka_unit_test(two_clocks_are_seen),
    };
    return cmocka_run_group_tests_name("diagnose", tests, NULL, NULL);
}
