/* reader.c: run files read back, record by record; what breaks a rule is refused with its line. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/record/reader.h"
#include "tests/unit/rows.h"
#include "tests/unit/run_dir.h"

#define RUN "{\"record\":\"run\",\"schema\":\"1.0\"}\n"

static struct duel_reader *opened(const char *name, const struct duel_reader_limits *limits)
{
    struct duel_reader *reader = NULL;
    struct duel_why why = {{0}, {0}, {0}};
    if (reader_open(&reader, run_dir_path(name), limits, &why) != DUEL_OK)
        fail_msg("%s", why.seen);
    return reader;
}

/* Writes `text`, reads all of it and returns the number of records; -1 with *why when it is refused. */
static int read_all(const char *text, const struct duel_reader_limits *limits, struct duel_why *why)
{
    struct duel_reader *reader = NULL;
    json_t *record = NULL;
    int count = 0;
    run_dir_write("run.jsonl", text);
    enum duel_status status = reader_open(&reader, run_dir(), limits, why);
    while (status == DUEL_OK && (status = reader_next(reader, &record, why)) == DUEL_OK && record) {
        json_decref(record);
        count++;
    }
    reader_close(reader);
    assert_true(status == DUEL_OK || status == DUEL_EINVAL);
    return status == DUEL_OK ? count : -1;
}

static void expect_refused(const char *text, const struct duel_reader_limits *limits, const char *words)
{
    struct duel_why why = {{0}, {0}, {0}};
    int count = read_all(text, limits, &why);
    if (count >= 0)
        fail_msg("%d records were read from: %.200s", count, text);
    if (!strstr(why.seen, words))
        fail_msg("\"%s\" does not say \"%s\"", why.seen, words);
    assert_true(*why.matters && *why.next);
    for (const char *byte = why.seen; *byte; byte++)
        assert_true((unsigned char)*byte >= ' '); /* nothing that a terminal would obey */
}

/* ---- whole files ------------------------------------------------------------------------------------------------- */

static void whole_run_is_read(void **state)
{
    (void)state;
    struct duel_run_info info = {.command = "duel run", .version = "0", .seed = 7};
    struct duel_result row = row_cpu("cpu/gemm/serial", 64, DUEL_FP32, 1, 1e-3, 0.01);
    struct duel_runfile *file = run_dir_opened(NULL, NULL);
    assert_int_equal(runfile_run(file, &info, NULL), DUEL_OK);
    assert_int_equal(runfile_result(file, &row, NULL), DUEL_OK);
    assert_int_equal(runfile_end(file, "done", 0, NULL), DUEL_OK);
    runfile_close(file);
    result_free(&row);
    struct duel_reader *reader = opened(".", NULL); /* the directory: its run.jsonl is meant */
    static const char *const kinds[] = {"run", "result", "end"};
    json_t *record = NULL;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(reader_next(reader, &record, NULL), DUEL_OK);
        assert_true(reader_is(record, kinds[i]));
        json_decref(record);
    }
    assert_int_equal(reader_line(reader), 3);
    for (int i = 0; i < 2; i++) { /* the end stays the end */
        assert_int_equal(reader_next(reader, &record, NULL), DUEL_OK);
        assert_null(record);
    }
    assert_null(reader_dropped(reader));
    assert_non_null(strstr(reader_path(reader), "run.jsonl"));
    reader_close(reader);
}

static void unknown_is_kept(void **state)
{
    (void)state;
    struct duel_why why = {{0}, {0}, {0}};
    json_t *record = NULL;
    run_dir_write("run.jsonl", "{\"record\":\"run\",\"schema\":\"1.7\",\"later\":{\"a\":[1,2]},\"seed\":7}\r\n\n"
                               "{\"x_s\":1e-3,\"record\":\"of a later version\"}\n");
    struct duel_reader *reader = opened("run.jsonl", NULL);
    assert_int_equal(reader_next(reader, &record, &why), DUEL_OK);
    assert_int_equal(json_array_size(json_object_get(json_object_get(record, "later"), "a")), 2);
    assert_int_equal(reader_count(record, "seed"), 7);
    assert_int_equal(reader_count(record, "schema"), -1); /* another type is as good as absent */
    assert_true(isnan(reader_real(record, "absent")));
    json_decref(record);
    assert_int_equal(reader_next(reader, &record, &why), DUEL_OK);
    assert_true(reader_real(record, "x_s") == 1e-3);
    assert_int_equal(reader_line(reader), 3); /* the empty line counts */
    json_decref(record);
    reader_close(reader);
}

/* ---- damage ------------------------------------------------------------------------------------------------------ */

