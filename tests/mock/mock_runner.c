/* mock_runner.c: the runner on a device whose clock is a script: every expected number is exact. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/harness/interrupt.h"
#include "tests/mock/mock.h"

#define assert_close(value, expected) assert_true(fabs((value) - (expected)) < 1e-9)

static const struct duel_impl *const one[] = {&mock_right, NULL};

struct trial {
    struct mock mock;
    struct duel_place place;
    struct duel_group group;
    struct duel_runner runner;
    struct duel_result result[4];
};

static void prepare(struct trial *trial, const struct duel_impl *const *impls, double beta)
{
    mock_place(&trial->place, &trial->mock, impls);
    mock_group(&trial->group, &trial->place, 8, beta);
    memset(&trial->runner, 0, sizeof trial->runner);
    trial->runner.options.rules = (struct duel_sampler_rules){.target_ci = 0.01,
                                                              .min_samples = 10,
                                                              .max_samples = 1000,
                                                              .min_time_s = 0,
                                                              .timeout_s = 100,
                                                              .warmup_s = 0.1,
                                                              .warmup_max_s = 1};
    trial->runner.options.seed = 42;
    trial->runner.options.read_s = NAN;
    trial->runner.options.deadline = INFINITY;
}

static void run(struct trial *trial)
{
    struct duel_why why;
    assert_int_equal(runner_group(&trial->runner, &trial->group, trial->result, &why), DUEL_OK);
    assert_int_equal(trial->mock.allocations, 0);
}

static void finish(struct trial *trial)
{
    for (int i = 0; i < trial->group.count; i++)
        result_free(&trial->result[i]);
    free(trial->group.cases);
}

static void phases_are_kept_apart(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.upload_s = 2e-3, .kernel_s = 5e-3, .download_s = 1e-3}};
    prepare(&trial, one, 0);
    run(&trial);
    const struct duel_result *row = &trial.result[0];
    assert_int_equal(row->status, ROW_OK);
    assert_close(row->h2d.median, 4e-3); /* A and B; C is not read when beta is 0 */
    assert_close(row->kernel.median, 5e-3);
    assert_close(row->d2h.median, 1e-3);
    assert_close(row->end_to_end.median, 10e-3);
    assert_close(row->gflops, 2.0 * 512 / 5e-3 / 1e9);
    assert_int_equal(row->batch, 1);
    assert_int_equal(row->kernel.count, 10);
    assert_string_equal(row->stop_reason, "ci");
    finish(&trial);
}

static void beta_uploads_c_too_and_is_batched(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.upload_s = 1e-6, .kernel_s = 10e-6, .download_s = 1e-6}};
    prepare(&trial, one, -0.5);
    run(&trial);
    assert_int_equal(trial.result[0].status, ROW_OK); /* judged by runs of their own, whatever a batch leaves in C */
    assert_int_equal(trial.result[0].batch, 10);
    assert_close(trial.result[0].h2d.median, 3e-6);
    assert_close(trial.result[0].kernel.median, 10e-6);
    assert_string_equal(trial.result[0].interval_note, "");
    finish(&trial);
}

static void short_kernels_are_batched(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.upload_s = 1e-6, .kernel_s = 8e-6, .download_s = 1e-6, .host_extra_s = 3e-6}};
    prepare(&trial, one, 0);
    run(&trial);
    assert_int_equal(trial.result[0].batch, 13); /* the first that reaches 100 us */
    assert_close(trial.result[0].kernel.median, 8e-6);
    assert_close(trial.result[0].kernel_host.median, (13 * 8e-6 + 3e-6) / 13);
    finish(&trial);
}

static void unsupported_is_skipped_and_others_go_on(void **state)
{
    (void)state;
    static const struct duel_impl *const two[] = {&mock_unsupported, &mock_right, NULL};
    struct trial trial = {.mock = {.kernel_s = 1e-3}};
    prepare(&trial, two, 0);
    run(&trial);
    assert_int_equal(trial.result[0].status, ROW_SKIPPED);
    assert_non_null(strstr(trial.result[0].reason, "not supported"));
    assert_int_equal(trial.result[0].kernel.count, 0);
    assert_int_equal(trial.result[1].status, ROW_OK);
    finish(&trial);
}

static void a_failing_device_is_one_failed_row(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.kernel_s = 1e-3, .fail_at = 120}}; /* in the middle of the samples */
    prepare(&trial, one, 0);
    run(&trial);
    assert_int_equal(trial.result[0].status, ROW_FAILED);
    assert_int_equal(trial.result[0].cause, DUEL_EDEVICE);
    assert_non_null(strstr(trial.result[0].reason, "fell off the bus"));
    assert_int_equal(trial.result[0].kernel_s.count, 0);
    assert_true(isnan(trial.result[0].gflops));
    finish(&trial);
}

static void wrong_before_timing(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.kernel_s = 1e-3, .wrong_from = 1}};
    prepare(&trial, one, 0);
    run(&trial);
    assert_int_equal(trial.result[0].status, ROW_FAILED);
    assert_int_equal(trial.result[0].cause, DUEL_EVERIFY);
    assert_non_null(strstr(trial.result[0].reason, "before timing"));
    assert_int_equal(trial.mock.runs, 1);
    finish(&trial);
}

static void right_for_a_while_then_wrong(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.kernel_s = 1e-3, .wrong_from = 11}};
    prepare(&trial, one, 0);
    run(&trial);
    assert_int_equal(trial.result[0].status, ROW_FAILED);
    assert_non_null(strstr(trial.result[0].reason, "after timing"));
    assert_int_equal(trial.result[0].kernel_s.count, 0);
    finish(&trial);
}

