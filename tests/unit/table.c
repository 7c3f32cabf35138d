/* table.c: the terminal table, its summary and its steps, as text without a terminal. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/report/console.h"
#include "bench/report/report.h"
#include "tests/unit/rows.h"

typedef void writer(FILE *stream, const struct duel_result *results, size_t count);

static char *written(writer *write, const struct duel_result *rows, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    write(stream, rows, count);
    fclose(stream);
    return text;
}

static void check_says(writer *write, const struct duel_result *rows, size_t count, const char *words)
{
    char *text = written(write, rows, count);
    if (!strstr(text, words))
        fail_msg("no \"%s\" in:\n%s", words, text);
    free(text);
}

static void check_silent(writer *write, const struct duel_result *rows, size_t count, const char *words)
{
    char *text = written(write, rows, count);
    if (strstr(text, words))
        fail_msg("\"%s\" in:\n%s", words, text);
    free(text);
}

/* serial, openblas, cublas and cublas_fp16 at one size; CPU only with two of them. */
static size_t make_rows(struct duel_result *rows, int64_t n, bool gpu)
{
    rows[0] = row_cpu("cpu/gemm/serial", n, DUEL_FP32, 1, 0.5, 0.01);
    rows[1] = row_cpu("cpu/gemm/openblas", n, DUEL_FP32, 2, 0.01, 0.01);
    rows[2] = row_gpu("gpu/gemm/cublas", n, DUEL_FP32, 1e-4, n > 600 ? 9e-4 : 0.03, 0.01);
    rows[3] = row_gpu("gpu/gemm/cublas_fp16", n, DUEL_FP16, 5e-5, n > 600 ? 4.5e-4 : 0.03, 0.01);
    for (int i = 0; i < 4; i++)
        row_against(&rows[i], &rows[1], &rows[0]);
    for (int i = gpu ? 4 : 2; i < 4; i++)
        result_free(&rows[i]);
    return gpu ? 4 : 2;
}

static void free_rows(struct duel_result *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        result_free(&rows[i]);
}

static void cpu_table_fits_and_leaves_out_what_is_empty(void **state)
{
    (void)state;
    struct duel_result rows[4];
    size_t count = make_rows(rows, 1000, false);
    char *text = written(table_results, rows, count);
    assert_string_equal(text, "\n"
                              "gemm  n = 1000  speed-ups against cpu/gemm/openblas fp32 2 threads\n"
                              "  implementation     type  thr   kernel  +-%  GFLOP/s  x kernel  x serial  verified\n"
                              "  cpu/gemm/serial    fp32    1   500 ms  1.0     4.00    0.0200      1.00  ok bound\n"
                              "  cpu/gemm/openblas  fp32    2  10.0 ms  1.0      200      1.00      50.0  ok bound\n");
    free(text);
    free_rows(rows, count);
}

static void gpu_table_has_copies(void **state)
{
    (void)state;
    struct duel_result rows[4];
    size_t count = make_rows(rows, 1000, true);
    check_says(table_results, rows, count, "  H2D ");
    check_says(table_results, rows, count, "end to end");
    check_says(
        table_results, rows, count,
        "gpu/gemm/cublas       fp32       600 us   100 us  1.0  300 us     1.00 ms    20000       100          10.0");
    free_rows(rows, count);
}

static void uses_and_the_cold_start_are_told(void **state)
{
    (void)state;
    struct duel_result rows[4];
    size_t count = make_rows(rows, 1000, true);
    rows[2].cold_s = 0.3;
    rows[2].speedup_cold.value = 0.05;
    rows[2].break_even_reuse = (struct duel_ratio){1234, 12, NAN};
    check_says(table_results, rows, count, "  uses to pay  x cold  ");
    check_says(table_results, rows, count, "      1234  0.0500  ");
    check_says(table_summary, rows, count, "copying them pays: 1234 (95 % interval: 12 or more, perhaps");
    check_says(table_summary, rows, count, "takes it 300 ms: 0.0500\ntimes as fast as cpu/gemm/openblas");
    rows[2].break_even_reuse.value = rows[2].break_even_reuse.lo = NAN;
    rows[2].speedup_kernel = (struct duel_ratio){0.5, 0.4, 0.6};
    check_says(table_results, rows, count, "       never  0.0500  ");
    check_says(table_summary, rows, count, "pays: never: the kernel itself is slower than the base");
    free_rows(rows, count);
}

