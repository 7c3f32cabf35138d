/* freivalds.c: outputs too large for an expected result. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/trial.h"

static const struct duel_types fp32 = {DUEL_FP32, DUEL_FP32, DUEL_FP32};

static bool uses_probes(int64_t m, int64_t n, int64_t k)
{
    static const struct duel_matrix nothing[3]; /* operands are not looked at before the first output */
    const struct duel_problem p = {.m = m, .n = n, .k = k, .alpha = 1, .types = fp32};
    struct duel_expectation expectation = {0};
    struct duel_why why;
    assert_int_equal(expectation_make(&expectation, workload_find("gemm", 4), &p, nothing, nothing, true, &why),
                     DUEL_OK);
    const bool uses = expectation.probes != NULL;
    assert_true(uses == (expectation.result == NULL));
    expectation_free(&expectation);
    assert_null(expectation.probes);
    return uses;
}

static void large_problems_go_to_freivalds(void **state)
{
    (void)state;
    assert_false(uses_probes(600, 600, 0));
    assert_true(uses_probes(600, 600, 840)); /* products */
    assert_true(uses_probes(8000, 8000, 0)); /* elements */
}

/* B is 0 and beta 1, so the right answer is the old C. */
static void freivalds_sees_one_wrong_element(void **state)
{
    (void)state;
    struct trial t;
    trial_open(&t, 180, 170, 10000, 1, fp32, DUEL_INTEGERS);
    memset(t.operand[DUEL_B].data, 0, (size_t)(10000 * t.operand[DUEL_B].ld) * sizeof(float));
    trial_expect(&t, true);
    assert_non_null(t.expectation.probes);
    memcpy(t.output.data, t.operand[DUEL_C].data, (size_t)(180 * t.output.ld) * sizeof(float));
    struct duel_verdict verdict = trial_verdict(&t, 1);
    assert_true(verdict.right);
    assert_int_equal(verdict.tier, DUEL_TIER_FREIVALDS);
    assert_true(verdict.relative_frobenius == 0 && isnan(verdict.max_error));
    trial_set(&t.output, 177, 169, trial_get(&t.output, 177, 169) + 1);
    for (uint64_t seed = 1; seed <= 20; seed++) { /* an error of one element is in every sum of its row */
        verdict = trial_verdict(&t, seed);
        assert_false(verdict.right);
        assert_int_equal(verdict.worst_row, 177);
        assert_int_equal(verdict.worst_column, -1);
    }
    trial_close(&t);
}

/* Errors that cancel in a sum of all signs alike: random signs find them in half of the probes. */
static void freivalds_sees_errors_that_cancel(void **state)
{
    (void)state;
    struct trial t;
    trial_open(&t, 180, 170, 10000, 1, fp32, DUEL_INTEGERS);
    memset(t.operand[DUEL_B].data, 0, (size_t)(10000 * t.operand[DUEL_B].ld) * sizeof(float));
    trial_expect(&t, true);
    memcpy(t.output.data, t.operand[DUEL_C].data, (size_t)(180 * t.output.ld) * sizeof(float));
    for (int row = 0; row < 180; row++) {
        trial_set(&t.output, row, 0, trial_get(&t.output, row, 0) + 1);
        trial_set(&t.output, row, 1, trial_get(&t.output, row, 1) - 1);
    }
    assert_false(trial_verdict(&t, 3).right);
    trial_close(&t);
}

/* More rows than the probes hold at once: each band by its own rows of A and of the old C. */
static void tall_outputs_go_through_in_bands(void **state)
{
    (void)state;
    const int64_t m = 80000, n = 40, k = 3, last = m - 1;
    struct trial t;
    trial_open(&t, m, n, k, -0.5, fp32, DUEL_UNIFORM);
    trial_expect(&t, false);
    assert_non_null(t.expectation.probes);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = -0.5 * trial_get(&t.operand[DUEL_C], i, j);
            for (int64_t l = 0; l < k; l++)
                sum += trial_get(&t.operand[DUEL_A], i, l) * trial_get(&t.operand[DUEL_B], l, j);
            trial_set(&t.output, i, j, sum);
        }
    for (uint64_t seed = 1; seed <= 2; seed++)
        assert_true(trial_verdict(&t, seed).right);
    const int64_t rows[] = {0, 40000, last};
    for (int i = 0; i < 3; i++) {
        const double right = trial_get(&t.output, rows[i], 7);
        trial_set(&t.output, rows[i], 7, right + 0.1);
        struct duel_verdict verdict = trial_verdict(&t, 1);
        assert_false(verdict.right);
        assert_int_equal(verdict.worst_row, rows[i]);
        trial_set(&t.output, rows[i], 7, right);
    }
    trial_close(&t);
}

/* Single elements of an output that is too large for an expected result. */
static void whole_rows_know_their_elements(void **state)
{
    (void)state;
    struct trial t;
    struct duel_verdict verdict;
    struct duel_why why;
    trial_open(&t, 180, 170, 10000, 1, fp32, DUEL_UNIFORM);
    memset(t.operand[DUEL_B].data, 0, (size_t)(10000 * t.operand[DUEL_B].ld) * sizeof(float));
    trial_expect(&t, false);
    memcpy(t.output.data, t.operand[DUEL_C].data, (size_t)(180 * t.output.ld) * sizeof(float));
    for (int rows = 1; rows <= 1000; rows *= 10) {
        assert_int_equal(verify_rows(&t.expectation, &t.problem, &t.output, rows, 1, &verdict, &why), DUEL_OK);
        assert_true(verdict.right && verdict.max_error == 0 && verdict.relative_frobenius == 0);
        assert_int_equal(verdict.tier, DUEL_TIER_BOUND);
    }
    trial_set(&t.output, 179, 33, trial_get(&t.output, 179, 33) + 0.5); /* the last row is always looked at */
    assert_int_equal(verify_rows(&t.expectation, &t.problem, &t.output, 4, 1, &verdict, &why), DUEL_OK);
    assert_false(verdict.right);
    assert_true(verdict.max_error == 0.5 && verdict.worst_row == 179 && verdict.worst_column == 33);
    assert_non_null(strstr(verdict.reason, "(179, 33) is wrong"));
    trial_close(&t);
}

/* Each chosen row of the output is judged by its own row of A and of the old C. */
static void whole_rows_are_judged_by_their_own_inputs(void **state)
{
    (void)state;
    struct trial t;
    struct duel_verdict verdict, all;
    struct duel_why why;
    trial_open(&t, 40, 30, 20, -0.5, fp32, DUEL_UNIFORM);
    trial_expect(&t, false);
    all = trial_verdict(&t, 1);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        assert_int_equal(verify_rows(&t.expectation, &t.problem, &t.output, 5, seed, &verdict, &why), DUEL_OK);
        assert_true(verdict.right && verdict.max_error > 0 && verdict.max_error <= all.max_error);
    }
    trial_set(&t.operand[DUEL_A], 0, 3, trial_get(&t.operand[DUEL_A], 0, 3) + 0.01);
    assert_int_equal(verify_rows(&t.expectation, &t.problem, &t.output, 5, 1, &verdict, &why), DUEL_OK);
    assert_false(verdict.right);
    assert_int_equal(verdict.worst_row, 0);
    trial_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_problems_go_to_freivalds),
        cmocka_unit_test(freivalds_sees_one_wrong_element),
        cmocka_unit_test(freivalds_sees_errors_that_cancel),
        cmocka_unit_test(tall_outputs_go_through_in_bands),
        cmocka_unit_test(whole_rows_know_their_elements),
        cmocka_unit_test(whole_rows_are_judged_by_their_own_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
