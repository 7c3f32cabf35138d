/* runfile.c: what a run writes: whole lines, valid JSON, no number that is not one, and every write error noticed. */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/record/directory.h"
#include "tests/unit/rows.h"
#include "tests/unit/run_dir.h"

static void check_finite(json_t *value)
{
    if (json_is_real(value))
        assert_true(isfinite(json_real_value(value)));
    for (size_t i = 0; i < json_array_size(value); i++)
        check_finite(json_array_get(value, i));
    for (void *at = json_object_iter(value); at; at = json_object_iter_next(value, at))
        check_finite(json_object_iter_value(at));
}

static void write_run(struct duel_runfile *file)
{
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_run_info run = {.command = "duel run --out \xff", .version = "0.1", .seed = UINT64_MAX};
    struct duel_device_info device = {.name = "Test GPU", .usable = true, .status = "ready", .property_count = 2};
    struct duel_ceiling ceiling = {.device = "cpu", .in = DUEL_FP32, .threads = 2, .gflops = 0.1};
    struct duel_result rows[] = {row_cpu("cpu/gemm/openblas", 100, DUEL_FP32, 2, 1e-3, 0.01),
                                 row_gpu("gpu/gemm/cublas", 100, DUEL_FP16, 1e-4, 1e-3, 0.01),
                                 row_failed("cpu/gemm/serial", 100, "wrong\nin two lines"),
                                 row_emulated("gpu/gemm/tiled", 100), row_skipped("gpu/gemm/naive", 100, "no GPU")};
    snprintf(device.property[0].name, sizeof device.property[0].name, "uuid");
    snprintf(device.property[0].text, sizeof device.property[0].text, "GPU-very-secret");
    snprintf(device.property[1].name, sizeof device.property[1].name, "clock_mhz");
    device.property[1].number = 1980;
    run_info_stamp(&run);
    assert_int_equal(runfile_run(file, &run, &why), DUEL_OK);
    assert_int_equal(runfile_host(file, false, &why), DUEL_OK);
    assert_int_equal(runfile_device(file, "cuda:0", "cuda", false, &device, false, &why), DUEL_OK);
    assert_int_equal(runfile_ceiling(file, &ceiling, &why), DUEL_OK);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(runfile_result(file, &rows[i], &why), DUEL_OK);
        result_free(&rows[i]);
    }
    assert_int_equal(runfile_end(file, "done", 3, &why), DUEL_OK);
}

static json_t *line_of(char **text)
{
    char *end = strchr(*text, '\n');
    json_error_t error;
    assert_non_null(end); /* every line is whole */
    *end = '\0';
    assert_int_equal(strncmp(*text, "{\"record\":", 10), 0);
    json_t *line = json_loads(*text, 0, &error);
    if (!line)
        fail_msg("%s in %s", error.text, *text);
    check_finite(line);
    *text = end + 1;
    return line;
}

static const char *text_of(const json_t *line, const char *key)
{
    return json_string_value(json_object_get(line, key));
}

static void every_line_is_a_record(void **state)
{
    (void)state;
    static const char *const order[] = {"run",    "host",   "device", "ceiling", "result",
                                        "result", "result", "result", "result",  "end"};
    struct duel_runfile *file = run_dir_opened(NULL, NULL);
    write_run(file);
    runfile_close(file);
    char *text = run_dir_text("run.jsonl"), *at = text;
    assert_non_null(text);
    assert_null(strstr(text, "777"));
    assert_null(strstr(text, "very-secret"));
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        json_t *line = line_of(&at);
        assert_string_equal(text_of(line, "record"), order[i]);
        if (i == 0) {
            assert_string_equal(text_of(line, "schema"), DUEL_SCHEMA);
            assert_string_equal(text_of(line, "seed"), "18446744073709551615");
            assert_string_equal(text_of(line, "command"), "duel run --out ?");
        }
        if (i == 2)
            assert_true(json_number_value(json_object_get(line, "clock_mhz")) == 1980);
        if (i == 3)
            assert_true(json_real_value(json_object_get(line, "gflops")) == 0.1); /* all digits came back */
        if (i == 4) {
            assert_int_equal(json_array_size(json_object_get(line, "kernel_s")), 9);
            assert_null(json_object_get(line, "h2d_median_s"));
            assert_string_equal(text_of(line, "h2d_median_s_why"), "host memory is device memory");
        }
        if (i == 9)
            assert_int_equal(json_integer_value(json_object_get(line, "exit_code")), 3);
        if (i == 6) {
            assert_string_equal(text_of(line, "status"), "FAILED");
            assert_null(json_object_get(line, "kernel_s"));
        }
        if (i == 9)
            assert_int_equal(json_integer_value(json_object_get(line, "results")), 5);
        json_decref(line);
    }
    assert_string_equal(at, "");
    free(text);
    text = run_dir_text("run.csv");
    assert_null(strstr(text, "777"));
    assert_int_equal(strncmp(text, "implementation,device,status,", 29), 0);
    free(text);
}

