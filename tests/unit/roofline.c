/* roofline.c: what is written and drawn about ceilings. No number here was measured. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/report/roofline.h"
#include "tests/unit/roofs_made.h"
#include "tests/unit/rows.h"
#include "tests/unit/run_dir.h"

/* Half of the compulsory intensity at this size. */
static double twice(const struct duel_problem *problem, double cache_bytes)
{
    (void)cache_bytes;
    return 24.0 * (double)problem->m * (double)problem->n;
}
static const struct duel_impl modelled = {.traffic = twice, .traffic_model = "each operand crosses twice"};

struct picture {
    struct duel_roofs roofs;
    struct duel_placement row[8];
    struct duel_roofline_report report;
};

static void make_picture(struct picture *picture)
{
    roofs_made(&picture->roofs);
    picture->row[0] = placement_made(&picture->roofs, row_reaching("cpu/gemm/serial", 1024, 1, 0.44));
    picture->row[1] = placement_made(&picture->roofs, row_reaching("cpu/gemm/interchanged", 1024, 1, 18.5));
    picture->row[2] = placement_made(&picture->roofs, row_reaching("cpu/gemm/blocked", 1024, 1, 32));
    picture->row[3] = placement_made(&picture->roofs, row_reaching("cpu/gemm/openmp", 1024, 2, 60));
    picture->row[4] = placement_of(&picture->roofs, row_reaching("cpu/gemm/openblas", 1024, 2, 160), &modelled);
    picture->row[5] = placement_made(&picture->roofs, row_reaching("cpu/gemm/impossible", 1024, 2, 900));
    picture->report = (struct duel_roofline_report){.device = "cpu",
                                                    .device_name = "Test CPU",
                                                    .picture = "roofline-cpu",
                                                    .threads = 2,
                                                    .roofs = picture->roofs.roof,
                                                    .roof_count = picture->roofs.count,
                                                    .placements = picture->row,
                                                    .placement_count = 6};
}

static void the_table_names_roofs_and_limits(void **state)
{
    (void)state;
    static struct picture picture;
    char *text = NULL;
    size_t size = 0;
    make_picture(&picture);
    FILE *stream = open_memstream(&text, &size);
    table_roofline(stream, &picture.report);
    fclose(stream);
    static const char *const words[] = {"0.250   85.3  171   200     80.0        80.0  arithmetic  registers",
                                        "model of cpu/gemm/openblas behind L2: each operand crosses twice",
                                        "cpu/gemm/impossible: 900 GFLOP/s is 4.50 of its roof", "FAILED",
                                        "16 MiB         120  96.0   96.0"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strstr(text, words[i]))
            fail_msg("no \"%s\" in:\n%s", words[i], text);
    assert_null(strstr(text, "nan"));
    free(text);
}

static void a_busy_machine_is_told(void **state)
{
    (void)state;
    static struct picture picture;
    char *text = NULL;
    size_t size = 0;
    make_picture(&picture);
    picture.roofs.roof[0].gflops = 300; /* of one thread; two have 200 */
    FILE *stream = open_memstream(&text, &size);
    table_roofline(stream, &picture.report);
    fclose(stream);
    assert_non_null(strstr(text, "2 threads of fp32 reached 200 GFLOP/s and 1 300"));
    free(text);
}

static void the_picture_has_roofs_and_points(void **state)
{
    (void)state;
    static struct picture picture;
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_plot_request request = {run_dir(), "Test CPU, 2 cores", false, NULL, NULL};
    make_picture(&picture);
    enum duel_status status = plot_roofline(&request, &picture.report, &why);
    if (status == DUEL_SKIP)
        skip(); /* no gnuplot */
    if (status != DUEL_OK)
        fail_msg("%s", why.seen);
    char *code = run_dir_text("plots/roofline-cpu.gp"), *data = run_dir_text("plots/roofline-cpu.dat");
    assert_non_null(strstr(code, "\ncurves = 5\n")); /* not the impossible one */
    assert_non_null(strstr(code, "\ndiagonals = 4\n"));
    assert_non_null(strstr(code, "\nlevels = 2\n"));
    assert_non_null(strstr(code, "'openblas  160 (80 %)'"));
    assert_non_null(strstr(code, "model_x[5] = 85.3")); /* a ring for the one with a model, */
    assert_non_null(strstr(code, "model_x[4] = 0\n"));  /* none for the others */
    assert_non_null(strstr(code, "'memory  20.0 GB/s'"));
    assert_null(strstr(code, "impossible"));
    assert_null(strstr(data, "impossible"));
    assert_true(run_dir_has("plots/roofline-cpu.png") && run_dir_has("plots/roofline-cpu.svg"));
    free(code);
    free(data);
}

/* Six samples on a busy machine: the interval of the time reaches 0, and that of the rate has no upper end. */
static void an_interval_without_an_end_leaves_the_axis_finite(void **state)
{
    (void)state;
    static struct picture picture;
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_plot_request request = {run_dir(), "Test CPU, 2 cores", false, NULL, NULL};
    make_picture(&picture);
    picture.row[3].gflops_lo = 12;
    picture.row[3].gflops_hi = INFINITY;
    const enum duel_status status = plot_roofline(&request, &picture.report, &why);
    if (status == DUEL_SKIP)
        skip(); /* no gnuplot */
    if (status != DUEL_OK)
        fail_msg("%s", why.seen);
    char *code = run_dir_text("plots/roofline-cpu.gp");
    assert_non_null(strstr(code, "\ny_high = 360\n")); /* 1.8 times the peak of 200 */
    free(code);
}

static void the_dictionary_is_that_of_the_readme(void **state)
{
    (void)state;
    static const struct duel_sheet *const sheets[] = {&roof_sheet, &placement_sheet};
    char *readme = file_text("reports/README.md");
    assert_non_null(readme);
    for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        sheet_dictionary(sheets[i], stream);
        fclose(stream);
        if (!strstr(readme, text))
            fail_msg("reports/README.md should have:\n%s", text);
        free(text);
    }
    free(readme);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_names_roofs_and_limits),
        cmocka_unit_test(a_busy_machine_is_told),
        RUN_DIR_TEST(the_picture_has_roofs_and_points),
        RUN_DIR_TEST(an_interval_without_an_end_leaves_the_axis_finite),
        cmocka_unit_test(the_dictionary_is_that_of_the_readme),
    };
    return cmocka_run_group_tests_name("roofline", tests, NULL, NULL);
}
