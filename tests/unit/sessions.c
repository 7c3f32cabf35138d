/* sessions.c: what several sessions say together: medians, intervals, speed-ups, and rows that not all of them have. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/commands/sessions.h"
#include "tests/unit/rows.h"

#define SESSIONS 3

static void add(struct session_cases *cases, struct duel_result row, int session)
{
    assert_true(session_cases_add(cases, &row, session));
    result_free(&row);
}

static const struct session_case *named(const struct session_cases *cases, const char *implementation)
{
    for (size_t i = 0; i < cases->count; i++)
        if (strcmp(cases->item[i].combined.implementation, implementation) == 0)
            return &cases->item[i];
    fail_msg("no case of %s", implementation);
    return NULL;
}

static void near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted)))
        fail_msg("%.17g is not %.17g", got, wanted);
}

/* ---- few numbers ------------------------------------------------------------------------------------------------- */

static void interval_needs_two_sessions(void **state)
{
    (void)state;
    const double two[] = {1.0, 1.1}, six[] = {2, 5, 1, 6, 3, 4};
    double lo, hi;
    assert_false(sessions_interval(two, 1, &lo, &hi));
    assert_true(isnan(lo) && isnan(hi));
    assert_true(sessions_interval(two, 2, &lo, &hi));
    assert_true(lo < 1.0 && hi > 1.1); /* two sessions prove little: Student's t with one degree of freedom */
    near(sqrt(lo * hi), sqrt(1.1));
    assert_true(sessions_interval(six, 6, &lo, &hi));
    assert_true(lo >= 1 && hi <= 6 && lo < 3.5 && hi > 3.5); /* ranks: never beyond what was seen */
}

