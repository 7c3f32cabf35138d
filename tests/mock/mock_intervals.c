/* mock_intervals.c: how many runs one timed interval holds where C changes from run to run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/mock/mock.h"

/* Measures runs of `kernel_s` with this beta; the caller releases the row. */
static void measure(double kernel_s, double beta, struct duel_result *row)
{
    static const struct duel_impl *const one[] = {&mock_right, NULL};
    struct mock mock = {.kernel_s = kernel_s};
    struct duel_place place;
    struct duel_group group;
    struct duel_why why;
    mock_place(&place, &mock, one);
    mock_group(&group, &place, 8, beta);
    struct duel_runner runner = {
        .options = {.rules = {.min_samples = 10, .max_samples = 10, .timeout_s = 100, .warmup_max_s = 1},
                    .seed = 7,
                    .read_s = NAN,
                    .deadline = INFINITY}};
    assert_int_equal(runner_group(&runner, &group, row, &why), DUEL_OK);
    assert_int_equal(row->status, ROW_OK); /* judged by runs of their own, whatever a batch leaves in C */
    free(group.cases);
}

/* 10 us: ten runs reach 100 us. |beta| <= 1 keeps C as small as it is; 3^12 is below 10^6 and 3^13 is not. */
static const struct {
    double kernel_s, beta;
    int64_t batch;
    const char *note;
} cases[] = {{10e-6, 0, 10, ""},
             {10e-6, -0.5, 10, ""},
             {10e-6, 1, 10, ""},
             {10e-6, -1, 10, ""},
             {10e-6, 3, 10, ""},
             {1e-6, 3, 12, "timed intervals of 12 us are shorter"},
             {10e-6, 1e3, 2, "20 us are shorter"},
             {10e-6, -1e30, 1, "with |beta| > 1"},
             {1e-3, 1e30, 1, ""}};

static void batches_grow_with_beta_only_as_far_as_c_bears_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct duel_result row;
        measure(cases[i].kernel_s, cases[i].beta, &row);
        assert_int_equal(row.batch, cases[i].batch);
        assert_true(fabs(row.kernel.median - cases[i].kernel_s) < 1e-12);
        if (*cases[i].note)
            assert_non_null(strstr(row.interval_note, cases[i].note));
        else
            assert_string_equal(row.interval_note, "");
        result_free(&row);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_grow_with_beta_only_as_far_as_c_bears_it),
    };
    return cmocka_run_group_tests_name("mock_intervals", tests, NULL, NULL);
}