static void targets_get_the_same_lines(void **state)
{
    (void)state;
    char *json = directory_path(run_dir(), "copy.jsonl"), *csv = directory_path(run_dir(), "copy.csv");
    run_dir_write("copy.jsonl", "an old and longer content that must go\n");
    struct duel_runfile *file = run_dir_opened(json, csv);
    write_run(file);
    runfile_close(file);
    char *own = run_dir_text("run.jsonl"), *copy = file_text(json);
    assert_string_equal(own, copy);
    free(own);
    free(copy);
    own = run_dir_text("run.csv"), copy = file_text(csv);
    assert_string_equal(own, copy);
    free(own);
    free(copy);
    free(json);
    free(csv);
}

/* A crash between two records: what was written is there without any call to end or close. */
static void records_are_on_disk_at_once(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        struct duel_runfile *file = NULL;
        struct duel_result row = row_skipped("gpu/gemm/naive", 64, "no GPU");
        bool good =
            runfile_open(&file, run_dir(), NULL, NULL, NULL) == DUEL_OK && runfile_result(file, &row, NULL) == DUEL_OK;
        kill(getpid(), good ? SIGKILL : SIGTERM);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    char *text = run_dir_text("run.jsonl"), *at = text;
    json_decref(line_of(&at));
    free(text);
    runfile_close(run_dir_opened(NULL, NULL)); /* its lock died with it */
}

static void full_disk_is_told_and_others_go_on(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    struct duel_runfile *file = run_dir_opened("/dev/full", NULL);
    struct duel_result row = row_skipped("gpu/gemm/naive", 64, "no GPU");
    struct duel_why why = {{0}, {0}, {0}};
    assert_int_equal(runfile_result(file, &row, &why), DUEL_EIO);
    assert_non_null(strstr(why.seen, "/dev/full"));
    assert_non_null(strstr(why.seen, "bytes"));
    assert_non_null(strstr(why.next, "space"));
    runfile_close(file);
    char *text = run_dir_text("run.jsonl"), *at = text;
    json_decref(line_of(&at));
    free(text);
}

/* A file that may not grow takes half a line; the half must not stay. */
static void half_a_line_is_cut_off(void **state)
{
    (void)state;
    struct rlimit before, small;
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_result row = row_cpu("cpu/gemm/serial", 64, DUEL_FP32, 1, 1e-3, 0.01);
    struct duel_runfile *file = run_dir_opened(NULL, NULL);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(runfile_result(file, &row, &why), DUEL_OK);
    char *first = run_dir_text("run.jsonl");
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = strlen(first) + 100;
    setrlimit(RLIMIT_FSIZE, &small);
    enum duel_status status = runfile_result(file, &row, &why);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, DUEL_EIO);
    assert_non_null(strstr(why.seen, "run.jsonl"));
    char *text = run_dir_text("run.jsonl");
    assert_string_equal(text, first);
    free(text);
    assert_int_equal(runfile_result(file, &row, &why), DUEL_OK); /* there is room again */
    runfile_close(file);
    text = run_dir_text("run.jsonl");
    assert_int_equal(strlen(text), 2 * strlen(first));
    free(text);
    free(first);
    result_free(&row);
}

static void works_without_a_directory(void **state)
{
    (void)state;
    struct duel_runfile *file = NULL;
    char *json = directory_path(run_dir(), "only.jsonl");
    assert_int_equal(runfile_open(&file, NULL, json, NULL, NULL), DUEL_OK);
    assert_null(runfile_dir(file));
    write_run(file);
    runfile_close(file);
    assert_int_equal(access(json, F_OK), 0);
    free(json);
    runfile_close(NULL);
}

static void stamps_differ(void **state)
{
    (void)state;
    struct duel_run_info a = {0}, b = {0};
    run_info_stamp(&a);
    run_info_stamp(&b);
    assert_string_not_equal(a.id, b.id);
    assert_int_equal(strlen(a.started), strlen("2000-01-01T00:00:00Z"));
    assert_true(a.started[10] == 'T' && a.started[19] == 'Z');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_DIR_TEST(every_line_is_a_record),
        RUN_DIR_TEST(targets_get_the_same_lines),
        RUN_DIR_TEST(records_are_on_disk_at_once),
        RUN_DIR_TEST(full_disk_is_told_and_others_go_on),
        RUN_DIR_TEST(half_a_line_is_cut_off),
        RUN_DIR_TEST(works_without_a_directory),
        RUN_DIR_TEST(stamps_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
