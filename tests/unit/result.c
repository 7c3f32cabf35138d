/* result.c: which fields a row may show, and that the dictionary in reports/README.md is the table in field.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/record/field.h"
#include "bench/record/record.h"
#include "tests/unit/rows.h"

static const struct duel_field *field_named(const char *name)
{
    for (const struct duel_field *field = duel_field_table; field->name; field++)
        if (strcmp(field->name, name) == 0)
            return field;
    fail_msg("no field %s", name);
    return NULL;
}

/* Good until the next call. */
static const struct duel_value *value_of(const char *name, const struct duel_result *row)
{
    static struct duel_value value;
    field_value(field_named(name), row, &value);
    return &value;
}

static void fresh_row_knows_nothing(void **state)
{
    (void)state;
    static const char *const known[] = {"status", "m", "n", "k", "count", "emulated", "alpha", "beta", "seed"};
    struct duel_result row;
    result_init(&row);
    for (const struct duel_field *field = duel_field_table; field->name; field++) {
        bool expected = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            expected |= strcmp(field->name, known[i]) == 0;
        if ((value_of(field->name, &row)->kind != VALUE_UNKNOWN) != expected)
            fail_msg("%s is %s", field->name, expected ? "unknown" : "known");
    }
    assert_string_equal(value_of("status", &row)->text, "skipped");
}

static void first_columns_are_agreed(void **state)
{
    (void)state;
    static const char *const first[] = {"implementation",
                                        "device",
                                        "status",
                                        "reason",
                                        "m",
                                        "n",
                                        "k",
                                        "precision",
                                        "threads",
                                        "kernel_median_s",
                                        "kernel_ci_lo_s",
                                        "kernel_ci_hi_s",
                                        "end_to_end_median_s",
                                        "gflops",
                                        "samples",
                                        "stop_reason",
                                        "verify_tier",
                                        "error_bound_ratio"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        assert_string_equal(duel_field_table[i].name, first[i]);
        assert_true(duel_field_table[i].csv);
    }
}

static void names_are_unique(void **state)
{
    (void)state;
    for (const struct duel_field *a = duel_field_table; a->name; a++)
        for (const struct duel_field *b = a + 1; b->name; b++)
            assert_string_not_equal(a->name, b->name);
}

static void rate_follows_from_the_median(void **state)
{
    (void)state;
    struct duel_result row = row_cpu("cpu/gemm/openblas", 100, DUEL_FP32, 2, 1e-3, 0.01);
    assert_true(fabs(row.kernel.median - 1e-3) < 1e-15);
    assert_true(fabs(row.gflops - 2e6 / 1e-3 / 1e9) < 1e-9);
    assert_true(row.kernel.ci_lo < row.kernel.median && row.kernel.median < row.kernel.ci_hi);
    row.flops = 0; /* k = 0: a time, but no rate */
    result_summarise(&row);
    assert_true(isnan(row.gflops));
    row.flops = 2e6;
    row.status = ROW_FAILED;
    result_summarise(&row);
    assert_true(isnan(row.gflops));
    result_free(&row);
}

static void untimed_rows_have_no_timed_field(void **state)
{
    (void)state;
    struct duel_result rows[] = {row_failed("cpu/gemm/serial", 64, "wrong"), row_emulated("gpu/gemm/tiled", 64),
                                 row_cpu("cpu/gemm/serial", 64, DUEL_FP32, 1, 0.777, 0.01)};
    rows[2].status = ROW_VERIFIED;
    for (size_t i = 0; i < 3; i++) {
        assert_false(result_timed(&rows[i]));
        size_t timed = 0;
        for (const struct duel_field *field = duel_field_table; field->name; field++) {
            struct duel_value value;
            field_value(field, &rows[i], &value);
            timed += field->scope == SCOPE_TIMED;
            if (field->scope == SCOPE_TIMED && value.kind != VALUE_UNKNOWN)
                fail_msg("row %zu shows %s", i, field->name);
            bool seconds = strcmp(field->unit, "s") == 0 || strcmp(field->unit, "GFLOP/s") == 0;
            assert_true(!seconds || field->scope == SCOPE_TIMED);
        }
        assert_true(timed > 25);
        result_free(&rows[i]);
    }
    /* An emulated row is untimed even if somebody marked it OK. */
    struct duel_result row = row_emulated("gpu/gemm/tiled", 64);
    row.status = ROW_OK;
    assert_false(result_timed(&row));
    assert_string_equal(field_why(field_named("kernel_median_s"), &row), "emulated: values are real, times are not");
    result_free(&row);
}

