/* trend.c: sessions become rows: where environment, level or output change, and where some failed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "bench/history/environment.h"
#include "bench/history/trend.h"
#include "bench/report/history.h"
#include "bench/stats/random.h"

#define MOST 60

static struct history_point point[MOST];

static void make(size_t count)
{
    uint64_t seed = 1;
    for (size_t i = 0; i < count; i++)
        point[i] = (struct history_point){.time = (int64_t)i,
                                          .environment = 1,
                                          .median = 1e-3 * exp(0.003 * random_normal(&seed)),
                                          .lo = NAN,
                                          .hi = NAN,
                                          .hash = 7,
                                          .seed = 1};
}

static struct trend trend_of(size_t count)
{
    const struct history_points points = {point, count};
    struct trend trend;
    struct duel_why why;
    assert_int_equal(trend_make(&points, &trend, &why), DUEL_OK);
    size_t at = 0;
    for (size_t i = 0; i < trend.rows; i++) { /* rows cover the sessions, each once */
        assert_int_equal(trend.row[i].begin, at);
        assert_int_equal(trend.row[i].timed + trend.row[i].failed, trend.row[i].count);
        at += trend.row[i].count;
    }
    assert_int_equal(at, count);
    return trend;
}

static void nothing_happens(void **state)
{
    (void)state;
    make(30);
    struct trend trend = trend_of(30);
    assert_int_equal(trend.rows, 1);
    assert_int_equal(trend.changes, 0);
    assert_true(fabs(trend.row[0].median - 1e-3) < 1e-5);
    assert_true(trend.row[0].lo < trend.row[0].median && trend.row[0].hi > trend.row[0].median);
    trend_free(&trend);
    trend = trend_of(0);
    assert_int_equal(trend.rows, 0);
    trend_free(&trend);
}

static void new_driver_and_slower(void **state)
{
    (void)state;
    make(40);
    for (size_t i = 20; i < 40; i++) {
        point[i].environment = 2;
        point[i].median *= 1.1;
    }
    struct trend trend = trend_of(40);
    assert_int_equal(trend.rows, 2);
    assert_int_equal(trend.changes, 1);
    assert_true(trend.row[1].begin == 20 && trend.row[1].environment_changed && trend.row[1].level_changed);
    assert_true(fabs(trend.row[1].ratio - 1.1) < 0.01);
    assert_true(isnan(trend.row[0].ratio));
    trend_free(&trend);
}

static void new_driver_and_nothing_else(void **state)
{
    (void)state;
    make(40);
    for (size_t i = 25; i < 40; i++)
        point[i].environment = 2;
    struct trend trend = trend_of(40);
    assert_int_equal(trend.rows, 2);
    assert_int_equal(trend.changes, 0);
    assert_true(trend.row[1].environment_changed && !trend.row[1].level_changed && isnan(trend.row[1].ratio));
    trend_free(&trend);
}

/* The same time with another output is a finding of its own; another seed has another output anyway. */
static void output_changes(void **state)
{
    (void)state;
    make(40);
    for (size_t i = 0; i < 40; i++) {
        point[i].seed = i % 2 + 1;
        point[i].hash = (i % 2 ? 70u : 7u) + (i >= 20);
    }
    struct trend trend = trend_of(40);
    assert_int_equal(trend.changes, 0);
    assert_int_equal(trend.rows, 3); /* one row where each seed's output changes */
    assert_false(trend.row[0].output_changed);
    assert_true(trend.row[1].begin == 20 && trend.row[1].output_changed);
    assert_true(trend.row[2].begin == 21 && trend.row[2].output_changed);
    trend_free(&trend);
}

static void failures_have_no_time(void **state)
{
    (void)state;
    make(30);
    for (size_t i = 10; i < 14; i++) {
        point[i].median = NAN;
        point[i].hash = 0;
    }
    struct trend trend = trend_of(30);
    assert_int_equal(trend.rows, 1);
    assert_int_equal(trend.row[0].failed, 4);
    assert_int_equal(trend.row[0].timed, 26);
    trend_free(&trend);
    for (size_t i = 0; i < 30; i++)
        point[i].median = i % 3 == 0 ? 0 : i % 3 == 1 ? -1 : INFINITY; /* nothing that a clock reads */
    trend = trend_of(30);
    assert_int_equal(trend.row[0].failed, 30);
    assert_true(isnan(trend.row[0].median));
    trend_free(&trend);
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

static char *facts_of(const char *driver, const char *library)
{
    struct duel_result result;
    json_t *device = json_pack("{s:s, s:f, s:s}", "driver", driver, "power_limit_w", 450.0, "name", "a card");
    json_t *host = json_pack("{s:s, s:b, s:i}", "kernel", "6.8.0", "boost", 1, "memory_free_bytes", 7);
    result_init(&result);
    snprintf(result.library, sizeof result.library, "%s", library);
    char *facts = environment_facts(host, device, "0.1.0", &result);
    json_decref(device);
    json_decref(host);
    assert_non_null(facts);
    return facts;
}

static void differences_in_words(void **state)
{
    char words[600];
    char *a = facts_of("550.54", "cuBLAS 12.4"), *b = facts_of("555.42", "cuBLAS 12.4"), *c = facts_of("555.42", "");
    (void)state;
    assert_null(strstr(a, "memory_free_bytes")); /* it drifts, and says nothing about the time */
    assert_int_equal(environment_difference(a, b, words, sizeof words), 1);
    assert_string_equal(words, "driver 550.54 -> 555.42");
    assert_int_equal(environment_difference(a, a, words, sizeof words), 0);
    assert_string_equal(words, "");
    assert_int_equal(environment_difference(a, c, words, sizeof words), 2);
    assert_string_equal(words, "driver 550.54 -> 555.42, library cuBLAS 12.4 -> unknown");
    environment_difference(NULL, a, words, sizeof words);
    assert_string_equal(words, "driver 550.54, library cuBLAS 12.4, kernel 6.8.0");
    environment_difference(a, c, words, 20); /* short of room */
    assert_string_equal(words, "driver 550.54 -> 55");
    assert_int_equal(environment_difference("no JSON", a, words, sizeof words), 6);
    free(a);
    free(b);
    free(c);
}

static void ratios_in_words(void **state)
{
    char words[48];
    (void)state;
    trend_ratio_words(1.106, words, sizeof words);
    assert_string_equal(words, "10.6 % slower");
    trend_ratio_words(0.9, words, sizeof words);
    assert_string_equal(words, "10.0 % faster");
    trend_ratio_words(34, words, sizeof words);
    assert_string_equal(words, "34.0 times slower");
    trend_ratio_words(0.25, words, sizeof words);
    assert_string_equal(words, "4.0 times faster");
    trend_ratio_words(NAN, words, sizeof words);
    assert_string_equal(words, "");
    trend_time_words(0, true, words, sizeof words);
    assert_string_equal(words, "1970-01-01 00:00");
    trend_time_words(INT64_MAX, true, words, sizeof words);
    assert_string_equal(words, "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_happens),       cmocka_unit_test(new_driver_and_slower),
        cmocka_unit_test(output_changes),        cmocka_unit_test(new_driver_and_nothing_else),
        cmocka_unit_test(failures_have_no_time), cmocka_unit_test(differences_in_words),
        cmocka_unit_test(ratios_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