static void failed_rows_show_a_reason_and_no_number(void **state)
{
    (void)state;
    struct duel_result rows[] = {row_failed("cpu/gemm/serial", 64, "element (3, 5) is 1, expected 2"),
                                 row_emulated("gpu/gemm/tiled", 64)};
    writer *const writers[] = {table_results, table_summary, table_steps};
    check_says(table_results, rows, 2, "FAILED");
    check_says(table_results, rows, 2, "element (3, 5) is 1, expected 2");
    check_says(table_results, rows, 2, "emulated rows are verified");
    check_says(table_summary, rows, 2, "1 row FAILED");
    for (int i = 0; i < 3; i++)
        check_silent(writers[i], rows, 2, "777");
    free_rows(rows, 2);
}

static void skipped_rows_share_their_reason(void **state)
{
    (void)state;
    struct duel_result rows[] = {
        row_skipped("gpu/gemm/naive", 64, "no GPU"),      row_skipped("gpu/gemm/tiled", 64, "no GPU"),
        row_skipped("cpu/gemm/openmp", 64, "no OpenMP"),  row_cpu("cpu/gemm/serial", 64, DUEL_FP32, 1, 1e-3, 0.01),
        row_skipped("gpu/gemm/naive", 128, "no GPU"),     row_skipped("gpu/gemm/tiled", 128, "no GPU"),
        row_skipped("cpu/gemm/openmp", 128, "no OpenMP"), row_skipped("cpu/gemm/serial", 128, "too slow")};
    char *text = written(table_skipped, rows, 8);
    assert_string_equal(text, "  gpu/gemm/*: skipped: no GPU\n"
                              "  cpu/gemm/openmp: skipped: no OpenMP\n"
                              "  cpu/gemm/serial at n = 128: skipped: too slow\n");
    free(text);
    check_silent(table_rows, rows, 8, "skipped");
    result_free(&rows[3]);
}

