/* mock_budget.c: with a deadline nothing is begun that would end too late, by clocks that are written down. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/harness/copies.h"
#include "tests/mock/link.h"
#include "tests/mock/mock.h"

#define assert_near(value, expected) assert_true(fabs((value) - (expected)) <= 1e-9 * fabs(expected))

struct trial {
    struct mock mock;
    struct duel_place place;
    struct duel_group group;
    struct duel_runner runner;
    struct duel_result result[1];
};

static void prepare(struct trial *trial)
{
    static const struct duel_impl *const one[] = {&mock_right, NULL};
    mock_place(&trial->place, &trial->mock, one);
    mock_group(&trial->group, &trial->place, 8, 0);
    trial->runner.options = (struct duel_runner_options){
        .rules = {.target_ci = 0.01, .min_samples = 20, .max_samples = 1000, .timeout_s = 1e6, .warmup_max_s = 1},
        .seed = 7,
        .read_s = NAN,
        .deadline = INFINITY};
}

static void run(struct trial *trial)
{
    struct duel_why why;
    assert_int_equal(runner_group(&trial->runner, &trial->group, trial->result, &why), DUEL_OK);
    assert_int_equal(trial->mock.allocations, 0);
}

static void finish(struct trial *trial)
{
    result_free(&trial->result[0]);
    free(trial->group.cases);
}

static void what_would_outlast_the_budget_is_not_begun(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.kernel_s = 1.0}};
    prepare(&trial);
    trial.runner.pace[0] = (struct duel_pace){&trial.place, &mock_right, DUEL_FP32, 0, 1.0, 1024.0, 0, 0};
    trial.runner.paces = 1; /* 8 x 8 x 8 takes 1 s, and a case at least five runs */
    trial.runner.options.budget_s = trial.runner.options.deadline = 4.9;
    run(&trial);
    assert_int_equal(trial.result[0].status, ROW_SKIPPED);
    assert_string_equal(trial.result[0].reason, "verifying and running it would take about 5.00 s, and 4.9 s of the "
                                                "budget of 4.9 s are left (--budget)");
    assert_int_equal(trial.mock.runs, 0);
    finish(&trial);

    struct trial fits = {.mock = {.kernel_s = 1.0}};
    prepare(&fits);
    fits.runner.pace[0] = (struct duel_pace){&fits.place, &mock_right, DUEL_FP32, 0, 1.0, 1024.0, 0, 0};
    fits.runner.paces = 1;
    fits.runner.options.budget_s = fits.runner.options.deadline = 20;
    run(&fits);
    assert_int_equal(fits.result[0].status, ROW_OK);
    assert_string_equal(fits.result[0].stop_reason, "budget");
    assert_true(fits.mock.clock_s <= 21); /* a run is kept back for the last verdict */
    finish(&fits);
}

/* A try beside other work foretold 5 s for what a shorter run, times the work, shows to take a second at most. */
static void a_measured_run_corrects_a_try(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.kernel_s = 0.5}};
    prepare(&trial);
    trial.runner.pace[0] = (struct duel_pace){&trial.place, &mock_right, DUEL_FP32, 0, 5.0, 1024.0, 0.001, 1.024};
    trial.runner.paces = 1;
    trial.runner.options.budget_s = trial.runner.options.deadline = 10;
    run(&trial);
    assert_int_equal(trial.result[0].status, ROW_OK);
    finish(&trial);

    struct trial held = {.mock = {.kernel_s = 0.5}};
    prepare(&held);
    held.runner.pace[0] = (struct duel_pace){&held.place, &mock_right, DUEL_FP32, 0, 5.0, 1024.0, 0, 0};
    held.runner.paces = 1;
    held.runner.options.budget_s = held.runner.options.deadline = 10;
    run(&held);
    assert_int_equal(held.result[0].status, ROW_SKIPPED);
    finish(&held);
}

/* Whatever it costs: there is no time left to find out. */
static void nothing_large_is_begun_after_the_deadline(void **state)
{
    (void)state;
    struct trial trial = {.mock = {.kernel_s = 1.0, .clock_s = 2}};
    prepare(&trial);
    trial.group.cases[0].problem.m = trial.group.cases[0].problem.k = 3000;
    trial.group.cases[0].problem.n = trial.group.cases[0].problem.ld[DUEL_B] = 3000;
    trial.group.cases[0].problem.ld[DUEL_A] = trial.group.cases[0].problem.ld[DUEL_C] = 3000;
    trial.runner.options.budget_s = trial.runner.options.deadline = 1;
    run(&trial);
    assert_int_equal(trial.result[0].status, ROW_SKIPPED);
    assert_string_equal(trial.result[0].reason, "the budget of 1 s was used up before its turn (--budget)");
    assert_int_equal(trial.mock.runs, 0);
    finish(&trial);
}

static void a_deadline_ends_the_samples(void **state)
{
    (void)state;
    struct link link = {0};
    struct duel_transfer rows[COPIES_MOST];
    struct duel_place place = {.id = "link:0", .backend = &plain_link, .device = &link, .info = {.usable = true}};
    struct duel_copies copies = {.place = &place, .seed = 7, .deadline = 0.01, .link_gbps = NAN};
    copies.rules = (struct duel_sampler_rules){.min_samples = 1000, .max_samples = 1000, .timeout_s = 100};
    copies_measure(&copies, 1 << 20, rows);
    assert_string_equal(rows[0].stop_reason, "budget");
    assert_true(link.host_s < 0.012);
    for (int i = 0; i < COPIES_MOST; i++)
        transfer_free(&rows[i]);
}

/* At 1 GB/s and one kind a size takes three times its bytes to make, and 5 ms for its samples. */
static void a_budget_is_shared_out_to_the_sizes_that_fit(void **state)
{
    (void)state;
    static const int64_t size[] = {1000000, 10000000, 100000000, 1000000000};
    assert_near(copies_making_s(size[2], 1, 1e9), 0.305);
    struct duel_copies_share share = copies_share(size, 4, 1, 1.033, 1e9, 3);
    assert_int_equal(share.fit, 3);
    assert_near(share.timeout_s, (1.033 - 0.348) / 3);
    assert_int_equal(copies_share(size, 4, 1, 0.2, 1e9, 3).fit, 2);
    assert_int_equal(copies_share(size + 3, 1, 1, 2.9, 1e9, 3).fit, 0); /* 3 s to make */
    assert_int_equal(copies_share(size, 4, 1, INFINITY, 1e9, 3).fit, 4);
    assert_near(copies_share(size, 4, 1, INFINITY, 1e9, 3).timeout_s, 3.0);
    struct duel_transfer row = {.bytes = size[2], .warmup_s = 0.1, .batch = 1};
    assert_near(copies_rate(&row, 1, 0.7, 1e9), 0.5e9); /* 0.6 s beside the warm-up, for 3 x 100 MB */
    row.bytes = 4096;
    assert_near(copies_rate(&row, 1, 0.7, 1e9), 1e9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_would_outlast_the_budget_is_not_begun),   cmocka_unit_test(a_measured_run_corrects_a_try),
        cmocka_unit_test(nothing_large_is_begun_after_the_deadline),    cmocka_unit_test(a_deadline_ends_the_samples),
        cmocka_unit_test(a_budget_is_shared_out_to_the_sizes_that_fit),
    };
    return cmocka_run_group_tests_name("mock_budget", tests, NULL, NULL);
}
