/* sides.c: which cases of two runs belong together, and which of their sessions count. No number here was measured. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/judge/updates.h"
#include "tests/unit/rows.h"

/* A driver may number cards anew; a kernel update may leave a little less memory. Another card is another machine. */
static void cards_are_known_by_what_they_are(void **state)
{
    struct judge_comparison comparison;
    struct update before = updates_none(), after = updates_none();
    (void)state;
    after.machine.gpu_id = "cuda:1";
    after.machine.memory_bytes *= 0.99;
    updates_simulate(&comparison, &before, &after, 17);
    assert_true(updates_kernels(&comparison).of[JUDGE_SAME] > 80);
    comparison_free(&comparison);
    after.machine.uuid = "fnv1a:00000000000000bb";
    updates_simulate(&comparison, &before, &after, 17);
    assert_int_equal(comparison.tally[JUDGE_INCOMPARABLE], UPDATES_CASES);
    assert_int_equal(comparison.lost, UPDATES_CASES);
    assert_non_null(strstr(comparison.cell[0].note, "00000000000000bb"));
    comparison_free(&comparison);
}

/* Mirrored, case by case. */
static void swapping_the_sides_mirrors_everything(void **state)
{
    static const enum judge_verdict mirrored[] = {[JUDGE_INCONCLUSIVE] = JUDGE_INCONCLUSIVE,
                                                  [JUDGE_SAME] = JUDGE_SAME,
                                                  [JUDGE_FASTER] = JUDGE_SLOWER,
                                                  [JUDGE_SLOWER] = JUDGE_FASTER,
                                                  [JUDGE_INCOMPARABLE] = JUDGE_INCOMPARABLE};
    struct judge_comparison there, back;
    struct update before = updates_none(), after = updates_none();
    char *dir = scratch_dir("drivers"), *a = updates_path(dir, "a.jsonl"), *b = updates_path(dir, "b.jsonl");
    (void)state;
    after.factor = 1.035; /* some are found and some are not */
    updates_write(a, "a", &before, 19);
    updates_write(b, "b", &after, 20);
    updates_compare(&there, a, b);
    updates_compare(&back, b, a);
    assert_int_equal(there.count, back.count);
    assert_true(there.tally[JUDGE_SLOWER] > 5 && there.tally[JUDGE_INCONCLUSIVE] > 5);
    for (size_t i = 0; i < there.count; i++) {
        assert_int_equal(mirrored[there.cell[i].finding.verdict], back.cell[i].finding.verdict);
        assert_true(fabs(there.cell[i].finding.ratio * back.cell[i].finding.ratio - 1) < 1e-12);
    }
    comparison_free(&there);
    comparison_free(&back);
    free(a);
    free(b);
    scratch_drop(dir);
}

/* Sessions that other work disturbed are left out while most are clean, and used when none is. */
static void disturbed_sessions_count_only_where_nothing_better_is(void **state)
{
    char *dir = scratch_dir("drivers"), *path = updates_path(dir, "a.jsonl");
    (void)state;
    for (int disturbed = 1; disturbed <= UPDATES_SESSIONS; disturbed += 2) {
        struct judge_side side;
        struct duel_why why;
        double times[UPDATES_SESSIONS], clocks[UPDATES_SESSIONS];
        bool clocked;
        FILE *file = made_begin(path, "a", &made_usual);
        for (int session = 1; session <= UPDATES_SESSIONS; session++) {
            const struct made_row row = {.implementation = "cpu/gemm/made",
                                         .m = 8,
                                         .n = 8,
                                         .k = 8,
                                         .kernel_s = session <= disturbed ? 9 : 1,
                                         .unclean = session <= disturbed};
            made_result(file, &made_usual, session, &row);
        }
        made_end(file);
        assert_int_equal(side_read(&side, "A", path, &why), DUEL_OK);
        assert_int_equal(side_times(&side.item[0], JUDGE_KERNEL, times, clocks, &clocked),
                         disturbed == 1 ? UPDATES_SESSIONS - 1 : UPDATES_SESSIONS);
        assert_false(clocked);
        assert_int_equal(side.rows_unclean, disturbed);
        side_free(&side);
    }
    free(path);
    scratch_drop(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cards_are_known_by_what_they_are),
        cmocka_unit_test(swapping_the_sides_mirrors_everything),
        cmocka_unit_test(disturbed_sessions_count_only_where_nothing_better_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
