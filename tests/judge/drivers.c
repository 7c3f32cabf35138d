/* drivers.c: simulated drivers: recorded sessions before and after an update that changed something known, from run
 * files to verdicts. No number here was measured. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/judge/updates.h"

static void known_changes_get_their_verdicts(void **state)
{
    static const struct {
        double factor;
        size_t slower_least, slower_most, faster_least, faster_most;
    } wanted[] = {{1, 0, 1, 0, 1},       {1.01, 0, 2, 0, 0},        {1.02, 0, 20, 0, 0},
                  {1.03, 0, 100, 0, 0},  {1.05, 95, 100, 0, 0},     {1.1, 100, 100, 0, 0},
                  {1.3, 100, 100, 0, 0}, {1 / 1.05, 0, 0, 95, 100}, {1 / 1.1, 0, 0, 100, 100}};
    (void)state;
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        struct judge_comparison comparison;
        struct update before = updates_none(), after = updates_none();
        after.factor = wanted[w].factor;
        updates_simulate(&comparison, &before, &after, 11 + w);
        const struct updates_kernels kernels = updates_kernels(&comparison);
        const size_t slower = kernels.of[JUDGE_SLOWER], faster = kernels.of[JUDGE_FASTER];
        if (slower < wanted[w].slower_least || slower > wanted[w].slower_most || faster < wanted[w].faster_least ||
            faster > wanted[w].faster_most)
            fail_msg("factor %g: %zu slower, %zu faster of %d", wanted[w].factor, slower, faster, UPDATES_CASES);
        assert_int_equal(comparison.numerics, 0);
        assert_int_equal(comparison.differences, 0);
        comparison_free(&comparison);
    }
}

static void one_shape_of_many_is_named(void **state)
{
    struct judge_comparison comparison;
    struct update before = updates_none(), after = updates_none();
    char name[300] = "";
    (void)state;
    after.degenerate = 34;
    updates_simulate(&comparison, &before, &after, 3);
    assert_int_equal(updates_kernels(&comparison).of[JUDGE_SLOWER], 1);
    for (size_t i = 0; i < comparison.count; i++)
        if (comparison.cell[i].finding.verdict == JUDGE_SLOWER)
            comparison_case(comparison.cell[i].a, comparison.cell[i].metric, name, sizeof name);
    assert_string_equal(name, "gpu/gemm/made fp32, m x n x k = 1 x 105 x 105");
    comparison_free(&comparison);
}

/* All kernels take 7 % longer and the clock is as much lower: so many cycles as before. */
static void lower_clocks_explain_longer_times(void **state)
{
    struct judge_comparison comparison;
    struct update before = updates_none(), after = updates_none();
    char sentence[400];
    (void)state;
    after.factor = 1 / 0.93;
    after.machine.sm_mhz = 0.93 * before.machine.sm_mhz;
    updates_simulate(&comparison, &before, &after, 5);
    const struct updates_kernels kernels = updates_kernels(&comparison);
    assert_true(kernels.of[JUDGE_SLOWER] >= 95);
    assert_true(kernels.by_clocks >= 90); /* the others are not proved the same in cycles */
    assert_int_equal(comparison.differences, 1);
    assert_string_equal(comparison.difference[0].title, "clock while measuring");
    assert_string_equal(comparison.difference[0].before, "1980 MHz");
    difference_sentence(comparison.difference, comparison.differences, comparison.changed, sentence, sizeof sentence);
    assert_string_equal(sentence, "What changed could come from: clock while measuring of cuda:0.");
    comparison_free(&comparison);
}