static void unknown_says_why(void **state)
{
    (void)state;
    struct duel_result row = row_cpu("cpu/gemm/serial", 64, DUEL_FP32, 1, 1e-3, 0.01);
    assert_string_equal(field_why(field_named("h2d_median_s"), &row), "host memory is device memory");
    assert_null(field_why(field_named("kernel_median_s"), &row));
    result_free(&row);
    struct duel_result failed = row_failed("cpu/gemm/serial", 64, "wrong");
    assert_int_equal(value_of("error_bound_ratio", &failed)->kind, VALUE_UNKNOWN);
    assert_non_null(field_why(field_named("error_bound_ratio"), &failed));
    assert_string_equal(value_of("cause", &failed)->text, "answer");
    result_free(&failed);
}

static void zero_time_is_no_time(void **state)
{
    (void)state;
    struct duel_result row = row_cpu("cpu/gemm/serial", 64, DUEL_FP32, 1, 1e-3, 0.01);
    row.kernel.median = 0;
    row.convert_s = -1;
    row.speedup_kernel.value = INFINITY;
    assert_int_equal(value_of("kernel_median_s", &row)->kind, VALUE_UNKNOWN);
    assert_int_equal(value_of("convert_s", &row)->kind, VALUE_UNKNOWN);
    assert_int_equal(value_of("speedup_kernel", &row)->kind, VALUE_UNKNOWN);
    result_free(&row);
}

static void large_seed_keeps_its_digits(void **state)
{
    (void)state;
    struct duel_result row;
    result_init(&row);
    row.seed = UINT64_MAX;
    assert_int_equal(value_of("seed", &row)->kind, VALUE_TEXT);
    assert_string_equal(value_of("seed", &row)->text, "18446744073709551615");
    row.seed = INT64_MAX;
    assert_int_equal(value_of("seed", &row)->kind, VALUE_INTEGER);
    assert_true(value_of("seed", &row)->integer == INT64_MAX);
}

/* An emulated row has values, but no conditions of timing: it says so instead of leaving them out. */
static void emulated_rows_say_why_they_lack_conditions(void **state)
{
    (void)state;
    static const char *const names[] = {"order", "cache", "host_memory", "stop_reason"};
    struct duel_result row = row_gpu("gpu/gemm/tiled", 64, DUEL_FP32, 1e-3, 1e-3, 0.01);
    struct duel_record record;
    row.emulated = true;
    row.status = ROW_VERIFIED;
    row.verdict.tier = DUEL_TIER_BOUND;
    snprintf(row.data, sizeof row.data, "uniform");
    snprintf(row.cache, sizeof row.cache, "hot");
    record_init(&record, "result");
    record_result(&record, &row);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char why[40];
        snprintf(why, sizeof why, "%s_why", names[i]);
        assert_null(json_object_get(record.object, names[i]));
        const char *text = json_string_value(json_object_get(record.object, why));
        assert_true(text && strstr(text, "emulated"));
    }
    assert_string_equal(json_string_value(json_object_get(record.object, "data")), "uniform");
    record_free(&record);
    result_free(&row);
}

static void label_names_the_baseline(void **state)
{
    (void)state;
    char label[160];
    struct duel_result cpu = row_cpu("cpu/gemm/openblas", 64, DUEL_FP32, 2, 1e-3, 0.01);
    struct duel_result gpu = row_gpu("gpu/gemm/cublas", 64, DUEL_FP16, 1e-3, 1e-3, 0.01);
    assert_string_equal(result_label(&cpu, label, sizeof label), "cpu/gemm/openblas fp32 2 threads");
    cpu.threads = 1;
    assert_string_equal(result_label(&cpu, label, sizeof label), "cpu/gemm/openblas fp32 1 thread");
    assert_string_equal(result_label(&gpu, label, sizeof label), "gpu/gemm/cublas fp16");
    result_free(&cpu);
    result_free(&gpu);
}

static void dictionary_is_in_the_readme(void **state)
{
    (void)state;
    char *table = NULL, *readme = file_text("reports/README.md");
    size_t size = 0;
    FILE *stream = open_memstream(&table, &size);
    assert_non_null(stream);
    field_dictionary(stream);
    fclose(stream);
    assert_non_null(readme); /* tests run at the top of the source tree */
    if (!strstr(readme, table))
        fail_msg("reports/README.md should hold this table:\n%s", table);
    free(table);
    free(readme);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fresh_row_knows_nothing),
        cmocka_unit_test(first_columns_are_agreed),
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(rate_follows_from_the_median),
        cmocka_unit_test(untimed_rows_have_no_timed_field),
        cmocka_unit_test(unknown_says_why),
        cmocka_unit_test(zero_time_is_no_time),
        cmocka_unit_test(large_seed_keeps_its_digits),
        cmocka_unit_test(emulated_rows_say_why_they_lack_conditions),
        cmocka_unit_test(label_names_the_baseline),
        cmocka_unit_test(dictionary_is_in_the_readme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