static void a_kernel_that_never_ran(void **state)
{
    (void)state;
    static const struct duel_impl *const two[] = {&mock_right, &mock_idle, NULL};
    struct trial trial = {.mock = {.kernel_s = 1e-3}};
    prepare(&trial, two, 0);
    run(&trial);
    assert_int_equal(trial.result[0].status, ROW_OK);
    assert_int_equal(trial.result[1].status, ROW_FAILED); /* though the right answer lay in C just before */
    assert_int_equal(trial.result[1].cause, DUEL_EVERIFY);
    finish(&trial);
}

static void clocks_that_cannot_be_believed(void **state)
{
    (void)state;
    static const struct {
        struct mock mock;
        const char *reason;
    } cases[] = {
        {{.kernel_s = 0}, "the clock gave 0 s"},
        {{.kernel_s = 1e-3, .device_scale = -1}, "the clock gave -0.001 s"},
        {{.kernel_s = 1e-3, .device_scale = NAN}, "the clock gave"},
        {{.kernel_s = 1e-3, .device_scale = 2}, "device clock"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trial trial = {.mock = cases[i].mock};
        prepare(&trial, one, 0);
        run(&trial);
        assert_int_equal(trial.result[0].status, ROW_FAILED);
        assert_non_null(strstr(trial.result[0].reason, cases[i].reason));
        assert_int_equal(trial.result[0].kernel.count, 0);
        finish(&trial);
    }
}

static void time_limit_and_budget_stop_with_their_reason(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.kernel_s = 1.0, .kernel_growth = 0.1}};
    prepare(&trial, one, 0);
    trial.runner.options.rules.timeout_s = 30;
    run(&trial);
    assert_int_equal(trial.result[0].status, ROW_OK);
    assert_string_equal(trial.result[0].stop_reason, "timeout");
    assert_true(isnan(trial.result[0].kernel.ci_lo) || trial.result[0].kernel.count >= 6);
    finish(&trial);

    struct trial broke = {.mock = {.kernel_s = 1.0, .kernel_growth = 0.1}};
    prepare(&broke, one, 0);
    broke.runner.options.deadline = 1e-9; /* already over, but a row without any number helps nobody */
    run(&broke);
    assert_string_equal(broke.result[0].stop_reason, "budget");
    assert_int_equal(broke.result[0].kernel.count, 1);
    finish(&broke);
}

static void the_median_is_exact_under_drift(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.kernel_s = 1e-3, .kernel_growth = 1e-6}};
    prepare(&trial, one, 0);
    trial.runner.options.rules.max_samples = 11;
    trial.runner.options.rules.target_ci = 0;
    run(&trial);
    const struct duel_result *row = &trial.result[0];
    assert_int_equal(row->kernel.count, 11);
    assert_string_equal(row->stop_reason, "samples");
    assert_close(row->kernel.median, row->kernel_s.value[5]); /* it only grows: the sixth is the middle */
    /* Independent samples would give ranks 2 and 10 of 11; samples that drift know less, so it may only be wider. */
    assert_true(row->kernel.ci_lo <= row->kernel_s.value[1] && row->kernel.ci_hi >= row->kernel_s.value[9]);
    assert_close(row->kernel_s.value[1] - row->kernel_s.value[0], 2e-6); /* two runs per sample */
    finish(&trial);
}

static void a_run_that_would_never_end_is_not_started(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.kernel_s = 1.0}};
    prepare(&trial, one, 0);
    trial.runner.options.rules.timeout_s = 5;
    trial.runner.pace[0] = (struct duel_pace){&trial.place, &mock_right, DUEL_FP32, 0, 1.0, 100.0, 0, 0};
    trial.runner.paces = 1; /* 1 s for 100 flops: 8 x 8 x 8 would take 10 s */
    run(&trial);
    assert_int_equal(trial.result[0].status, ROW_SKIPPED);
    assert_non_null(strstr(trial.result[0].reason, "about 10.2 s"));
    assert_int_equal(trial.mock.runs, 0);
    finish(&trial);
}

/* Last, because a pending signal stays pending for the whole process. */
static void an_interrupt_keeps_what_was_measured(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.kernel_s = 1e-3, .kernel_growth = 1e-4, .interrupt_at = 140}};
    prepare(&trial, one, 0);
    interrupt_install();
    run(&trial);
    assert_int_equal(interrupt_pending(), SIGINT);
    assert_int_equal(trial.result[0].status, ROW_OK);
    assert_string_equal(trial.result[0].stop_reason, "interrupted");
    assert_true(trial.result[0].kernel.count > 0);
    finish(&trial);

    struct trial late = {.mock = {.kernel_s = 1e-3}};
    prepare(&late, one, 0);
    run(&late);
    assert_int_equal(late.result[0].status, ROW_SKIPPED);
    assert_non_null(strstr(late.result[0].reason, "interrupted"));
    finish(&late);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_are_kept_apart),
        cmocka_unit_test(beta_uploads_c_too_and_is_batched),
        cmocka_unit_test(short_kernels_are_batched),
        cmocka_unit_test(unsupported_is_skipped_and_others_go_on),
        cmocka_unit_test(a_failing_device_is_one_failed_row),
        cmocka_unit_test(wrong_before_timing),
        cmocka_unit_test(right_for_a_while_then_wrong),
        cmocka_unit_test(a_kernel_that_never_ran),
        cmocka_unit_test(clocks_that_cannot_be_believed),
        cmocka_unit_test(time_limit_and_budget_stop_with_their_reason),
        cmocka_unit_test(the_median_is_exact_under_drift),
        cmocka_unit_test(a_run_that_would_never_end_is_not_started),
        cmocka_unit_test(an_interrupt_keeps_what_was_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
