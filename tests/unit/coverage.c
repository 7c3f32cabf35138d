/* coverage.c: an interval of 95 % must hold the true median in 95 of 100 experiments, also where samples are skewed,
 * have two modes, or depend on each other. Each cell repeats an experiment whose true median is known, with fixed
 * seeds; the whole table is printed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/stats/random.h"
#include "bench/stats/stats.h"

enum { TRIALS = 4000, MOST_SAMPLES = 200 };
#define CHANCE 0.5 /* per cent: two standard errors of a share near 97 % among that many trials */

/* A first-order autoregression with variance 1. */
static void autoregression(double *value, size_t count, double correlation, uint64_t *state)
{
    const double fresh = sqrt(1 - correlation * correlation);
    value[0] = random_normal(state);
    for (size_t i = 1; i < count; i++)
        value[i] = correlation * value[i - 1] + fresh * random_normal(state);
}

static void normal(double *value, size_t count, double correlation, uint64_t *state)
{
    autoregression(value, count, correlation, state);
}

static void lognormal(double *value, size_t count, double correlation, uint64_t *state)
{
    autoregression(value, count, correlation, state);
    for (size_t i = 0; i < count; i++)
        value[i] = exp(value[i]);
}

static void exponential(double *value, size_t count, double correlation, uint64_t *state)
{
    (void)correlation;
    for (size_t i = 0; i < count; i++)
        value[i] = -log(random_unit(state));
}

/* Seven of ten runs at full clock, three a fifth slower. */
static void bimodal(double *value, size_t count, double correlation, uint64_t *state)
{
    (void)correlation;
    for (size_t i = 0; i < count; i++)
        value[i] = random_unit(state) < 0.7 ? 1 + 0.01 * random_normal(state) : 1.2 + 0.02 * random_normal(state);
}

/* Half the variance is noise of each sample, half wanders slowly: the first lag alone says little. */
static void wandering(double *value, size_t count, double correlation, uint64_t *state)
{
    autoregression(value, count, correlation, state);
    for (size_t i = 0; i < count; i++)
        value[i] += random_normal(state);
}

/* Share in per cent that must be covered at each number of samples; 0 .. 100 where no promise is made. */
struct band {
    double least, most;
};

enum { SIZES = 5 };
static const size_t sizes[SIZES] = {10, 15, 20, 50, 200};
#define PROMISED \
    {            \
        93, 97   \
    }
#define OPEN   \
    {          \
        0, 100 \
    }

static const struct process {
    const char *name;
    void (*make)(double *value, size_t count, double correlation, uint64_t *state);
    double correlation, median;
    struct band band[SIZES];
} process_table[] = {
    /* Ten samples have few ranks to choose from: a little too wide is what remains. */
    {"normal", normal, 0, 0, {{93, 98}, PROMISED, PROMISED, PROMISED, PROMISED}},
    {"lognormal", lognormal, 0, 1, {{93, 98}, PROMISED, PROMISED, PROMISED, PROMISED}},
    {"exponential", exponential, 0, M_LN2, {{93, 98}, PROMISED, PROMISED, PROMISED, PROMISED}},
    /* The normal quantile of 0.5 / 0.7 is 0.565948821932863. */
    {"bimodal", bimodal, 0, 1.00565948821932863, {{93, 98}, PROMISED, PROMISED, PROMISED, PROMISED}},
    {"normal, 0.2", normal, 0.2, 0, {PROMISED, PROMISED, PROMISED, PROMISED, PROMISED}},
    {"normal, 0.4", normal, 0.4, 0, {PROMISED, PROMISED, PROMISED, PROMISED, PROMISED}},
    {"normal, 0.6", normal, 0.6, 0, {{87, 97}, {92, 97}, PROMISED, PROMISED, PROMISED}},
    {"lognormal, 0.6", lognormal, 0.6, 1, {{87, 97}, {92, 97}, PROMISED, PROMISED, PROMISED}},
    {"wandering, 0.8", wandering, 0.8, 0, {OPEN, OPEN, OPEN, {88, 97}, {92, 97}}},
    /* Samples that swing back and forth are worth more than independent ones, which is given away. */
    {"normal, -0.4", normal, -0.4, 0, {{93, 100}, {93, 100}, {93, 100}, {93, 100}, {93, 100}}},
};
enum { PROCESSES = sizeof process_table / sizeof process_table[0] };

