/* restore.c: a result that was written and read back is written the same again; what is no result is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/record/record.h"
#include "bench/record/restore.h"
#include "tests/unit/rows.h"
#include "tests/unit/run_dir.h"

#define RUN "{\"record\":\"run\",\"schema\":\"1.0\"}\n"

static struct duel_reader *opened(void)
{
    struct duel_reader *reader = NULL;
    struct duel_why why = {{0}, {0}, {0}};
    if (reader_open(&reader, run_dir_path("run.jsonl"), NULL, &why) != DUEL_OK)
        fail_msg("%s", why.seen);
    return reader;
}

static char *line_of(const struct duel_result *row)
{
    struct duel_record record;
    size_t size = 0;
    record_init(&record, "result");
    record_result(&record, row);
    char *line = record_line(&record, &size), *text = line ? strndup(line, size) : NULL;
    record_free(&record);
    free(line);
    assert_non_null(text);
    return text;
}

static void expect_same_again(struct duel_result *row)
{
    struct duel_reader *reader;
    struct duel_result again;
    struct duel_why why = {{0}, {0}, {0}};
    json_t *record = NULL;
    char text[40000], *line = line_of(row);
    snprintf(text, sizeof text, "%s%s", RUN, line);
    run_dir_write("run.jsonl", text);
    reader = opened();
    assert_int_equal(reader_next(reader, &record, &why), DUEL_OK);
    json_decref(record);
    assert_int_equal(reader_next(reader, &record, &why), DUEL_OK);
    assert_true(reader_is(record, "result"));
    if (restore_result(&again, reader, record, &why) != DUEL_OK)
        fail_msg("%s", why.seen);
    json_decref(record);
    reader_close(reader);
    char *second = line_of(&again);
    assert_string_equal(second, line);
    assert_int_equal(again.status, row->status);
    assert_int_equal(result_timed(&again), result_timed(row));
    if (result_timed(row)) {
        assert_int_equal(again.h2d.count, row->h2d.count);
        assert_int_equal(again.end_to_end.count, row->end_to_end.count);
    }
    result_free(&again);
    free(second);
    free(line);
    result_free(row);
}

static void results_come_back(void **state)
{
    (void)state;
    struct duel_result row = row_cpu("cpu/gemm/openblas", 512, DUEL_FP64, 2, 1.0 / 3, 0.01);
    row.session = 3;
    snprintf(row.library, sizeof row.library, "OpenBLAS \"x\" \302\265");
    row.seed = UINT64_MAX;
    row.drift = -0.25;
    samples_add(&row.disturbed, 4);
    expect_same_again(&row);
    struct duel_result base = row_cpu("cpu/gemm/openblas", 512, DUEL_FP32, 2, 0.1, 0.01);
    row = row_gpu("gpu/gemm/tiled", 512, DUEL_FP16, 1e-3, 2e-3, 0.01);
    row_against(&row, &base, &base);
    row.speedup_kernel.lo = 0.1 + 0.2;
    row.kernel_s.value[2] = NAN; /* is written as null, and keeps its place */
    result_free(&base);
    expect_same_again(&row);
    row = row_gpu("gpu/gemm/cublaslt_int8", 512, DUEL_INT8, 1e-3, 2e-3, 0.01);
    row.problem.types.acc = row.problem.types.out = DUEL_INT32;
    row.verdict.bound_ratio = 0;
    expect_same_again(&row);
    row = row_gpu("gpu/gemm/cublaslt_fp8", 512, DUEL_FP8, 1e-3, 2e-3, 0.01);
    expect_same_again(&row);
    row = row_skipped("gpu/gemm/naive", 64, "no GPU");
    expect_same_again(&row);
    row = row_failed("cpu/gemm/serial", 64, "off by one");
    expect_same_again(&row);
    row = row_emulated("gpu/gemm/naive", 64);
    expect_same_again(&row);
}

static void lengths_are_not_believed(void **state)
{
    (void)state;
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_result row;
    run_dir_write("run.jsonl", RUN);
    struct duel_reader *reader = opened();
    json_t *record =
        json_loads("{\"record\":\"result\",\"status\":\"ok\",\"disturbed\":9,\"samples\":3,\"h2d_median_s\":1.5,"
                   "\"disturbed_samples\":[2]}",
                   0, NULL);
    assert_int_equal(restore_result(&row, reader, record, &why), DUEL_OK);
    assert_int_equal(row.disturbed.count, 1);
    assert_int_equal(row.kernel.count, 3);
    assert_int_equal(row.h2d.count, 3); /* its samples were not recorded, but it was measured */
    assert_int_equal(row.d2h.count, 0);
    json_decref(record);
    result_free(&row);
    reader_close(reader);
}

static void wrong_types_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *member, *name;
    } wrong[] = {
        {"\"n\":\"64\"", "\"n\""},
        {"\"n\":-1", "\"n\""},
        {"\"n\":1.5", "\"n\""},
        {"\"threads\":4294967297", "\"threads\""},
        {"\"status\":\"fine\"", "\"status\""},
        {"\"precision\":\"none\"", "\"precision\""},
        {"\"implementation\":7", "\"implementation\""},
        {"\"seed\":\"-1\"", "\"seed\""},
        {"\"seed\":\"18446744073709551616\"", "\"seed\""},
        {"\"output_hash\":\"fnv1a:0123456789abcdefg\"", "\"output_hash\""},
        {"\"kernel_s\":[1,\"2\"]", "\"kernel_s\""},
        {"\"kernel_s\":1", "\"kernel_s\""},
        {"\"clean\":1", "\"clean\""},
        {"\"kernel_median_s\":null", "\"kernel_median_s\""},
        {"\"device\":\"a name that is longer than any name of a device\"", "\"device\""},
    };
    run_dir_write("run.jsonl", RUN);
    struct duel_reader *reader = opened();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct duel_why why = {{0}, {0}, {0}};
        struct duel_result row;
        char text[200];
        snprintf(text, sizeof text, "{\"record\":\"result\",%s}", wrong[i].member);
        json_t *record = json_loads(text, 0, NULL);
        assert_non_null(record);
        assert_int_equal(restore_result(&row, reader, record, &why), DUEL_EINVAL);
        if (!strstr(why.seen, wrong[i].name) || !strstr(why.seen, "line 1 of"))
            fail_msg("\"%s\" does not name %s and its line", why.seen, wrong[i].name);
        json_decref(record);
        result_free(&row);
    }
    reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_DIR_TEST(results_come_back),
        RUN_DIR_TEST(lengths_are_not_believed),
        RUN_DIR_TEST(wrong_types_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
