/* changes.c: changes of level are found where they are, and not where there are none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/stats/changes.h"
#include "bench/stats/random.h"

#define MOST 4000
#define NOISE 0.01

/* Times around 1 ms with 1 % of noise; from value `at` on they are `factor` as long, up to value `until`. */
static void make(double *value, size_t count, size_t at, size_t until, double factor, uint64_t *seed)
{
    for (size_t i = 0; i < count; i++)
        value[i] = 1e-3 * exp(NOISE * random_normal(seed)) * (i >= at && i < until ? factor : 1);
}

static size_t levels_of(const double *value, size_t count, struct duel_level *level)
{
    struct duel_level *found = NULL;
    size_t levels = 0;
    assert_true(stats_changes(value, count, 0.01, &found, &levels));
    size_t at = 0;
    for (size_t i = 0; i < levels; i++) { /* they cover the series without gap, and their medians are theirs */
        assert_int_equal(found[i].begin, at);
        assert_true(found[i].count > 0 && found[i].median > 0);
        at += found[i].count;
    }
    assert_int_equal(at, count);
    if (level)
        memcpy(level, found, (levels < 8 ? levels : 8) * sizeof *level);
    free(found);
    return levels;
}

static void without_change_few_are_cut(void **state)
{
    static const size_t sizes[] = {10, 12, 20, 50, 100, 300};
    static double value[MOST];
    uint64_t seed = 1;
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int cut = 0;
        for (int i = 0; i < 1000; i++) {
            make(value, sizes[s], 0, 0, 1, &seed);
            cut += levels_of(value, sizes[s], NULL) > 1;
        }
        print_message("# %zu values: %d of 1000 series without a change are cut\n", sizes[s], cut);
        assert_true(cut <= 20);
    }
}

static void outliers_are_no_change(void **state)
{
    static double value[MOST];
    uint64_t seed = 2;
    int cut = 0;
    (void)state;
    for (int i = 0; i < 300; i++) {
        make(value, 100, 0, 0, 1, &seed);
        for (int o = 0; o < 5; o++)
            value[random_below(&seed, 100)] *= 3 + 30 * random_unit(&seed);
        cut += levels_of(value, 100, NULL) > 1;
    }
    print_message("# %d of 300 series with wild outliers are cut\n", cut);
    assert_true(cut <= 9);
}

/* Five sessions before and five after an update. */
static void five_and_five_are_enough(void **state)
{
    static double value[MOST];
    struct duel_level level[8];
    uint64_t seed = 3;
    int found = 0;
    (void)state;
    for (int i = 0; i < 200; i++) {
        make(value, 10, 5, 10, 1.05, &seed);
        found += levels_of(value, 10, level) == 2 && level[1].begin == 5;
    }
    print_message("# 5 %% with 1 %% of noise, 5 and 5 sessions: found in %d of 200\n", found);
    assert_true(found >= 190);
}

static void last_sessions_are_seen(void **state)
{
    static double value[MOST];
    struct duel_level level[8];
    uint64_t seed = 4;
    int found = 0;
    (void)state;
    for (int i = 0; i < 200; i++) {
        make(value, 105, 100, 105, 1.10, &seed);
        found += levels_of(value, 105, level) == 2 && level[1].begin == 100;
    }
    print_message("# 10 %%, the last 5 of 105 sessions: found in %d of 200\n", found);
    assert_true(found >= 190);
}

/* Cutting in two again and again would overlook it. */
static void change_that_is_taken_back(void **state)
{
    static double value[MOST];
    struct duel_level level[8];
    uint64_t seed = 5;
    int found = 0;
    (void)state;
    for (int i = 0; i < 200; i++) {
        make(value, 100, 50, 60, 1.10, &seed);
        found += levels_of(value, 100, level) == 3 && level[1].begin == 50 && level[2].begin == 60;
    }
    print_message("# 10 %%, 10 of 100 sessions in the middle: found in %d of 200\n", found);
    assert_true(found >= 190);
}

/* A large jump would hide a small one if all were ranked once. */
static void small_beside_large(void **state)
{
    static double value[MOST];
    struct duel_level level[8];
    uint64_t seed = 6;
    int found = 0;
    (void)state;
    for (int i = 0; i < 200; i++) {
        make(value, 90, 30, 90, 34, &seed);
        for (size_t j = 60; j < 90; j++)
            value[j] *= 1.05;
        found +=
            levels_of(value, 90, level) == 3 && level[1].begin == 30 && level[2].begin >= 58 && level[2].begin <= 62;
    }
    print_message("# 34 times and then 5 %%: both found in %d of 200\n", found);
    assert_true(found >= 190);
}

static void below_the_threshold_is_none(void **state)
{
    static double value[MOST];
    uint64_t seed = 7;
    (void)state;
    for (size_t i = 0; i < 1000; i++)
        value[i] = 1e-3 * exp(1e-4 * random_normal(&seed)) * (i < 500 ? 1 : 1.005);
    assert_int_equal(levels_of(value, 1000, NULL), 1);
}

static void same_both_ways(void **state)
{
    static double value[MOST], turned[MOST], inverse[MOST];
    struct duel_level level[8], back[8];
    uint64_t seed = 8;
    (void)state;
    make(value, 60, 25, 60, 1.08, &seed);
    for (size_t i = 0; i < 60; i++) {
        turned[i] = value[59 - i];
        inverse[i] = 1 / value[i];
    }
    assert_int_equal(levels_of(value, 60, level), 2);
    assert_int_equal(levels_of(turned, 60, back), 2);
    assert_int_equal(level[1].begin, 60 - back[1].begin);
    assert_int_equal(levels_of(inverse, 60, back), 2);
    assert_int_equal(level[1].begin, back[1].begin);
}

static void long_series_is_cut_at_the_right_place(void **state)
{
    static double value[MOST];
    struct duel_level level[8];
    uint64_t seed = 9;
    (void)state;
    make(value, MOST, 1237, MOST, 1.3, &seed); /* not on the grid */
    assert_int_equal(levels_of(value, MOST, level), 2);
    assert_int_equal(level[1].begin, 1237);
}

static void short_and_equal_series(void **state)
{
    double value[50];
    (void)state;
    for (size_t i = 0; i < 50; i++)
        value[i] = 1;
    assert_int_equal(levels_of(value, 0, NULL), 0);
    assert_int_equal(levels_of(value, 1, NULL), 1);
    assert_int_equal(levels_of(value, 50, NULL), 1);
    for (size_t i = 0; i < 9; i++)
        value[i] = i < 4 ? 1 : 2;
    assert_int_equal(levels_of(value, 9, NULL), 1); /* nine cannot prove it */
    for (size_t i = 0; i < 10; i++)
        value[i] = i < 5 ? 1 : 2;
    assert_int_equal(levels_of(value, 10, NULL), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_change_few_are_cut),
        cmocka_unit_test(outliers_are_no_change),
        cmocka_unit_test(five_and_five_are_enough),
        cmocka_unit_test(last_sessions_are_seen),
        cmocka_unit_test(change_that_is_taken_back),
        cmocka_unit_test(small_beside_large),
        cmocka_unit_test(below_the_threshold_is_none),
        cmocka_unit_test(same_both_ways),
        cmocka_unit_test(long_series_is_cut_at_the_right_place),
        cmocka_unit_test(short_and_equal_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