static void other_answers_are_a_finding_of_their_own(void **state)
{
    struct judge_comparison comparison;
    struct update before = updates_none(), after = updates_none();
    (void)state;
    after.other_hash = true;
    updates_simulate(&comparison, &before, &after, 7);
    assert_int_equal(updates_kernels(&comparison).of[JUDGE_SLOWER], 0);
    assert_int_equal(comparison.numerics, UPDATES_CASES);
    assert_non_null(strstr(comparison.numeric[0].words, "another hash"));
    assert_int_equal(comparison.changed, REACHES_NUMBERS);
    comparison_free(&comparison);
    after.other_hash = false;
    after.error = 2.6e-4; /* FP32 became TF32, say */
    updates_simulate(&comparison, &before, &after, 7);
    assert_int_equal(comparison.numerics, UPDATES_CASES);
    assert_string_equal(comparison.numeric[0].words, "the error grew");
    comparison_free(&comparison);
}

static void a_bad_session_is_named_and_decides_nothing(void **state)
{
    struct judge_comparison comparison;
    struct update before = updates_none(), after = updates_none();
    (void)state;
    after.bad_session = 4;
    updates_simulate(&comparison, &before, &after, 9);
    const struct updates_kernels kernels = updates_kernels(&comparison);
    assert_int_equal(kernels.of[JUDGE_INCONCLUSIVE], UPDATES_CASES);
    size_t named = 0;
    for (size_t i = 0; i < comparison.count; i++)
        named += strstr(comparison.cell[i].note, "one session of B stands apart") != NULL;
    assert_int_equal(named, UPDATES_CASES);
    comparison_free(&comparison);
}

/* Chance may part two modes as a change would: at most one case in a hundred on average. */
static void two_modes_are_no_change(void **state)
{
    enum { RUNS = 10 };
    size_t false_verdicts = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        struct judge_comparison comparison;
        struct update before = updates_none(), after = updates_none();
        before.bimodal = after.bimodal = true;
        updates_simulate(&comparison, &before, &after, seed);
        const struct updates_kernels kernels = updates_kernels(&comparison);
        false_verdicts += kernels.of[JUDGE_SLOWER] + kernels.of[JUDGE_FASTER];
        comparison_free(&comparison);
    }
    assert_true(false_verdicts <= RUNS * UPDATES_CASES / 100);
}

static void copies_are_judged_beside_kernels(void **state)
{
    struct judge_comparison comparison;
    struct update before = updates_none(), after = updates_none();
    (void)state;
    after.copies = 2;
    updates_simulate(&comparison, &before, &after, 13);
    assert_int_equal(updates_kernels(&comparison).of[JUDGE_SLOWER], 0);
    assert_int_equal(comparison.tally[JUDGE_SLOWER], 2 * UPDATES_CASES / 10); /* there and back */
    assert_int_equal(comparison.changed, REACHES_COPIES);
    comparison_free(&comparison);
}

static void what_else_changed_is_ordered_by_suspicion(void **state)
{
    struct judge_comparison comparison;
    struct update before = updates_none(), after = updates_none();
    char sentence[400];
    (void)state;
    after.factor = 1.2;
    after.machine.kernel = "6.5.0";
    after.machine.driver = "555.42";
    updates_simulate(&comparison, &before, &after, 15);
    assert_int_equal(comparison.differences, 2);
    assert_string_equal(comparison.difference[0].title, "driver");
    assert_string_equal(comparison.difference[0].after, "555.42");
    assert_string_equal(comparison.difference[1].title, "kernel");
    difference_sentence(comparison.difference, comparison.differences, comparison.changed, sentence, sizeof sentence);
    assert_string_equal(sentence, "What changed could come from: driver of cuda:0 (not from: kernel).");
    comparison_free(&comparison);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_changes_get_their_verdicts),
        cmocka_unit_test(one_shape_of_many_is_named),
        cmocka_unit_test(lower_clocks_explain_longer_times),
        cmocka_unit_test(other_answers_are_a_finding_of_their_own),
        cmocka_unit_test(a_bad_session_is_named_and_decides_nothing),
        cmocka_unit_test(two_modes_are_no_change),
        cmocka_unit_test(copies_are_judged_beside_kernels),
        cmocka_unit_test(what_else_changed_is_ordered_by_suspicion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
