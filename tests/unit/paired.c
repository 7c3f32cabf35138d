/* paired.c: speed-ups have intervals that hold the truth, identical code is not called different, and a slow-down of
 * 5 % is found. All experiments have fixed seeds; their rates are printed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/stats/paired.h"
#include "bench/stats/random.h"
#include "bench/stats/stats.h"
#include "bench/stats/student.h"

enum { MOST_PAIRS = 1000 };

/* Times of two implementations that take turns: noise of 2 % each, of which neighbours share `correlation`, and a
 * `common` drift that hits both. */
struct experiment {
    size_t pairs;
    double speedup, noise, correlation, common;
};

static void take(const struct experiment *e, double *a, double *b, uint64_t *seed)
{
    const double fresh = sqrt(1 - e->correlation * e->correlation);
    double x = random_normal(seed), y = random_normal(seed), heat = random_normal(seed);
    for (size_t i = 0; i < e->pairs; i++) {
        x = e->correlation * x + fresh * random_normal(seed);
        y = e->correlation * y + fresh * random_normal(seed);
        heat = 0.95 * heat + sqrt(1 - 0.95 * 0.95) * random_normal(seed);
        a[i] = 1e-3 * exp(e->noise * x + e->common * heat) * e->speedup;
        b[i] = 1e-3 * exp(e->noise * y + e->common * heat);
    }
}

static void the_ratio_is_that_of_medians(void **state)
{
    (void)state;
    const double a[] = {4, 4, 6, 4, 100, 4, 3}, b[] = {2, 2, 2, 1, 2, 2, 9};
    double ratio, lo, hi, again[3];
    assert_true(stats_ratio(a, b, 7, 1, &ratio, &lo, &hi));
    assert_true(ratio == 2 && lo <= 2 && hi >= 2);
    assert_true(stats_ratio(a, b, 7, 1, &again[0], &again[1], &again[2]));
    assert_true(again[0] == ratio && again[1] == lo && again[2] == hi);
}

static void what_cannot_be_known_is_nan(void **state)
{
    (void)state;
    const double good[] = {1, 2, 1, 2, 1, 2}, zero[] = {1, 2, 0, 2, 1, 2}, missing[] = {1, 2, NAN, 2, 1, 2};
    double ratio = 0, lo = 0, hi = 0;
    assert_false(stats_ratio(good, good, 5, 1, &ratio, &lo, &hi));
    assert_true(isnan(ratio) && isnan(lo) && isnan(hi));
    assert_false(stats_ratio(good, zero, 6, 1, &ratio, &lo, &hi));
    assert_true(isnan(ratio));
    assert_false(stats_ratio(missing, good, 6, 1, &ratio, &lo, &hi));
    assert_true(isnan(ratio));
    assert_true(stats_ratio(good, good, 6, 1, &ratio, &lo, &hi));
    assert_true(ratio == 1);
    for (int i = 0; i < 3; i++) {
        const double one[] = {2, -1, 3};
        assert_false(stats_session_ratio(one, i == 0 ? 1 : i == 1 ? 2 : 0, &ratio, &lo, &hi));
        assert_true((i == 0 ? fabs(ratio - 2) < 1e-12 : isnan(ratio)) && isnan(lo) && isnan(hi));
    }
}

/* Pairs that share a drift of 5 %: the ratio is as sharp as if there were none. */
static void a_drift_that_hits_both_sides_cancels(void **state)
{
    (void)state;
    const struct experiment still = {400, 1.5, 0.002, 0, 0}, hot = {400, 1.5, 0.002, 0, 0.05};
    double a[MOST_PAIRS], b[MOST_PAIRS], ratio, lo, hi, ratio_hot, lo_hot, hi_hot;
    uint64_t seed = 4;
    take(&still, a, b, &seed);
    assert_true(stats_ratio(a, b, still.pairs, 1, &ratio, &lo, &hi));
    take(&hot, a, b, &seed);
    assert_true(stats_ratio(a, b, hot.pairs, 1, &ratio_hot, &lo_hot, &hi_hot));
    assert_true(fabs(ratio / 1.5 - 1) < 0.001 && fabs(ratio_hot / 1.5 - 1) < 0.01);
    assert_true(hi / lo - 1 < 0.002 && hi_hot / lo_hot - 1 < 0.03);
}

static double coverage(const struct experiment *e, int trials, uint64_t seed)
{
    double a[MOST_PAIRS], b[MOST_PAIRS], ratio, lo, hi;
    int covered = 0;
    for (int trial = 0; trial < trials; trial++) {
        take(e, a, b, &seed);
        assert_true(stats_ratio(a, b, e->pairs, (uint64_t)trial, &ratio, &lo, &hi));
        covered += lo <= e->speedup && e->speedup <= hi;
    }
    return 100.0 * covered / trials;
}

