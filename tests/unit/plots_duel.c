/* plots_duel.c: what the pictures of a CPU against a GPU show: which size, which problem, which unit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/report/report.h"
#include "tests/unit/rows.h"
#include "tests/unit/run_dir.h"

static const char *const names[] = {"speedup", "gflops", "phases"};

#define MOST 64
struct run {
    struct duel_result row[MOST];
    size_t count;
};

static void free_run(struct run *run)
{
    for (size_t i = 0; i < run->count; i++)
        result_free(&run->row[i]);
}

/* Without gnuplot the scripts alone are written. */
static void draw(const struct run *run)
{
    struct duel_plot_request request = {run_dir(), "Test machine", false, NULL, NULL};
    setenv("PATH", "", 1);
    assert_int_equal(plots_write(&request, run->row, run->count, NULL, 0, NULL), DUEL_SKIP);
}

static char *script(const char *name)
{
    char path[80];
    snprintf(path, sizeof path, "plots/%s.gp", name);
    return run_dir_text(path);
}

/* Small sizes have all implementations, the largest only the best ones, as on a machine where a textbook loop would
 * take minutes; FP16 reaches further than anything else. */
static void add_duel(struct run *run)
{
    for (int64_t n = 256; n <= 8192; n *= 2) {
        const double work = (double)n * (double)n * (double)n, copies_s = 4e-10 * (double)n * (double)n;
        struct duel_result *first = &run->row[run->count], *base = first;
        run->row[run->count++] = row_cpu("cpu/gemm/openblas", n, DUEL_FP32, 64, 2e-12 * work, 0.02);
        if (n <= 1024)
            run->row[run->count++] = row_cpu("cpu/gemm/serial", n, DUEL_FP32, 1, 1e-9 * work, 0.02);
        if (n <= 4096)
            run->row[run->count++] = row_gpu("gpu/gemm/cublas", n, DUEL_FP32, 4e-14 * work, copies_s, 0.02);
        if (n <= 2048)
            run->row[run->count++] = row_gpu("gpu/gemm/naive", n, DUEL_FP32, 1e-12 * work, copies_s, 0.02);
        run->row[run->count++] = row_gpu("gpu/gemm/tensor_fp16", n, DUEL_FP16, 4e-15 * work, copies_s / 2, 0.02);
        for (struct duel_result *row = first; row < run->row + run->count; row++)
            row_against(row, base, NULL);
    }
}

static void the_best_of_both_sides_meet_in_the_phases(void **state)
{
    (void)state;
    struct run run = {.count = 0};
    add_duel(&run);
    draw(&run);
    char *code = script("phases");
    assert_non_null(strstr(code, "Where does the time go at n = 4096?")); /* not 8192, of another problem, nor 1024 */
    assert_non_null(strstr(code, "GPU cublas'"));
    assert_non_null(strstr(code, "CPU openblas'"));
    assert_non_null(strstr(code, "GPU tensor_fp16 *'"));
    assert_null(strstr(code, "serial"));
    free(code);
    free_run(&run);
}

static void other_problems_and_large_rates_are_marked(void **state)
{
    (void)state;
    struct run run = {.count = 0};
    add_duel(&run);
    draw(&run);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *code = script(names[i]);
        assert_non_null(strstr(code, "* fp16 inputs: another problem"));
        free(code);
    }
    char *code = script("gflops");
    assert_non_null(strstr(code, "GPU cublas  50.0 TFLOP/s'"));
    assert_non_null(strstr(code, "GPU tensor_fp16 *  500 TFLOP/s'"));
    assert_non_null(strstr(code, "CPU openblas  1000'"));
    assert_non_null(strstr(code, "'1000' 1000, '10 T' 10000, '100 T' 100000"));
    free(code);
    free_run(&run);
}

static void one_type_is_no_other_problem(void **state)
{
    (void)state;
    struct run run = {.count = 2};
    run.row[0] = row_cpu("cpu/gemm/openblas", 64, DUEL_FP32, 2, 1e-4, 0.02);
    run.row[1] = row_gpu("gpu/gemm/cublas", 64, DUEL_FP32, 1e-5, 1e-5, 0.02);
    row_against(&run.row[1], &run.row[0], NULL);
    draw(&run);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *code = script(names[i]);
        assert_null(strstr(code, "another problem"));
        free(code);
    }
    free_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_DIR_TEST(the_best_of_both_sides_meet_in_the_phases),
        RUN_DIR_TEST(other_problems_and_large_rates_are_marked),
        RUN_DIR_TEST(one_type_is_no_other_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
