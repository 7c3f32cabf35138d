/* selftest_device.c: tests of clocks and caches on a device whose every second is scripted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/selftest/selftest.h"
#include "tests/mock/mock.h"

/* A mock whose caches are a flag. `mock` comes first: the device is both. */
struct cached {
    struct mock mock;
    bool cold;
    double fill_s, cold_s; /* a fill takes this; a run on cold caches takes this more */
};

static enum duel_status fill(void *device, void *pointer, int byte, size_t bytes, struct duel_why *why)
{
    struct cached *cached = device;
    cached->mock.clock_s += cached->fill_s;
    return mock_backend.fill(device, pointer, byte, bytes, why);
}

static enum duel_status flush(void *device, struct duel_why *why)
{
    (void)why;
    ((struct cached *)device)->cold = true;
    return DUEL_OK;
}

static enum duel_status run(const struct duel_call *call)
{
    struct cached *cached = call->queue;
    cached->mock.clock_s += cached->mock.kernel_s + (cached->cold ? cached->cold_s : 0);
    cached->cold = false;
    return DUEL_OK;
}

static const struct duel_impl impl = {
    .name = "gpu/gemm/cached", .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}}, .run = run};
static const struct duel_impl *const impls[] = {&impl, NULL};
static struct duel_backend backend;

/* Runs the test `name` on the scripted device. */
static struct selftest_finding find(struct cached *cached, const char *name)
{
    const struct selftest *test = selftest_table;
    struct selftest_scene scene = {.seed = 1};
    struct selftest_finding finding;
    struct duel_place place;
    cached->mock.device_scale = 1;
    mock_place(&place, &cached->mock, impls);
    place.backend = &backend;
    while (test->name && strcmp(test->name, name) != 0)
        test++;
    assert_non_null(test->name);
    selftest_run(&scene, test, &place, &finding);
    assert_true(finding.why.seen[0]);
    assert_int_equal(cached->mock.allocations, 0);
    if (finding.verdict == SELFTEST_FALSE)
        assert_true(finding.why.matters[0] && finding.why.next[0]);
    return finding;
}

static int renew(void **state)
{
    (void)state;
    backend = mock_backend;
    backend.fill = fill;
    backend.flush = flush;
    return 0;
}

static void event_step_is_the_least_difference(void **state)
{
    (void)state;
    struct cached cached = {.fill_s = 0.25e-6};
    struct selftest_finding finding = find(&cached, "event_step");
    assert_int_equal(finding.verdict, SELFTEST_TRUE);
    assert_true(fabs(finding.value - 250) < 0.01);
    cached.fill_s = 4e-6;
    finding = find(&cached, "event_step");
    assert_int_equal(finding.verdict, SELFTEST_FALSE);
    assert_true(fabs(finding.value - 4000) < 0.01);
    cached.fill_s = 0;
    assert_int_equal(find(&cached, "event_step").verdict, SELFTEST_FALSE); /* the clock did not move */
}

static void launch_cost_is_host_time_of_a_run(void **state)
{
    (void)state;
    struct cached cached = {.mock = {.kernel_s = 5e-6}};
    struct selftest_finding finding = find(&cached, "launch_cost");
    assert_int_equal(finding.verdict, SELFTEST_TRUE);
    assert_true(fabs(finding.value - 5) < 1e-6);
    cached.mock.kernel_s = 200e-6;
    assert_int_equal(find(&cached, "launch_cost").verdict, SELFTEST_FALSE);
}

static void a_flush_must_make_reading_slower(void **state)
{
    (void)state;
    struct cached cached = {.mock = {.kernel_s = 10e-6}, .cold_s = 30e-6};
    struct selftest_finding finding = find(&cached, "flush");
    assert_int_equal(finding.verdict, SELFTEST_TRUE);
    assert_true(fabs(finding.value - 4) < 1e-6);
    cached.cold_s = 1e-6;
    finding = find(&cached, "flush");
    assert_int_equal(finding.verdict, SELFTEST_FALSE);
    assert_true(fabs(finding.value - 1.1) < 1e-6);
    backend.flush = NULL;
    assert_int_equal(find(&cached, "flush").verdict, SELFTEST_ABSENT);
}

static void nothing_is_claimed_of_a_device_that_is_not_here(void **state)
{
    (void)state;
    struct selftest_scene scene = {.seed = 1};
    struct selftest_finding finding;
    struct duel_place place = {.id = "cuda:0", .info = {.why = {"it is lost", "nothing runs", "restart it"}}};
    selftest_run(&scene, &selftest_table[0], NULL, &finding);
    assert_int_equal(finding.verdict, SELFTEST_ABSENT);
    assert_true(isnan(finding.value));
    selftest_run(&scene, &selftest_table[0], &place, &finding);
    assert_int_equal(finding.verdict, SELFTEST_FALSE);
    assert_string_equal(finding.why.seen, "it is lost");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(event_step_is_the_least_difference, renew),
        cmocka_unit_test_setup(launch_cost_is_host_time_of_a_run, renew),
        cmocka_unit_test_setup(a_flush_must_make_reading_slower, renew),
        cmocka_unit_test_setup(nothing_is_claimed_of_a_device_that_is_not_here, renew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
