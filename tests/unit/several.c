/* several.c: a run over several workloads is told workload by workload, each with its own unit, letter and pictures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/report/rate.h"
#include "bench/report/report.h"
#include "bench/report/story.h"
#include "tests/unit/rows.h"
#include "tests/unit/run_dir.h"

#define MOST 32
struct run {
    struct duel_result row[MOST];
    size_t count;
};

static void free_run(struct run *run)
{
    for (size_t i = 0; i < run->count; i++)
        result_free(&run->row[i]);
}

/* The serial row, a faster one, and perhaps a GPU's whose copies take twice as long as the serial row. */
static void add(struct run *run, const char *workload, int64_t n, double serial_s, bool gpu)
{
    struct duel_result *row = &run->row[run->count];
    char name[64];
    snprintf(name, sizeof name, "cpu/%s/serial", workload);
    row[0] = row_cpu(name, n, DUEL_FP32, 1, serial_s, 0.01);
    snprintf(name, sizeof name, "cpu/%s/openblas", workload);
    row[1] = row_cpu(name, n, DUEL_FP32, 2, serial_s / 4, 0.01);
    snprintf(name, sizeof name, "gpu/%s/cublas", workload);
    row[2] = gpu ? row_gpu(name, n, DUEL_FP32, serial_s / 400, 2 * serial_s, 0.01) : row_skipped(name, n, "no GPU");
    for (int i = 0; i < 3; i++)
        if (result_timed(&row[i]))
            row_against(&row[i], &row[1], &row[0]);
    run->count += 3;
}

static struct run two_workloads(bool gpu)
{
    struct run run = {.count = 0};
    add(&run, "axpy", 100000, 1e-4, gpu);
    add(&run, "axpy", 1000000, 1e-3, gpu);
    add(&run, "gemm", 100, 2e-3, gpu);
    add(&run, "gemm", 1000, 2, gpu);
    return run;
}

typedef void writer(FILE *stream, const struct duel_result *results, size_t count);

static char *written(writer *write, const struct run *run)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    write(stream, run->row, run->count);
    fclose(stream);
    return text;
}

static void each_workload_has_its_unit_and_its_letter(void **state)
{
    (void)state;
    struct run run = two_workloads(false);
    char *text = written(table_results, &run);
    assert_non_null(strstr(text, "axpy  m = 1000000  speed-ups against cpu/axpy/openblas fp32 2 threads\n"
                                 "  implementation     type  thr   kernel  +-%  GB/s  x kernel  x serial  verified\n"
                                 "  cpu/axpy/serial    fp32    1  1.00 ms  1.0  12.0     0.250      1.00  ok bound\n"));
    assert_non_null(strstr(text,
                           "gemm  n = 1000  speed-ups against cpu/gemm/openblas fp32 2 threads\n"
                           "  implementation     type  thr  kernel  +-%  GFLOP/s  x kernel  x serial  verified\n"
                           "  cpu/gemm/serial    fp32    1  2.00 s  1.0     1.00     0.250      1.00  ok bound\n"));
    free(text);
    assert_true(rate_is_bytes("axpy") && !rate_is_bytes("gemm") && !rate_is_bytes("of another version"));
    free_run(&run);
}

static void each_workload_has_its_summary(void **state)
{
    (void)state;
    struct run run = two_workloads(false);
    char *text = written(table_summary, &run);
    assert_string_equal(
        text, "\naxpy\n"
              "At m = 1000000 the fastest CPU row is cpu/axpy/openblas (fp32, 2 threads): 48.0 GB/s, 4.00 times the\n"
              "serial row.\n"
              "\ngemm\n"
              "At n = 1000 the fastest CPU row is cpu/gemm/openblas (fp32, 2 threads): 4.00 GFLOP/s, 4.00 times the\n"
              "serial row.\n"
              "\nNo GPU was measured here: one would add the gpu/ rows, and show how much of their speed the copies\n"
              "take; `duel devices` says what is missing.\n");
    free(text);
    free_run(&run);
    run = two_workloads(true);
    text = written(table_summary, &run);
    assert_non_null(
        strstr(text, "The fastest GPU row is gpu/axpy/cublas (fp32): 4800 GB/s; 100 times cpu/axpy/openblas"));
    assert_non_null(strstr(text, "Up to m = 1000000 the copies make every GPU row slower than the CPU."));
    assert_non_null(strstr(text, "Up to n = 1000 the copies"));
    assert_null(strstr(text, "No GPU"));
    free(text);
    free_run(&run);
}

/* What holds for all is told once; sizes mean something only within one workload. */
static void reasons_are_told_once_or_with_their_workload(void **state)
{
    (void)state;
    struct run run = two_workloads(false);
    for (size_t i = 0; i < run.count; i++)
        if (i % 6 == 0 || i % 6 == 1) { /* the smaller size of each */
            result_free(&run.row[i]);
            run.row[i] = row_skipped(run.row[i].implementation, (int64_t)(i < 6 ? 100000 : 100), "left out");
        }
    char *text = written(table_skipped, &run);
    assert_string_equal(text, "  cpu/axpy/* at m = 100000: skipped: left out\n"
                              "  gpu/axpy/cublas, gpu/gemm/cublas: skipped: no GPU\n"
                              "  cpu/gemm/* at n = 100: skipped: left out\n");
    free(text);
    free_run(&run);
}

