/* plots.c: data, scripts and pictures, with gnuplot, without it, and with one that fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/record/directory.h"
#include "bench/report/report.h"
#include "tests/unit/rows.h"
#include "tests/unit/run_dir.h"

static const char *const names[] = {"speedup", "gflops", "phases"};

#define MOST 64
struct run {
    struct duel_result row[MOST];
    size_t count;
};

static void add_size(struct run *run, int64_t n, bool gpu)
{
    struct duel_result *serial = &run->row[run->count], *base = serial + 1;
    double work = (double)n * (double)n * (double)n;
    *serial = row_cpu("cpu/gemm/serial", n, DUEL_FP32, 1, 2e-9 * work, 0.02);
    *base = row_cpu("cpu/gemm/openblas", n, DUEL_FP32, 2, 2e-11 * work, 0.02);
    run->count += 2;
    if (gpu)
        run->row[run->count++] = row_gpu("gpu/gemm/cublas", n, DUEL_FP32, 1e-13 * work, 1e-9 * (double)n, 0.02);
    run->row[run->count++] = row_failed("cpu/gemm/blocked", n, "wrong");
    run->row[run->count++] = row_emulated("gpu/gemm/tiled", n);
    run->row[run->count++] = row_skipped("gpu/gemm/naive", n, "no GPU");
    for (struct duel_result *row = serial; row < run->row + run->count; row++)
        if (result_timed(row))
            row_against(row, base, serial);
}

static void free_run(struct run *run)
{
    for (size_t i = 0; i < run->count; i++)
        result_free(&run->row[i]);
}

static enum duel_status draw(const struct run *run, const char *machine, FILE *stream, struct duel_why *why)
{
    static const struct duel_ceiling ceilings[] = {{"cpu", DUEL_FP32, 2, 123}, {"cpu", DUEL_FP64, 2, 61.5}};
    struct duel_plot_request request = {run_dir(), machine, stream != NULL, stream, NULL};
    return plots_write(&request, run->row, run->count, ceilings, 2, why);
}

static char *part(const char *name, const char *ending)
{
    char path[80];
    snprintf(path, sizeof path, "plots/%s.%s", name, ending);
    return run_dir_has(path) ? run_dir_text(path) : NULL;
}

static bool have_gnuplot(void)
{
    return system("gnuplot --version >/dev/null 2>&1") == 0;
}

/* Each line has a name in the script and each block of numbers one above it: neither a FAILED nor an emulated nor a
 * skipped row has any. */
static void check_no_hidden_numbers(void)
{
    static const char *const untimed[] = {"blocked", "tiled", "naive", "nan", "inf "};
    for (int i = 0; i < 3; i++) {
        char *data = part(names[i], "dat"), *code = part(names[i], "gp");
        assert_non_null(data);
        assert_non_null(code);
        for (size_t j = 0; j < sizeof untimed / sizeof *untimed; j++) {
            assert_null(strstr(data, untimed[j]));
            assert_null(strstr(code, untimed[j]));
        }
        free(data);
        free(code);
    }
}

static void draws_three_pictures(void **state)
{
    (void)state;
    struct duel_why why = {{0}, {0}, {0}};
    if (!have_gnuplot())
        skip();
    for (int gpu = 0; gpu < 2; gpu++) {
        struct run run = {.count = 0};
        for (int64_t n = 64; n <= 1024; n *= 2)
            add_size(&run, n, gpu);
        if (draw(&run, "Test machine", NULL, &why) != DUEL_OK)
            fail_msg("%s", why.seen);
        check_no_hidden_numbers();
        for (int i = 0; i < 3; i++) {
            static const unsigned char size[] = {0, 0, 6, 64, 0, 0, 3, 132}; /* 1600 x 900 */
            char *svg = part(names[i], "svg"), *png = part(names[i], "png");
            assert_non_null(png);
            assert_memory_equal(png, "\211PNG", 4);
            assert_memory_equal(png + 16, size, 8);
            assert_non_null(strstr(svg, "</svg>"));
            assert_non_null(strstr(svg, "openblas"));
            assert_non_null(strstr(svg, "Test machine"));
            free(svg);
            free(png);
        }
        free_run(&run);
    }
}

static void speedup_is_over_what_the_title_names(void **state)
{
    (void)state;
    struct run run = {.count = 0};
    setenv("PATH", "", 1);
    add_size(&run, 64, false);
    assert_int_equal(draw(&run, "m", NULL, NULL), DUEL_SKIP);
    char *code = part("speedup", "gp"), *data = part("speedup", "dat");
    assert_non_null(strstr(code, "1 = cpu/gemm/serial fp32 1 thread"));
    assert_non_null(strstr(data, "# serial\n 64 1 ? ?\n"));
    assert_non_null(strstr(data, "# openblas\n 64 100 "));
    free(code);
    free(data);
    code = part("gflops", "gp");
    assert_non_null(strstr(code, "peak fp32 2T  123"));
    assert_null(strstr(code, "61.5")); /* no FP64 line runs under that ceiling */
    free(code);
    free_run(&run);
    run.count = 0;
    add_size(&run, 64, true);
    assert_int_equal(draw(&run, "m", NULL, NULL), DUEL_SKIP);
    code = part("speedup", "gp");
    assert_non_null(strstr(code, "1 = cpu/gemm/openblas fp32 2 threads"));
    assert_non_null(strstr(code, "cublas end to end"));
    assert_null(strstr(code, "serial"));
    assert_non_null(strstr(code, "Test GPU"));
    free(code);
    free_run(&run);
}

