/* The texts after other options, one kind at a time: what they mean, and the many ways to get them wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "tests/unit/option_give.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* options/ has the names of types from a table of its own; they must be those of matrix/. */
static void precisions_are_the_names_of_types(void **state)
{
    (void)state;
    struct duel_options o;
    for (int type = DUEL_FP64; type < DUEL_INT32; type++) { /* no input is INT32 */
        option_accept("--precision", dtype_name((enum duel_dtype)type), &o);
        assert_int_equal(o.precision_count, 1);
        assert_int_equal(o.precision[0], type);
    }
    option_accept("--precision", "fp64,fp32,tf32,fp16,bf16,fp8,int8,fp64,FP32", &o);
    assert_int_equal(o.precision_count, 7);
    struct duel_why why;
    option_refuse("--precision", "fp23", "\"fp23\" is not a precision");
    assert_int_equal(option_give("--precision", "fp23", &o, &why), DUEL_EINVAL);
    assert_non_null(strstr(why.next, "did you mean fp32"));
    option_refuse("--precision", "fp32,", "\"\" is empty");
    option_refuse("--precision", "int32", "is not a precision");
    option_refuse("--precision", "none", "is not a precision");
    option_refuse("--precision", "double", "is not a precision");
}

static void threads_are_numbers_cores_or_all(void **state)
{
    (void)state;
    struct duel_options o;
    cpu_set_t mine;
    assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
    option_accept("--threads", "all", &o);
    assert_int_equal(o.threads_count, 1);
    assert_int_equal(o.threads[0], CPU_COUNT(&mine));
    option_accept("--threads", "cores", &o);
    assert_true(o.threads[0] >= 1 && o.threads[0] <= CPU_COUNT(&mine));
    option_accept("--threads", "1000,2000,1000", &o);
    assert_int_equal(o.threads_count, 2);
    assert_true(o.threads[0] == 1000 && o.threads[1] == 2000);
    static const char *const table[][2] = {{"", "is empty"},        {"0", "is too small"},
                                           {"-1", "is negative"},   {"4097", "is too large"},
                                           {"2.0", "not a whole"},  {"every", "not a whole"},
                                           {"1,", "\"\" is empty"}, {"99999999999999999999", "is too large"},
                                           {"ALL", "not a whole"}};
    for (size_t t = 0; t < COUNT(table); t++)
        option_refuse("--threads", table[t][0], table[t][1]);
    char many[400] = "1";
    for (int i = 2; i <= DUEL_MAX_THREADS; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), ",%d", i);
    option_accept("--threads", many, &o);
    assert_int_equal(o.threads_count, DUEL_MAX_THREADS);
    strcat(many, ",65");
    assert_int_equal(option_give("--threads", many, &o, NULL), DUEL_EINVAL);
}

/* With one CPU to run on, there is one core and one thread, whatever the machine has. */
static void threads_follow_the_affinity(void **state)
{
    (void)state;
    struct duel_options o;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &before))
            CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    enum duel_status status = option_give("--threads", "cores,all", &o, NULL);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(status, DUEL_OK);
    assert_int_equal(o.threads_count, 1);
    assert_int_equal(o.threads[0], 1);
}

static void numbers_are_finite_decimals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } table[] = {{"1", 1},  {"-0.5", -0.5}, {"+2", 2},         {".5", 0.5},
                 {"5.", 5}, {"1e-3", 1e-3}, {"-1.5E+2", -150}, {"0", 0}};
    struct duel_options o;
    for (size_t t = 0; t < COUNT(table); t++) {
        option_accept("--alpha", table[t].text, &o);
        assert_true(o.alpha == table[t].value);
    }
    static const char *const wrong[] = {"",   "x",  "1x",  "0x10", "nan", "inf", "-",  ".",
                                        "e5", "1e", "1e+", "1,5",  " 1",  "1 ",  "--1"};
    for (size_t t = 0; t < COUNT(wrong); t++)
        option_refuse("--beta", wrong[t], "is not a number");
    option_refuse("--beta", "1e999", "is too large");
    option_refuse("--alpha", "-1e31", "must be from -1e+30 to 1e+30");
}