static void intervals_of_ratios_hold_the_truth(void **state)
{
    (void)state;
    enum { TRIALS = 500 };
    static const struct {
        struct experiment experiment;
        double least, most; /* per cent */
    } table[] = {
        {{10, 1.3, 0.02, 0, 0}, 94, 99.5},   {{30, 1.3, 0.02, 0, 0}, 94, 99.5},   {{100, 1.3, 0.02, 0, 0}, 93, 98.5},
        {{10, 1.3, 0.02, 0.4, 0}, 88, 98.5}, {{30, 1.3, 0.02, 0.4, 0}, 92, 98.5}, {{100, 1.3, 0.02, 0.4, 0}, 92, 98.5},
        {{30, 1.3, 0.02, 0.6, 0}, 89, 98.5}, {{100, 1.3, 0.02, 0.6, 0}, 91, 98},  {{100, 1.3, 0.02, 0, 0.05}, 93, 100},
    };
    int broken = 0;
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        const struct experiment *e = &table[t].experiment;
        const double share = coverage(e, TRIALS, t);
        const bool kept = share >= table[t].least && share <= table[t].most;
        broken += !kept;
        print_message("# %3zu pairs, noise %g %%, correlation %g, common drift %g %%: covers %.1f %%%s\n", e->pairs,
                      100 * e->noise, e->correlation, 100 * e->common, share, kept ? "" : " !");
    }
    assert_int_equal(broken, 0);
}

/* 100 us earned by each use, 400 us of price: a quarter, with 10 % noise on the use that is earned. */
static void shares_of_a_price_have_intervals(void **state)
{
    (void)state;
    enum { TRIALS = 400, ROUNDS = 40 };
    double base[ROUNDS], use[ROUNDS], price[ROUNDS], share, lo, hi;
    uint64_t seed = 17;
    int covered = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        for (int i = 0; i < ROUNDS; i++) {
            base[i] = 1e-3 * exp(0.02 * random_normal(&seed));
            use[i] = 0.9e-3 * exp(0.02 * random_normal(&seed));
            price[i] = 0.4e-3 * exp(0.05 * random_normal(&seed));
        }
        assert_true(stats_share(base, use, price, ROUNDS, (uint64_t)trial, &share, &lo, &hi));
        assert_true(lo <= share && share <= hi);
        covered += lo <= 0.25 && 0.25 <= hi;
    }
    print_message("# share of a price: the interval covers %.1f %%\n", 100.0 * covered / TRIALS);
    assert_in_range(covered, TRIALS * 93 / 100, TRIALS * 995 / 1000);
    const double same[] = {2, 2, 2, 2, 2, 2}, half[] = {1, 1, 1, 1, 1, 1}, none[] = {0, 0, 0, 0, 0, 0};
    assert_true(stats_share(same, half, same, 6, 1, &share, &lo, &hi));
    assert_true(share == 0.5 && lo == 0.5 && hi == 0.5);
    assert_true(stats_share(half, same, half, 6, 1, &share, &lo, &hi));
    assert_true(share == -1 && lo == -1 && hi == -1); /* a loss is a share as well */
    assert_false(stats_share(same, half, none, 6, 1, &share, &lo, &hi));
    assert_true(isnan(share) && isnan(lo) && isnan(hi));
    assert_false(stats_share(same, half, half, 5, 1, &share, &lo, &hi));
}

static void students_quantiles_are_those_of_the_table(void **state)
{
    (void)state;
    static const struct {
        double freedom, quantile;
    } table[] = {{1, 12.706205}, {4, 2.776445}, {9, 2.262157}, {10, 2.228139}, {20, 2.085963}, {60, 2.000298}};
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++)
        assert_true(fabs(student_quantile(table[t].freedom) - table[t].quantile) < 2e-5);
    for (int quarter = 4; quarter < 160; quarter++)
        assert_true(student_quantile((quarter + 1) / 4.0) < student_quantile(quarter / 4.0));
}

static void sessions_are_combined_as_logarithms(void **state)
{
    (void)state;
    const double two[] = {2, 8};
    double ratio, lo, hi;
    assert_true(stats_session_ratio(two, 2, &ratio, &lo, &hi));
    assert_true(fabs(ratio - 4) < 1e-12);
    assert_true(fabs(log(hi / lo) / 2 - 12.706204736 * log(2)) < 1e-6); /* s / sqrt(2) is log 2 here */
    const double five[] = {1.01, 0.99, 1.02, 1, 0.98};
    assert_true(stats_session_ratio(five, 5, &ratio, &lo, &hi));
    assert_true(lo < 1 && hi > 1 && ratio > 0.99 && ratio < 1.01);
}