static void missing_points_stay_missing(void **state)
{
    (void)state;
    struct run run = {.count = 0};
    setenv("PATH", "", 1);
    for (int64_t n = 64; n <= 256; n *= 2)
        add_size(&run, n, false);
    struct duel_result *middle = &run.row[6]; /* openblas at 128 */
    assert_string_equal(middle->implementation, "cpu/gemm/openblas");
    middle->status = ROW_FAILED;
    assert_int_equal(draw(&run, "m", NULL, NULL), DUEL_SKIP);
    char *data = part("gflops", "dat"), *line = strstr(data, "# openblas\n");
    assert_non_null(line);
    assert_int_equal(strncmp(line + 11, " 64 ", 4), 0);
    line = strchr(line + 11, '\n');
    assert_int_equal(strncmp(line, "\n\n 256 ", 7), 0); /* an empty line breaks the line that gnuplot draws */
    free(data);
    free_run(&run);
}

static void without_gnuplot_tells_how(void **state)
{
    (void)state;
    struct run run = {.count = 0};
    struct duel_why why = {{0}, {0}, {0}};
    setenv("PATH", "", 1);
    add_size(&run, 64, false);
    assert_int_equal(draw(&run, "m", NULL, &why), DUEL_SKIP);
    assert_non_null(strstr(why.seen, "no gnuplot"));
    assert_non_null(strstr(why.next, "/plots && "));
    check_no_hidden_numbers();
    free_run(&run);
}

static void failing_gnuplot_is_heard(void **state)
{
    (void)state;
    struct run run = {.count = 0};
    struct duel_why why = {{0}, {0}, {0}};
    char *path = realpath(run_dir(), NULL); /* gnuplot is started in another directory */
    run_dir_write("gnuplot", "#!/bin/sh\necho '   line 7:  out of ink' >&2\nexit 3\n");
    assert_int_equal(chmod(run_dir_path("gnuplot"), 0755), 0);
    setenv("PATH", path, 1);
    add_size(&run, 64, false);
    assert_int_equal(draw(&run, "m", NULL, &why), DUEL_EIO);
    assert_non_null(strstr(why.seen, "line 7: out of ink"));
    assert_true(*why.matters && *why.next);
    free_run(&run);
    free(path);
}

static void names_cannot_become_code(void **state)
{
    (void)state;
    struct run run = {.count = 0};
    struct duel_why why = {{0}, {0}, {0}};
    char machine[300];
    if (!have_gnuplot())
        skip();
    snprintf(machine, sizeof machine, "it's '; system('touch %s') #`touch %s` \"\\n@x{/Bold}_^\n", run_dir_path("a"),
             run_dir());
    add_size(&run, 64, false);
    if (draw(&run, machine, NULL, &why) != DUEL_OK)
        fail_msg("%s", why.seen);
    assert_false(run_dir_has("a"));
    assert_false(run_dir_has("plots/a"));
    free_run(&run);
}

static void terminal_gets_letters(void **state)
{
    (void)state;
    struct run run = {.count = 0};
    struct duel_why why = {{0}, {0}, {0}};
    char *text = NULL;
    size_t size = 0;
    if (!have_gnuplot())
        skip();
    for (int64_t n = 64; n <= 1024; n *= 2)
        add_size(&run, n, true);
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(draw(&run, "Test machine", stream, &why), DUEL_OK);
    fclose(stream);
    assert_non_null(strstr(text, "How many times faster"));
    assert_non_null(strstr(text, "A cublas"));
    assert_non_null(strstr(text, "###"));
    for (const char *c = text; *c; c++) {
        assert_true((unsigned char)*c < 0x7f);
        assert_true(*c != '\n' || c == text || c[-1] != ' ');
    }
    free(text);
    free_run(&run);
}

static void nothing_timed_draws_nothing(void **state)
{
    (void)state;
    struct run run = {.count = 2, .row = {row_failed("cpu/gemm/serial", 64, "x"), row_emulated("gpu/gemm/tiled", 64)}};
    struct duel_why why = {{0}, {0}, {0}};
    assert_int_equal(draw(&run, "m", NULL, &why), DUEL_SKIP);
    assert_non_null(strstr(why.seen, "no row"));
    assert_false(run_dir_has("plots"));
    free_run(&run);
}

static void places_in_the_way_are_told(void **state)
{
    (void)state;
    struct run run = {.count = 0};
    struct duel_why why = {{0}, {0}, {0}};
    run_dir_write("plots", "a file where the directory should be");
    add_size(&run, 64, false);
    assert_int_equal(draw(&run, "m", NULL, &why), DUEL_EIO);
    assert_non_null(strstr(why.seen, "plots"));
    free_run(&run);
}

static char *old_path;

static int make(void **state)
{
    setenv("PATH", old_path, 1);
    return run_dir_make(state);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, run_dir_drop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(draws_three_pictures),        TEST(speedup_is_over_what_the_title_names),
        TEST(missing_points_stay_missing), TEST(without_gnuplot_tells_how),
        TEST(failing_gnuplot_is_heard),    TEST(names_cannot_become_code),
        TEST(terminal_gets_letters),       TEST(nothing_timed_draws_nothing),
        TEST(places_in_the_way_are_told),
    };
    setenv("LC_ALL", "C", 1);
    const char *path = getenv("PATH");
    old_path = strdup(path ? path : "");
    if (!old_path)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(old_path);
    return failed;
}