static void speedups_come_with_a_verdict(void **state)
{
    (void)state;
    const double base[] = {2.0, 2.02, 1.98, 2.01, 1.99}, half[] = {1.0, 1.01, 0.99, 1.005, 0.995};
    const double noisy[] = {1, 4, 2, 3, 1.5};
    struct duel_ratio ratio;
    char verdict[16];
    sessions_speedup(base, half, 5, &ratio, verdict);
    near(ratio.value, 2);
    assert_string_equal(verdict, "faster");
    sessions_speedup(half, base, 5, &ratio, verdict);
    assert_string_equal(verdict, "slower");
    sessions_speedup(base, base, 5, &ratio, verdict);
    assert_string_equal(verdict, "same");
    sessions_speedup(base, noisy, 5, &ratio, verdict);
    assert_string_equal(verdict, "inconclusive");
    sessions_speedup(base, half, 1, &ratio, verdict);
    near(ratio.value, 2);
    assert_true(isnan(ratio.lo) && isnan(ratio.hi));
    assert_string_equal(verdict, "");
    sessions_speedup(base, half, 0, &ratio, verdict);
    assert_true(isnan(ratio.value));
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

static void medians_of_sessions_are_the_samples(void **state)
{
    (void)state;
    static const double serial[] = {4, 5, 6}, fast[] = {1, 2, 1.5};
    struct session_cases cases = {.sessions = SESSIONS};
    for (int s = 0; s < SESSIONS; s++) {
        add(&cases, row_cpu("cpu/gemm/serial", 64, DUEL_FP32, 1, serial[s], 0.01), s + 1);
        add(&cases, row_cpu("cpu/gemm/openblas", 64, DUEL_FP32, 2, fast[s], 0.01), s + 1);
        add(&cases, row_gpu("gpu/gemm/tiled", 64, DUEL_FP32, fast[s] / 4, 0.5, 0.01), s + 1);
    }
    assert_true(session_cases_combine(&cases, NULL, 1));
    assert_int_equal(cases.count, 3);
    const struct session_case *item = named(&cases, "cpu/gemm/serial");
    assert_int_equal(item->rows, SESSIONS);
    assert_int_equal(item->combined.status, ROW_OK);
    assert_int_equal(item->combined.kernel.count, SESSIONS);
    near(item->combined.kernel.median, 5);
    assert_true(item->combined.kernel.ci_lo < 4 && item->combined.kernel.ci_hi > 6);
    near(item->combined.gflops, 2.0 * 64 * 64 * 64 / 5 / 1e9);
    near(item->record.spread, 0.4);
    near(item->record.kernel.value, cbrt(1 / 4.0 * (2 / 5.0) * (1.5 / 6.0)));
    assert_string_equal(item->record.kernel_verdict, "slower");
    assert_string_equal(item->record.base, "cpu/gemm/openblas fp32 2 threads");
    near(item->combined.speedup_kernel.value, item->record.kernel.value);
    item = named(&cases, "cpu/gemm/openblas");
    assert_true(item->record.is_base);
    near(item->record.kernel.value, 1);
    assert_string_equal(item->record.kernel_verdict, "");
    item = named(&cases, "gpu/gemm/tiled");
    near(item->record.kernel.value, 4);
    assert_true(item->record.end_to_end.value < 4); /* the copies count */
    assert_int_equal(item->combined.h2d.count, SESSIONS);
    session_cases_free(&cases);
}

/* A process starts once: only its sessions together give the cold start an interval. */
static void cold_starts_are_observed_once_per_session(void **state)
{
    (void)state;
    static const double base_s[] = {0.010, 0.011, 0.009}, cold_s[] = {0.2, 0.22, NAN};
    struct session_cases cases = {.sessions = SESSIONS};
    for (int s = 0; s < SESSIONS; s++) {
        struct duel_result base = row_cpu("cpu/gemm/openblas", 64, DUEL_FP32, 2, 1, 0.01);
        struct duel_result row = row_gpu("gpu/gemm/tiled", 64, DUEL_FP32, 0.5, 0.5, 0.01);
        base.cold_s = base_s[s];
        row.cold_s = cold_s[s];
        add(&cases, base, s + 1);
        add(&cases, row, s + 1);
    }
    assert_true(session_cases_combine(&cases, NULL, 1));
    const struct session_case *item = named(&cases, "gpu/gemm/tiled");
    near(item->record.cold_s, 0.21);
    near(item->record.cold.value, 0.05); /* of the two sessions that know both */
    assert_true(item->record.cold.lo < 0.0500001 && item->record.cold.hi > 0.0499999);
    assert_string_equal(item->record.cold_verdict, "slower");
    near(item->combined.speedup_cold.value, 0.05);
    near(named(&cases, "cpu/gemm/openblas")->record.cold_s, 0.010);
    session_cases_free(&cases);
}

/* In each session another row is the fastest; over all it is one, and all sessions compare with that. */
static void base_is_the_same_in_all_sessions(void **state)
{
    (void)state;
    static const double one[] = {1.0, 1.0, 1.0}, other[] = {0.9, 1.2, 1.3};
    struct session_cases cases = {.sessions = SESSIONS};
    for (int s = 0; s < SESSIONS; s++) {
        add(&cases, row_cpu("cpu/gemm/one", 64, DUEL_FP32, 1, one[s], 0.01), s + 1);
        add(&cases, row_cpu("cpu/gemm/other", 64, DUEL_FP32, 1, other[s], 0.01), s + 1);
    }
    assert_true(session_cases_combine(&cases, NULL, 1));
    assert_true(named(&cases, "cpu/gemm/one")->record.is_base);
    const struct session_case *item = named(&cases, "cpu/gemm/other");
    assert_string_equal(item->record.base, "cpu/gemm/one fp32 1 thread");
    near(item->record.kernel.value, 1 / cbrt(0.9 * 1.2 * 1.3));
    session_cases_free(&cases);
    for (int s = 0; s < SESSIONS; s++) { /* unless a base was asked for */
        cases.sessions = SESSIONS;
        add(&cases, row_cpu("cpu/gemm/one", 64, DUEL_FP32, 1, one[s], 0.01), s + 1);
        add(&cases, row_cpu("cpu/gemm/other", 64, DUEL_FP32, 1, other[s], 0.01), s + 1);
    }
    assert_true(session_cases_combine(&cases, "cpu/gemm/other", 1));
    assert_true(named(&cases, "cpu/gemm/other")->record.is_base);
    session_cases_free(&cases);
}

static void failure_in_one_session_is_a_failure(void **state)
{
    (void)state;
    struct session_cases cases = {.sessions = SESSIONS};
    add(&cases, row_cpu("cpu/gemm/serial", 64, DUEL_FP32, 1, 1, 0.01), 1);
    add(&cases, row_failed("cpu/gemm/serial", 64, "off by one"), 2);
    add(&cases, row_cpu("cpu/gemm/serial", 64, DUEL_FP32, 1, 1, 0.01), 3);
    assert_true(session_cases_combine(&cases, NULL, 1));
    const struct session_case *item = named(&cases, "cpu/gemm/serial");
    assert_int_equal(item->combined.status, ROW_FAILED);
    assert_int_equal(item->combined.cause, DUEL_EVERIFY);
    assert_string_equal(item->combined.reason, "session 2: off by one");
    assert_false(result_timed(&item->combined));
    assert_true(isnan(item->record.kernel_median_s)); /* right twice is not right */
    assert_non_null(strstr(item->record.reason, "FAILED: session 2"));
    session_cases_free(&cases);
}

static void sessions_may_lack_a_row(void **state)
{
    (void)state;
    struct session_cases cases = {.sessions = SESSIONS};
    add(&cases, row_cpu("cpu/gemm/serial", 64, DUEL_FP32, 1, 3, 0.01), 1);
    add(&cases, row_skipped("gpu/gemm/naive", 64, "no GPU"), 1);
    add(&cases, row_emulated("gpu/gemm/tiled", 64), 1);
    add(&cases, row_cpu("cpu/gemm/serial", 64, DUEL_FP32, 1, 1, 0.01), 3);
    add(&cases, row_cpu("cpu/gemm/openblas", 64, DUEL_FP32, 1, 0.5, 0.01), 3);
    add(&cases, row_cpu("cpu/gemm/openblas", 64, DUEL_FP32, 1, 0.5, 0.01), 3); /* asked for twice */
    assert_true(session_cases_combine(&cases, NULL, 1));
    assert_int_equal(cases.count, 5);
    near(named(&cases, "cpu/gemm/serial")->combined.kernel.median, 2);
    near(named(&cases, "cpu/gemm/serial")->record.kernel.value, 0.5); /* of the one session that has both */
    assert_string_equal(named(&cases, "cpu/gemm/serial")->record.kernel_verdict, "");
    assert_true(isnan(named(&cases, "cpu/gemm/openblas")->record.lo_s));
    assert_int_equal(named(&cases, "gpu/gemm/naive")->combined.status, ROW_SKIPPED);
    assert_string_equal(named(&cases, "gpu/gemm/naive")->record.reason, "skipped: no GPU");
    assert_int_equal(named(&cases, "gpu/gemm/tiled")->combined.status, ROW_VERIFIED);
    assert_int_equal(named(&cases, "gpu/gemm/tiled")->record.median_s.count, 0);
    session_cases_free(&cases);
}

static void disturbance_is_not_forgotten(void **state)
{
    (void)state;
    struct session_cases cases = {.sessions = SESSIONS};
    for (int s = 1; s <= SESSIONS; s++) {
        struct duel_result row = row_cpu("cpu/gemm/serial", 64, DUEL_FP32, 1, 1, 0.01);
        row.clean = s != 2;
        row.foreign_cpu_share = 0.1 * s;
        add(&cases, row, s);
    }
    assert_true(session_cases_combine(&cases, NULL, 1));
    assert_false(cases.item[0].combined.clean);
    near(cases.item[0].combined.foreign_cpu_share, 0.1 * SESSIONS);
    session_cases_free(&cases);
}

static void the_dictionary_is_that_of_the_readme(void **state)
{
    (void)state;
    char *text = NULL, *readme = file_text("reports/README.md");
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    sheet_dictionary(&sessions_sheet, stream);
    fclose(stream);
    assert_non_null(readme);
    if (!strstr(readme, text))
        fail_msg("reports/README.md should have:\n%s", text);
    free(text);
    free(readme);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interval_needs_two_sessions),
        cmocka_unit_test(speedups_come_with_a_verdict),
        cmocka_unit_test(medians_of_sessions_are_the_samples),
        cmocka_unit_test(base_is_the_same_in_all_sessions),
        cmocka_unit_test(cold_starts_are_observed_once_per_session),
        cmocka_unit_test(failure_in_one_session_is_a_failure),
        cmocka_unit_test(sessions_may_lack_a_row),
        cmocka_unit_test(disturbance_is_not_forgotten),
        cmocka_unit_test(the_dictionary_is_that_of_the_readme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