static void verdicts_need_proof(void **state)
{
    (void)state;
    static const struct {
        double ratio, lo, hi;
        enum duel_comparison verdict;
    } table[] = {
        {1.1, 1.08, 1.12, DUEL_FASTER},         {0.9, 0.88, 0.92, DUEL_SLOWER},     {1.001, 0.995, 1.006, DUEL_SAME},
        {1.02, 1.005, 1.03, DUEL_INCONCLUSIVE}, /* no zero in it, but not beyond 1 % */
        {1.03, 1.012, 1.05, DUEL_INCONCLUSIVE}, /* beyond, but not when stretched */
        {1, 0.9, 1.1, DUEL_INCONCLUSIVE},       {NAN, 1.1, 1.2, DUEL_INCONCLUSIVE}, {1.1, NAN, NAN, DUEL_INCONCLUSIVE},
        {1.1, 1.2, 1.3, DUEL_INCONCLUSIVE},     {1, 0, 2, DUEL_INCONCLUSIVE},
    };
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++)
        assert_int_equal(stats_verdict(table[t].ratio, table[t].lo, table[t].hi, STATS_THRESHOLD), table[t].verdict);
    assert_string_equal(stats_comparison_name(DUEL_SLOWER), "slower");
    assert_string_equal(stats_comparison_name((enum duel_comparison)99), "inconclusive");
}

/* Share in per cent of cells of five sessions that get `verdict`. Each session has its own luck beside its noise. */
static double verdicts(const struct experiment *e, double luck, enum duel_comparison verdict, int cells, uint64_t seed)
{
    double a[MOST_PAIRS], b[MOST_PAIRS], session[5], ratio, lo, hi;
    int count = 0;
    for (int cell = 0; cell < cells; cell++) {
        for (int s = 0; s < 5; s++) {
            struct experiment unlucky = *e;
            unlucky.speedup *= exp(luck * random_normal(&seed));
            take(&unlucky, a, b, &seed);
            session[s] = stats_median(a, e->pairs) / stats_median(b, e->pairs);
        }
        stats_session_ratio(session, 5, &ratio, &lo, &hi);
        count += stats_verdict(ratio, lo, hi, STATS_THRESHOLD) == verdict;
    }
    return 100.0 * count / cells;
}

static void identical_code_is_not_called_different(void **state)
{
    (void)state;
    static const double luck[] = {0, 0.005, 0.02, 0.1};
    for (int l = 0; l < 4; l++) {
        const struct experiment same = {12, 1, 0.02, 0.3, 0.02};
        const double faster = verdicts(&same, luck[l], DUEL_FASTER, 2000, 7),
                     slower = verdicts(&same, luck[l], DUEL_SLOWER, 2000, 7);
        print_message(
            "# identical code, sessions differ by %g %%: called faster %.2f %%, slower %.2f %% of 2000 cells\n",
            100 * luck[l], faster, slower);
        assert_true(faster + slower <= 1);
    }
}

static void a_slow_down_of_five_per_cent_is_found(void **state)
{
    (void)state;
    static const double luck[] = {0, 0.005};
    for (int l = 0; l < 2; l++) {
        const struct experiment slow = {20, 1 / 1.05, 0.015, 0.3, 0.02};
        const double found = verdicts(&slow, luck[l], DUEL_SLOWER, 1000, 11);
        print_message("# 5 %% slower, 20 pairs in each of 5 sessions that differ by %g %%: found in %.1f %%\n",
                      100 * luck[l], found);
        assert_true(found >= 95);
    }
    double a[MOST_PAIRS], b[MOST_PAIRS], ratio, lo, hi;
    int found = 0;
    uint64_t seed = 13;
    const struct experiment slow = {100, 1 / 1.05, 0.02, 0.3, 0.02};
    for (int trial = 0; trial < 400; trial++) {
        take(&slow, a, b, &seed);
        assert_true(stats_ratio(a, b, slow.pairs, 1, &ratio, &lo, &hi));
        found += stats_verdict(ratio, lo, hi, STATS_THRESHOLD) == DUEL_SLOWER;
    }
    print_message("# 5 %% slower, 100 pairs with 2 %% noise in one session: found in %.1f %%\n", found / 4.0);
    assert_true(found >= 380);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ratio_is_that_of_medians),
        cmocka_unit_test(what_cannot_be_known_is_nan),
        cmocka_unit_test(a_drift_that_hits_both_sides_cancels),
        cmocka_unit_test(intervals_of_ratios_hold_the_truth),
        cmocka_unit_test(shares_of_a_price_have_intervals),
        cmocka_unit_test(students_quantiles_are_those_of_the_table),
        cmocka_unit_test(sessions_are_combined_as_logarithms),
        cmocka_unit_test(verdicts_need_proof),
        cmocka_unit_test(identical_code_is_not_called_different),
        cmocka_unit_test(a_slow_down_of_five_per_cent_is_found),
    };
    return cmocka_run_group_tests_name("paired", tests, NULL, NULL);
}
