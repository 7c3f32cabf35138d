/* run_ceiling.c: a rate above what the machine can do is an error, unless the peak itself cannot be believed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/commands/run_state.h"

static double peak_gflops;
static int tries;

static enum duel_status peak(void *device, enum duel_dtype in, int threads, double *flops_per_s, struct duel_why *why)
{
    (void)device;
    (void)in;
    (void)threads;
    (void)why;
    tries++;
    *flops_per_s = peak_gflops * 1e9;
    return DUEL_OK;
}

/* Judges a row of `gflops` on `device` against the peak; `foreign` is the share of other work. */
static enum duel_row_status judged(const char *device, double gflops, double foreign)
{
    static const struct duel_backend backend = {.name = "any", .peak = peak};
    struct run_state *state = calloc(1, sizeof *state);
    struct duel_place place = {.backend = &backend, .info = {.usable = true}, .device = state};
    struct duel_result row;
    snprintf(place.id, sizeof place.id, "%s", device);
    result_init(&row);
    snprintf(row.device, sizeof row.device, "%s", device);
    row.status = ROW_OK;
    row.problem.types.in = DUEL_FP32;
    row.gflops = gflops;
    row.foreign_cpu_share = foreign;
    tries = 0;
    state->registry.place[0].backend = &cpu_backend; /* the host clock */
    state->deadline = INFINITY;
    assert_int_equal(runfile_open(&state->file, NULL, "/dev/null", NULL, &state->trouble.why), DUEL_OK);
    run_check_ceiling(state, &row, &place);
    if (row.status == ROW_FAILED) {
        assert_int_equal(row.cause, DUEL_EDEVICE);
        assert_non_null(strstr(row.reason, "did the kernel run?"));
        assert_true(isnan(row.gflops));
    }
    runfile_close(state->file);
    free(state);
    return row.status;
}

static void above_the_ceiling_fails(void **state)
{
    (void)state;
    peak_gflops = 100;
    assert_int_equal(judged("cuda:0", 106, 0), ROW_FAILED);
    assert_int_equal(judged("cuda:0", 1e6, 0.9), ROW_FAILED); /* other work on the CPU does not slow a GPU's peak */
    assert_int_equal(tries, 3);                               /* the peak got the benefit of the doubt */
    assert_int_equal(judged("cpu", 1e6, 0.01), ROW_FAILED);
}

static void below_it_or_near_it_passes(void **state)
{
    (void)state;
    peak_gflops = 100;
    assert_int_equal(judged("cuda:0", 104, 0), ROW_OK);
    assert_int_equal(judged("cuda:0", 1, 0), ROW_OK);
    assert_int_equal(judged("cuda:0", NAN, 0), ROW_OK); /* no operations, no rate */
}

static void a_busy_cpu_proves_nothing(void **state)
{
    (void)state;
    peak_gflops = 100;
    assert_int_equal(judged("cpu", 300, 0.5), ROW_OK);
    assert_int_equal(judged("cpu", 300, NAN), ROW_OK);
}

static void what_does_no_arithmetic_has_no_ceiling(void **state)
{
    (void)state;
    peak_gflops = 100;
    assert_int_equal(judged("cuda:0", NAN, 0), ROW_OK);
    assert_int_equal(judged("cpu", NAN, 0.01), ROW_OK);
    assert_int_equal(tries, 0); /* and none is measured for it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(above_the_ceiling_fails),
        cmocka_unit_test(below_it_or_near_it_passes),
        cmocka_unit_test(a_busy_cpu_proves_nothing),
        cmocka_unit_test(what_does_no_arithmetic_has_no_ceiling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