static double coverage(const struct process *process, size_t count, uint64_t seed)
{
    double value[MOST_SAMPLES], lo, hi;
    int covered = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        process->make(value, count, process->correlation, &seed);
        assert_true(stats_median_ci(value, count, &lo, &hi));
        assert_true(lo <= hi);
        covered += lo <= process->median && process->median <= hi;
    }
    return 100.0 * covered / TRIALS;
}

static void intervals_cover_what_they_promise(void **state)
{
    (void)state;
    print_message("# covered by the 95 %% interval of the median, in %% of %d experiments\n# %-16s", TRIALS, "samples");
    for (int s = 0; s < SIZES; s++)
        print_message("%7zu", sizes[s]);
    print_message("\n");
    int broken = 0;
    for (int p = 0; p < PROCESSES; p++) {
        print_message("# %-16s", process_table[p].name);
        for (int s = 0; s < SIZES; s++) {
            const struct band *band = &process_table[p].band[s];
            const double share = coverage(&process_table[p], sizes[s], (uint64_t)(100 * p + s));
            const bool kept = share >= band->least - CHANCE && share <= band->most + CHANCE;
            broken += !kept;
            print_message("%6.1f%c", share, kept ? ' ' : '!');
        }
        print_message("\n");
    }
    assert_int_equal(broken, 0);
}

/* Stopping as soon as the interval is within 1 % prefers samples that look quieter than they are. Looking at every
 * twentieth part more, from `least` samples on, as a measurement does. */
static double coverage_when_stopped(size_t least, double noise, double correlation, uint64_t seed)
{
    enum { EXPERIMENTS = 400, MOST = 1000 };
    double value[MOST], lo, hi;
    int covered = 0;
    for (int i = 0; i < EXPERIMENTS; i++) {
        autoregression(value, MOST, correlation, &seed);
        for (size_t j = 0; j < MOST; j++)
            value[j] = exp(noise * value[j]);
        size_t count = least;
        while (stats_median_ci(value, count, &lo, &hi) && hi - lo > 0.02 && count < MOST)
            count += count < 40 ? 1 : count / 20;
        covered += lo <= 1 && 1 <= hi;
    }
    return 100.0 * covered / EXPERIMENTS;
}

static void stopping_early_costs_some_coverage(void **state)
{
    (void)state;
    for (size_t least = 10; least <= 40; least *= 2)
        for (int c = 0; c <= 6; c += 3) {
            const double share = coverage_when_stopped(least, 0.02, c / 10.0, least + (uint64_t)c);
            print_message(
                "# stopped within 1 %%, not before %2zu samples, noise 2 %%, correlation %g: covers %.1f %%\n", least,
                c / 10.0, share);
            assert_true(share > (least < 20 ? 80 : 85));
        }
}

/* Without the correction the same experiments fail, so the table above does test something. */
static void independence_alone_would_not_do(void **state)
{
    (void)state;
    double value[50], lo, hi;
    int covered = 0;
    uint64_t seed = 5;
    for (int trial = 0; trial < TRIALS; trial++) {
        autoregression(value, 50, 0.6, &seed);
        double *sorted = stats_sorted(value, 50);
        assert_non_null(sorted);
        lo = sorted[17]; /* the binomial ranks of 50 samples: 18 and 33 */
        hi = sorted[32];
        covered += lo <= 0 && 0 <= hi;
        free(sorted);
    }
    assert_true(covered < 0.85 * TRIALS);
}

static void inflation_is_what_theory_says(void **state)
{
    (void)state;
    static const struct {
        double correlation, inflation; /* 1 + 4 / pi (asin r + asin r^2 + ...) */
    } table[] = {{0, 1}, {0.4, 1.864}, {0.6, 2.979}};
    static double value[20000];
    uint64_t seed = 3;
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        autoregression(value, 20000, table[t].correlation, &seed);
        const double inflation = stats_inflation(value, 20000);
        if (!(fabs(inflation / table[t].inflation - 1) < 0.08))
            fail_msg("%g instead of %g", inflation, table[t].inflation);
        assert_true(fabs(stats_autocorrelation(value, 20000) - table[t].correlation) < 0.03);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_cover_what_they_promise),
        cmocka_unit_test(stopping_early_costs_some_coverage),
        cmocka_unit_test(independence_alone_would_not_do),
        cmocka_unit_test(inflation_is_what_theory_says),
    };
    return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}