static void cut_line_is_dropped_and_told(void **state)
{
    (void)state;
    json_t *record = NULL;
    run_dir_write("run.jsonl", RUN "{\"record\":\"end\"}\n{\"record\":\"result\",\"n\":12");
    struct duel_reader *reader = opened("run.jsonl", NULL);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(reader_next(reader, &record, NULL), DUEL_OK);
        assert_non_null(record);
        json_decref(record);
    }
    assert_null(reader_dropped(reader));
    assert_int_equal(reader_next(reader, &record, NULL), DUEL_OK);
    assert_null(record);
    assert_non_null(strstr(reader_dropped(reader), "line 3"));
    reader_close(reader);
    struct duel_why why = {{0}, {0}, {0}};
    assert_int_equal(read_all(RUN "{\"record\":\"end\"}", NULL, &why), 2); /* only its line end is missing */
    expect_refused(RUN "{\"record\":\"result\",\"n\":12\n{\"record\":\"end\"}\n", NULL, "line 2");
}

static void broken_lines_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } broken[] = {
        {"", "ends before its first record"},
        {"\n\n", "ends before its first record"},
        {"{\"record\":\"run\"", "ends before its first record"},
        {"PK\003\004\033[2J\n", "line 1"},
        {"{\"record\":\"result\"}\n", "begins with its `run` record"},
        {"{\"record\":\"run\"}\n", "names no schema"},
        {"{\"record\":\"run\",\"schema\":1}\n", "names no schema"},
        {"{\"record\":\"run\",\"schema\":\"2.0\"}\n", "schema 2.0"},
        {"{\"record\":\"run\",\"schema\":\"10.0\"}\n", "schema 10.0"},
        {"{\"record\":\"run\",\"schema\":\"1\\u001b[2J\"}\n", "schema 1"},
        {RUN "{\"record\":\"a\",\"n\":1,\"n\":2}\n", "duplicate"},
        {RUN "{\"record\":\"a\",\"n\":NaN}\n", "line 2"},
        {RUN "{\"record\":\"a\",\"n\":-Infinity}\n", "line 2"},
        {RUN "{\"record\":\"a\",\"n\":1e999}\n", "overflow"},
        {RUN "{\"record\":\"a\",\"n\":99999999999999999999}\n", "too big"},
        {RUN "{\"record\":\"a\",\"n\":\"\xff\xfe\"}\n", "unable to decode"},
        {RUN "{\"record\":\"a\"} {\"record\":\"b\"}\n", "line 2"},
        {RUN "[1,2]\n", "no object"},
        {RUN "{\"record\":7}\n", "no object"},
        {RUN "{\"n\":7}\n", "no object"},
        {RUN "[[[[[[[[[[[[[[[[[[[[\n", "more than 16 deep"},
        {RUN RUN "{\"record\":\"run\",\"schema\":\"3.0\"}\n", "schema 3.0"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        expect_refused(broken[i].text, NULL, broken[i].words);
}

static void size_is_bounded(void **state)
{
    (void)state;
    const struct duel_reader_limits small = {.line_bytes = 64, .values = 6, .depth = 3};
    struct duel_why why = {{0}, {0}, {0}};
    assert_int_equal(read_all(RUN "{\"record\":\"a\",\"t\":\"[[[[,,,,,,\\\"[[,,\"}\n", &small, &why), 2); /* text */
    assert_int_equal(read_all(RUN "{\"record\":\"a\",\"t\":[0,[1]]}\n", &small, &why), 2);
    expect_refused(RUN "{\"record\":\"a\",\"t\":[0,0,0,0]}\n", &small, "more than 6 values");
    expect_refused(RUN "{\"record\":\"a\",\"t\":[[[]]]}\n", &small, "more than 3 deep");
    expect_refused(RUN "{\"record\":\"a\",\"t\":\"................................................\"}\n", &small,
                   "line 2 of");
    expect_refused(RUN "{\"record\":\"a\",\"t\":\"................................................\"}\n", &small,
                   "longer than 64 bytes");
}

static void absent_file_is_told(void **state)
{
    (void)state;
    struct duel_reader *reader;
    struct duel_why why = {{0}, {0}, {0}};
    assert_int_equal(reader_open(&reader, run_dir_path("no\nsuch"), NULL, &why), DUEL_EINVAL);
    assert_null(reader);
    assert_non_null(strstr(why.seen, "cannot be opened"));
    assert_int_equal(reader_open(&reader, run_dir(), NULL, &why), DUEL_EINVAL); /* a directory without a run */
    assert_non_null(strstr(why.seen, "run.jsonl"));
    reader_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_DIR_TEST(whole_run_is_read),
        RUN_DIR_TEST(unknown_is_kept),
        RUN_DIR_TEST(cut_line_is_dropped_and_told),
        RUN_DIR_TEST(broken_lines_are_refused),
        RUN_DIR_TEST(size_is_bounded),
        RUN_DIR_TEST(absent_file_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
