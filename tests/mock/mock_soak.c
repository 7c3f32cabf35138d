/* mock_soak.c: a load whose seconds are written by the test: burst and sustained, a wrong bit and where it is, other
 * inputs that take turns, a device that vanishes, and an interrupt. */
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
#include "bench/harness/soak.h"
#include "tests/mock/mock.h"

enum { SIZE = 6, MOST = 400 };

/* What the device does when. The tests run one after the other in one thread. */
static struct {
    double slow_from_s, slow_by;
    int flip_run, flip_row, flip_column; /* run 0: never */
    bool never_repeats;
    float seen[MOST];
    int inputs;
} script;

static void note_input(float value)
{
    for (int i = 0; i < script.inputs; i++)
        if (script.seen[i] == value)
            return;
    if (script.inputs < MOST)
        script.seen[script.inputs++] = value;
}

static enum duel_status run(const struct duel_call *call)
{
    struct mock *mock = call->queue;
    const double before = mock->clock_s;
    const enum duel_status status = mock_run(call);
    float *C = call->operand[DUEL_C];
    if (mock->clock_s > script.slow_from_s)
        mock->clock_s += (mock->clock_s - before) * (script.slow_by - 1);
    note_input(*(const float *)call->operand[DUEL_A]);
    if (mock->runs == script.flip_run) { /* the last bit of the significand: far below any rounding bound */
        uint32_t bits;
        memcpy(&bits, &C[script.flip_row * SIZE + script.flip_column], sizeof bits);
        bits ^= 1;
        memcpy(&C[script.flip_row * SIZE + script.flip_column], &bits, sizeof bits);
    }
    if (script.never_repeats)
        C[0] = nextafterf(C[0], mock->runs % 2 ? 100 : -100);
    return status;
}

struct trial {
    struct mock mock;
    struct duel_impl impl;
    const struct duel_impl *impls[2];
    struct duel_place place;
    struct duel_group group;
    struct duel_soak soak;
    struct duel_soak_point point[MOST];
    size_t points;
    struct duel_why why;
};

static void keep(void *context, struct duel_soak_point *point)
{
    struct trial *trial = context;
    assert_true(trial->points < MOST);
    trial->point[trial->points++] = *point;
}

/* 60 s of load in stretches of 1 s, runs of 10 ms. */
static enum duel_status soak(struct trial *trial)
{
    struct duel_soak_rules rules;
    soak_rules_set(&rules, 60);
    assert_true(rules.point_s == 1 && rules.rotate_s == 10);
    rules.seed = 5;
    rules.begin = NULL;
    rules.between = NULL;
    rules.point = keep;
    rules.context = trial;
    trial->mock.kernel_s = 0.01;
    trial->impl = mock_right;
    trial->impl.run = run;
    trial->impls[0] = &trial->impl;
    mock_place(&trial->place, &trial->mock, trial->impls);
    mock_group(&trial->group, &trial->place, SIZE, 0);
    enum duel_status status = soak_run(&rules, trial->group.workload, trial->group.cases, &trial->soak, &trial->why);
    soak_summarise(&trial->soak, trial->point, trial->points, trial->group.workload->flops(&trial->soak.problem),
                   trial->group.workload->bytes(&trial->soak.problem));
    free(trial->group.cases);
    assert_int_equal(trial->mock.allocations, 0);
    return status;
}

static void prepare(void)
{
    memset(&script, 0, sizeof script);
    script.slow_from_s = INFINITY;
    script.slow_by = 1;
}

static struct trial *trial_make(void)
{
    struct trial *trial = calloc(1, sizeof *trial);
    assert_non_null(trial);
    prepare();
    return trial;
}

static void a_rate_that_falls_is_seen(void **state)
{
    (void)state;
    struct trial *trial = trial_make();
    script.slow_from_s = 25;
    script.slow_by = 1.25; /* the rate falls by 20 % */
    assert_int_equal(soak(trial), DUEL_OK);
    assert_true(fabs(trial->soak.kept - 0.8) <= 1e-9);
    assert_true(fabs(trial->soak.burst_gflops - 2.0 * SIZE * SIZE * SIZE / 0.01 / 1e9) <= 1e-12);
    assert_true(fabs(trial->soak.sustained_gflops - 0.8 * trial->soak.burst_gflops) <= 1e-12);
    assert_true(trial->soak.seconds >= 60 && trial->soak.seconds < 62);
    assert_int_equal(trial->soak.points, (int64_t)trial->points);
    assert_int_equal(trial->soak.checks, trial->soak.points);
    assert_int_equal(trial->soak.wrong_checks, 0);
    assert_string_equal(trial->soak.status, "ok");
    assert_true(trial->soak.repeats);
    free(trial);
}