static void summary_names_the_baseline(void **state)
{
    (void)state;
    struct duel_result rows[8];
    size_t count = make_rows(rows, 500, true);
    count += make_rows(rows + count, 1000, true);
    char *text = written(table_summary, rows, count);
    for (char *c = text; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    assert_string_equal(
        text, " At n = 1000 the fastest CPU row is cpu/gemm/openblas (fp32, 2 threads): 200 GFLOP/s, 50.0 times the "
              "serial row. The fastest GPU row is gpu/gemm/cublas (fp32): 20.0 TFLOP/s; 100 times cpu/gemm/openblas "
              "fp32 2 threads by its kernel alone, 10.0 times end to end. Uses of the same operands until copying them "
              "pays: 1 (95 % interval: 1 to 2). With fp16 inputs, which is another problem, "
              "gpu/gemm/cublas_fp16 reaches 40.0 TFLOP/s: 200 times cpu/gemm/openblas fp32 2 threads by its kernel "
              "alone, 20.0 times end to end. Up to n = 500 the copies make every GPU row slower than the CPU. ");
    free(text);
    free_rows(rows, count);
    count = make_rows(rows, 1000, false);
    check_says(table_summary, rows, count, "No GPU was measured");
    free_rows(rows, count);
}

static void steps_add_up(void **state)
{
    (void)state;
    struct duel_result rows[] = {row_gpu("gpu/gemm/cublas", 64, DUEL_FP32, 0.1, 0.3, 0.01),
                                 row_cpu("cpu/gemm/serial", 64, DUEL_FP32, 1, 0.1, 0.01),
                                 row_cpu("cpu/gemm/slower", 64, DUEL_FP32, 1, 0.2, 0.01)};
    rows[0].read_s = rows[1].read_s = rows[2].read_s = 0.6;
    char *text = written(table_steps, rows, 3); /* the fastest CPU row and the fastest GPU row tell the story */
    assert_string_equal(text, "\n"
                              "cpu/gemm/serial fp32 1 thread, cpu: 700 ms in all\n"
                              "  1 read from disk        600 ms   86 %  ##################################\n"
                              "  2 copy to the device            none: host memory is device memory\n"
                              "  3 kernel                100 ms   14 %  #####\n"
                              "  4 copy back                     none: host memory is device memory\n"
                              "\n"
                              "gpu/gemm/cublas fp32, cuda:0: 1.00 s in all\n"
                              "  1 read from disk        600 ms   60 %  ########################\n"
                              "  2 copy to the device    200 ms   20 %  ########\n"
                              "  3 kernel                100 ms   10 %  ####\n"
                              "  4 copy back             100 ms   10 %  ####\n");
    free(text);
    free_rows(rows, 3);
}

static void numbers_read_well(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } times[] = {{1.234, "1.23 s"},
                 {0.9996, "1.00 s"},
                 {0.0123, "12.3 ms"},
                 {123e-6, "123 us"},
                 {0.99964e-3, "1.00 ms"},
                 {5e-9, "5.00 ns"},
                 {0, ""},
                 {-1, ""},
                 {NAN, ""},
                 {INFINITY, ""}};
    struct duel_console ascii = {.utf8 = false}, utf8 = {.utf8 = true};
    char text[64];
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        format_seconds(&ascii, times[i].seconds, text, sizeof text);
        assert_string_equal(text, times[i].text);
    }
    format_seconds(&utf8, 5e-6, text, sizeof text);
    assert_string_equal(text, "5.00 \302\265s");
    assert_int_equal(format_width(text), 7);
    format_span(&ascii, 880e-6, 1.28e-3, text, sizeof text);
    assert_string_equal(text, "0.88..1.28 ms");
    format_span(&ascii, 34.1e-6, 0.488, text, sizeof text);
    assert_string_equal(text, "0.0341..488 ms");
    format_span(&ascii, 0, 1.28e-3, text, sizeof text);
    assert_string_equal(text, "");
    assert_string_equal(number_words(45888.2).text, "45888");
    format_number(0.0999, text, sizeof text);
    assert_string_equal(text, "0.0999");
    format_number(0.09999, text, sizeof text);
    assert_string_equal(text, "0.100");
    format_number(99.96, text, sizeof text);
    assert_string_equal(text, "100");
}

static void utf8_only_where_the_locale_has_it(void **state)
{
    (void)state;
    struct duel_result rows[4];
    size_t count = make_rows(rows, 1000, false);
    check_silent(table_results, rows, count, "\302");
    setenv("LC_ALL", "C.UTF-8", 1);
    if (console_of(stderr).utf8) {
        check_says(table_results, rows, count, "\302\261%");
        check_says(table_results, rows, count, "\342\234\223 bound");
    }
    setenv("LC_ALL", "C", 1);
    check_silent(table_results, rows, count, "\033"); /* no colour: not a terminal */
    free_rows(rows, count);
}

static void long_reasons_are_wrapped(void **state)
{
    (void)state;
    char reason[600] = "";
    for (size_t used = 0; used + 10 < sizeof reason; used += 9)
        snprintf(reason + used, sizeof reason - used, "a longer ");
    struct duel_result row = row_skipped("cpu/gemm/serial", 64, reason);
    char *text = written(table_skipped, &row, 1);
    for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        assert_true(end - line <= 100);
        assert_true(end > line && end[-1] != ' ');
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpu_table_fits_and_leaves_out_what_is_empty),
        cmocka_unit_test(gpu_table_has_copies),
        cmocka_unit_test(uses_and_the_cold_start_are_told),
        cmocka_unit_test(failed_rows_show_a_reason_and_no_number),
        cmocka_unit_test(skipped_rows_share_their_reason),
        cmocka_unit_test(summary_names_the_baseline),
        cmocka_unit_test(steps_add_up),
        cmocka_unit_test(numbers_read_well),
        cmocka_unit_test(utf8_only_where_the_locale_has_it),
        cmocka_unit_test(long_reasons_are_wrapped),
    };
    setenv("LC_ALL", "C", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