static void shares_are_percent_or_plain(void **state)
{
    (void)state;
    struct duel_options o;
    option_accept("--target-ci", "1%", &o);
    assert_true(o.target_ci == 0.01);
    option_accept("--target-ci", "0.02", &o);
    assert_true(o.target_ci == 0.02);
    option_accept("--target-ci", "50%", &o);
    assert_true(o.target_ci == 0.5);
    static const char *const outside[] = {"0", "0%", "1", "51%", "100%", "-1%"};
    for (size_t t = 0; t < COUNT(outside); t++)
        option_refuse("--target-ci", outside[t], "must be from 0.0001 to 0.5");
    static const char *const wrong[] = {"", "%", "1%%", "1 %", "one%", "1percent"};
    for (size_t t = 0; t < COUNT(wrong); t++)
        option_refuse("--target-ci", wrong[t], "is not a share");
}

static void times_have_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } table[] = {{"30", 30},        {"30s", 30},  {"500ms", 0.5}, {"2min", 120},
                 {"250us", 250e-6}, {"1h", 3600}, {"1.5s", 1.5},  {"0", 0}};
    struct duel_options o;
    for (size_t t = 0; t < COUNT(table); t++) {
        option_accept("--min-time", table[t].text, &o);
        assert_true(o.min_time_s == table[t].seconds);
    }
    option_refuse("--min-time", "5d", "unknown unit");
    option_refuse("--min-time", "5 s", "unknown unit");
    option_refuse("--min-time", "5S", "unknown unit");
    option_refuse("--min-time", "s", "is not a time");
    option_refuse("--min-time", "", "is not a time");
    option_refuse("--min-time", "-1s", "must be from 0 to 86400 s");
    option_refuse("--timeout", "0", "must be from 0.001 to 86400 s");
    option_refuse("--budget", "1e99", "must be from");
    option_refuse("--budget", "1e999h", "is too large");
}

static void counts_and_seeds_are_whole(void **state)
{
    (void)state;
    struct duel_options o;
    option_accept("--min-samples", "25", &o);
    assert_true(o.min_samples == 25);
    option_refuse("--min-samples", "0", "must be from 1 to 1000000");
    option_refuse("--min-samples", "1000001", "must be from 1 to 1000000");
    option_refuse("--min-samples", "2.5", "is not a whole number");
    option_refuse("--min-samples", "-3", "is negative");
    option_refuse("--min-samples", "99999999999999999999", "is too large");
    option_refuse("--min-samples", "", "is empty");
    option_accept("--seed", "18446744073709551615", &o);
    assert_true(o.seed == UINT64_MAX);
    option_accept("--seed", "0xFFFFffffFFFFffff", &o);
    assert_true(o.seed == UINT64_MAX);
    option_accept("--seed", "0", &o);
    assert_true(o.seed == 0);
    option_accept("--seed", "010", &o);
    assert_true(o.seed == 10); /* not octal */
    option_refuse("--seed", "18446744073709551616", "64 bits");
    option_refuse("--seed", "0x10000000000000000", "64 bits");
    static const char *const wrong[] = {"", "0x", "-1", "+1", "abc", "1e3", "0xg", " 1", "1.0"};
    for (size_t t = 0; t < COUNT(wrong); t++)
        option_refuse("--seed", wrong[t], "is not a whole number");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(precisions_are_the_names_of_types), cmocka_unit_test(threads_are_numbers_cores_or_all),
        cmocka_unit_test(threads_follow_the_affinity),       cmocka_unit_test(numbers_are_finite_decimals),
        cmocka_unit_test(shares_are_percent_or_plain),       cmocka_unit_test(times_have_units),
        cmocka_unit_test(counts_and_seeds_are_whole),
    };
    return cmocka_run_group_tests_name("option_values", tests, NULL, NULL);
}