static void inputs_take_turns(void **state)
{
    (void)state;
    struct trial *trial = trial_make();
    assert_int_equal(soak(trial), DUEL_OK);
    assert_int_equal(script.inputs, 3);
    free(trial);
}

/* The answer of each stretch is that of its last run: flip a bit in the last run of the 20th. */
static void a_wrong_bit_is_counted_and_located(void **state)
{
    (void)state;
    struct trial *trial = trial_make();
    assert_int_equal(soak(trial), DUEL_OK);
    int64_t runs = 2 * 3 + 1; /* two answers of each of three inputs, and one run that is timed */
    for (int i = 0; i < 20; i++)
        runs += trial->point[i].runs;
    free(trial);
    trial = trial_make();
    script.flip_run = (int)runs;
    script.flip_row = 4;
    script.flip_column = 2;
    assert_int_equal(soak(trial), DUEL_OK);
    assert_string_equal(trial->soak.status, "wrong");
    assert_int_equal(trial->soak.cause, DUEL_EVERIFY);
    assert_int_equal(trial->soak.wrong_checks, 1);
    assert_int_equal(trial->soak.first_wrong_row, 4);
    assert_int_equal(trial->soak.first_wrong_column, 2);
    assert_int_equal(trial->soak.first_wrong_elements, 1);
    assert_false(trial->point[19].right);
    assert_true(trial->point[18].right && trial->point[20].right);
    assert_true(trial->soak.first_wrong_s == trial->point[19].at_s);
    assert_non_null(strstr(trial->soak.reason, "1 of 36 elements differ from the right answer, the first at (4, 2)"));
    assert_true(trial->soak.seconds >= 60); /* the load went on */
    free(trial);
}

static void answers_that_never_repeat_are_judged_by_their_bound(void **state)
{
    (void)state;
    struct trial *trial = trial_make();
    script.never_repeats = true;
    assert_int_equal(soak(trial), DUEL_OK);
    assert_false(trial->soak.repeats);
    assert_int_equal(trial->soak.wrong_checks, 0);
    free(trial);
    trial = trial_make();
    script.never_repeats = true;
    trial->mock.wrong_from = 200;
    assert_int_equal(soak(trial), DUEL_OK);
    assert_true(trial->soak.wrong_checks > 40);
    assert_int_equal(trial->soak.first_wrong_row, 0);
    assert_int_equal(trial->soak.first_wrong_column, 0);
    free(trial);
}

static void a_device_that_vanishes_keeps_what_was_seen(void **state)
{
    (void)state;
    struct trial *trial = trial_make();
    trial->mock.fail_at = 2000;
    assert_int_equal(soak(trial), DUEL_EDEVICE);
    assert_string_equal(trial->soak.status, "FAILED");
    assert_non_null(strstr(trial->soak.reason, "fell off the bus at run 2000"));
    assert_true(trial->points > 15 && trial->soak.seconds > 15 && trial->soak.seconds < 21);
    assert_true(isfinite(trial->soak.kept));
    free(trial);
}

static void what_is_wrong_before_the_load_is_not_loaded(void **state)
{
    (void)state;
    struct trial *trial = trial_make();
    trial->mock.wrong_from = 1;
    assert_int_equal(soak(trial), DUEL_EVERIFY);
    assert_int_equal(trial->points, 0);
    assert_non_null(strstr(trial->why.seen, "wrong answer before the load"));
    free(trial);
}

/* Last: the signal stays pending. */
static void an_interrupt_keeps_what_was_seen(void **state)
{
    (void)state;
    struct trial *trial = trial_make();
    trial->mock.interrupt_at = 2500;
    signal(SIGINT, SIG_DFL); /* ignored where tests run in the background */
    interrupt_install();
    assert_int_equal(soak(trial), DUEL_OK);
    assert_string_equal(trial->soak.status, "interrupted");
    assert_true(trial->points > 20 && trial->points < 30);
    free(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rate_that_falls_is_seen),
        cmocka_unit_test(inputs_take_turns),
        cmocka_unit_test(a_wrong_bit_is_counted_and_located),
        cmocka_unit_test(answers_that_never_repeat_are_judged_by_their_bound),
        cmocka_unit_test(a_device_that_vanishes_keeps_what_was_seen),
        cmocka_unit_test(what_is_wrong_before_the_load_is_not_loaded),
        cmocka_unit_test(an_interrupt_keeps_what_was_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
