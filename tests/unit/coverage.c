/* coverage.c: an interval of 95 % must hold the true median in 95 of 100 experiments, also where samples are skewed,
 * have two modes, or depend on each other, and where their number depends on what they looked like. Each cell repeats
 * an experiment whose true median is known, with fixed seeds; the whole table is printed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/selftest/coverage.h"
#include "bench/stats/random.h"

enum { TRIALS = 4000 };
#define CHANCE 0.5 /* per cent: two standard errors of a share near 97 % among that many trials */

enum { SIZES = 6 };
static const size_t sizes[SIZES] = {10, 15, 20, 30, 100, 200};

/* What is held below the promised number of samples, and by sequences of which nothing is promised. */
static double least_of(const struct coverage_sequence *sequence, size_t count)
{
    if (sequence->promised)
        return count >= 15 ? 93 : sequence->correlation > 0.5 ? 88 : 92;
    return sequence->correlation < 0.8 || count < 100 ? 80 : 92;
}

static double most_of(const struct coverage_sequence *sequence, size_t count)
{
    (void)sequence;
    return count >= 15 ? 97 : 98;
}

static void intervals_cover_what_they_promise(void **state)
{
    (void)state;
    print_message("# covered by the 95 %% interval of the median, in %% of %d experiments\n# %-16s", TRIALS, "samples");
    for (int s = 0; s < SIZES; s++)
        print_message("%7zu", sizes[s]);
    print_message("\n");
    int broken = 0;
    for (int row = 0; coverage_table[row].name; row++) {
        const struct coverage_sequence *sequence = &coverage_table[row];
        print_message("# %-16s", sequence->name);
        for (int s = 0; s < SIZES; s++) {
            const double share = coverage_fixed(sequence, sizes[s], TRIALS, (uint64_t)(1000 + 100 * row + s));
            const bool kept =
                share >= least_of(sequence, sizes[s]) - CHANCE && share <= most_of(sequence, sizes[s]) + CHANCE;
            broken += !kept;
            print_message("%6.1f%c", share, kept ? ' ' : '!');
        }
        print_message("\n");
    }
    assert_int_equal(broken, 0);
}

/* Stopping when the interval is within 1 % prefers samples that look quieter than they are. */
static void stopping_early_costs_little_coverage(void **state)
{
    (void)state;
    for (int64_t least = 10; least <= 40; least *= 2)
        for (int c = 0; c <= 6; c += 3) {
            const struct duel_sampler_rules rules = {
                .target_ci = 0.01, .min_samples = least, .max_samples = COVERAGE_MOST, .timeout_s = INFINITY};
            const double share = coverage_stopped(&rules, 0.02, c / 10.0, 1000, (uint64_t)(least + c));
            print_message("# stopped within 1 %%, not before %2d samples, noise 2 %%, correlation %g: covers %.1f %%\n",
                          (int)least, c / 10.0, share);
            assert_true(share > (least < 20 ? 89 : 91));
        }
}

static void autoregression(double *value, size_t count, double correlation, uint64_t *state)
{
    const struct coverage_sequence *sequence = &coverage_table[0];
    sequence->make(value, count, correlation, state);
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
    } table[] = {{-0.4, 0.626}, {0, 1}, {0.4, 1.864}, {0.6, 2.979}};
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

/* Few samples that all lie on one side: the interval may end beyond the last of them, but a time is not negative. */
static void the_ends_may_lie_beyond_the_samples(void **state)
{
    (void)state;
    static const double steps[] = {40, 41, 43, 42, 44, 45, 47, 46, 48, 49};
    static const double small[] = {0.1, 1, 3, 2, 4, 5, 7, 6, 8, 9};
    double lo, hi;
    assert_true(stats_median_ci(steps, 10, &lo, &hi));
    assert_true(lo < 40 && hi > 49 && lo > 0);
    assert_true(stats_median_ci(small, 10, &lo, &hi));
    assert_true(lo == 0 && hi > 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_cover_what_they_promise),   cmocka_unit_test(stopping_early_costs_little_coverage),
        cmocka_unit_test(independence_alone_would_not_do),     cmocka_unit_test(inflation_is_what_theory_says),
        cmocka_unit_test(the_ends_may_lie_beyond_the_samples),
    };
    return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}