/* ---- pictures --------------------------------------------------------------------------------------------------- */

static void draw(const struct run *run, bool story)
{
    struct duel_plot_request request = {run_dir(), "Test machine", false, NULL, NULL};
    struct duel_why why;
    setenv("PATH", "", 1);
    assert_int_equal((story ? story_write : plots_write)(&request, run->row, run->count, NULL, 0, &why), DUEL_SKIP);
    assert_non_null(strstr(why.seen, "no gnuplot"));
}

static void expect(const char *picture, const char *words)
{
    char path[80];
    snprintf(path, sizeof path, "plots/%s.gp", picture);
    if (!run_dir_has(path))
        fail_msg("no %s", path);
    char *code = run_dir_text(path);
    if (!strstr(code, words))
        fail_msg("no \"%s\" in %s", words, path);
    free(code);
}

static void each_workload_has_its_pictures(void **state)
{
    (void)state;
    struct run run = two_workloads(true);
    draw(&run, false);
    expect("axpy-gbps", "'How many bytes per second? (GB/s)'");
    expect("axpy-gbps", "CPU openblas  48.0'");
    expect("axpy-gbps", "'size m'");
    expect("axpy-speedup", "1 = cpu/axpy/openblas fp32 2 threads");
    expect("axpy-phases", "Where does the time go at m = 1000000?");
    expect("gemm-gflops", "'size n (m = n = k)'");
    expect("gemm-gflops", "CPU openblas  4.00'");
    expect("gemm-speedup", "1 = cpu/gemm/openblas fp32 2 threads");
    expect("gemm-phases", "Where does the time go at n = 1000?");
    assert_false(run_dir_has("plots/gflops.gp"));
    free_run(&run);
}

static void one_workload_needs_no_name(void **state)
{
    (void)state;
    struct run run = {.count = 0};
    add(&run, "gemm", 100, 2e-3, false);
    draw(&run, false);
    expect("gflops", "GFLOP/s");
    expect("phases", "n = 100");
    expect("speedup", "1 = cpu/gemm/serial");
    free_run(&run);
    run.count = 0;
    add(&run, "axpy", 100, 2e-3, false);
    draw(&run, false);
    expect("gbps", "GB/s"); /* not under the name of another unit */
    free_run(&run);
}

static void the_story_has_a_picture_for_each_chapter(void **state)
{
    (void)state;
    struct run run = two_workloads(true);
    run.row[run.count] = row_gpu("gpu/gemm/cublas_fp16", 1000, DUEL_FP16, 1e-3, 2, 0.01);
    run.row[run.count++].verdict.relative_frobenius = 2.6e-4;
    run.row[run.count] = row_cpu("cpu/gemm/openblas", 1000, DUEL_FP64, 2, 1, 0.01);
    run.row[run.count++].verdict.relative_frobenius = 0;
    draw(&run, true);
    expect("1-axpy", "title = '1  axpy: Where does the time go at m = 1000000?'");
    expect("1-axpy", "kernel 100 times as fast as the CPU, with its copies 0.125 times: they eat the gain");
    expect("3-gemm", "title = '3  gemm: How many times faster than the best CPU row?'");
    expect("3-gemm", "dashed: end to end \302\267 * fp16 inputs: another problem");
    expect("4-precision", "title = '4  Tensor Cores: Speed against error at n = 1000'");
    expect("4-precision", "GPU cublas_fp16 fp16  2000 GFLOP/s'");
    expect("4-precision", "CPU serial fp32  1.00 GFLOP/s'");
    expect("4-precision", "CPU openblas fp64  2.00 GFLOP/s'");
    char *data = run_dir_text("plots/4-precision.dat"); /* no error has a place, too */
    assert_non_null(strstr(data, "# CPU openblas fp64  2.00 GFLOP/s\n 1e-16 2 "));
    assert_non_null(strstr(data, "# GPU cublas_fp16 fp16  2000 GFLOP/s\n 0.00026 2000 "));
    free(data);
    assert_false(run_dir_has("plots/2-gemv.gp")); /* nothing of it was measured */
    assert_false(run_dir_has("plots/gemm-speedup.gp"));
    free_run(&run);
}

/* No number in a story comes from anything but a row. */
static void without_a_gpu_the_story_says_what_one_would_add(void **state)
{
    (void)state;
    struct run run = two_workloads(false);
    draw(&run, true);
    expect("1-axpy", "A GPU row would add two copies");
    expect("3-gemm", "title = '3  gemm: How many times faster than the serial loop?'");
    expect("4-precision", "title = '4  Precision: Speed against");
    expect("4-precision", "A GPU row would show TF32 and FP16");
    char *text = written(story_tell, &run);
    assert_non_null(strstr(text, "The story in pictures:\n  1-axpy: each number is used once"));
    assert_non_null(strstr(text, "  4-precision: "));
    assert_null(strstr(text, "2-gemv"));
    free(text);
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
        TEST(each_workload_has_its_unit_and_its_letter),
        TEST(each_workload_has_its_summary),
        TEST(reasons_are_told_once_or_with_their_workload),
        TEST(each_workload_has_its_pictures),
        TEST(one_workload_needs_no_name),
        TEST(the_story_has_a_picture_for_each_chapter),
        TEST(without_a_gpu_the_story_says_what_one_would_add),
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
