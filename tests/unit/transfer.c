/* transfer.c: what is written and drawn about copies: curves, records, table, picture. No number here was measured. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/record/runfile.h"
#include "bench/report/transfer.h"
#include "tests/unit/rows.h"
#include "tests/unit/run_dir.h"

enum { SIZES = 10, KINDS = 6, FAILED_AT = 5 };

static const struct {
    enum duel_way way;
    const char *memory;
    double fixed_s, rate;
} kind[KINDS] = {
    {WAY_H2D, "pageable", 25e-6, 12e9}, {WAY_H2D, "pinned", 9e-6, 55e9},   {WAY_D2H, "pageable", 30e-6, 10e9},
    {WAY_D2H, "pinned", 10e-6, 50e9},   {WAY_BOTH, "pinned", 12e-6, 48e9}, {WAY_OVERLAPPED, "pinned", 100e-6, 46e9},
};

struct sweep {
    struct duel_transfer row[SIZES * KINDS];
    struct duel_transfer_curve curve[KINDS];
    struct duel_link link;
};

static struct duel_transfer made(int size, int which)
{
    struct duel_transfer row;
    int64_t bytes = (int64_t)4096 << (2 * size);
    double seconds = kind[which].fixed_s + (double)bytes / kind[which].rate;
    transfer_init(&row, kind[which].way, kind[which].memory, bytes);
    snprintf(row.device, sizeof row.device, "cuda:0");
    for (int i = 0; i < 9; i++) {
        samples_add(&row.time_s, seconds * (1 + 0.002 * (i - 4)));
        samples_add(&row.host_time_s, seconds * 1.01);
    }
    row.batch = 3;
    transfer_summarise(&row);
    if (kind[which].way == WAY_OVERLAPPED && size < 4)
        transfer_fail(&row, DUEL_SKIP, "too small to be cut");
    if (which == 2 && size == FAILED_AT)
        transfer_fail(&row, DUEL_EVERIFY, "wrong bytes after timing: byte 7 went as 1 and came back as 2");
    return row;
}

static void make(struct sweep *sweep, double generation)
{
    link_pcie(&sweep->link, generation, 16, "nobody asked");
    for (int s = 0; s < SIZES; s++) {
        struct duel_transfer *row = &sweep->row[s * KINDS];
        for (int k = 0; k < KINDS; k++)
            row[k] = made(s, k);
        transfer_overlap(&row[4], &row[1], &row[3]);
        transfer_overlap(&row[5], &row[1], &row[3]);
    }
    for (int k = 0; k < KINDS; k++)
        transfer_curve_of(&sweep->curve[k], sweep->row, SIZES * KINDS, kind[k].way, kind[k].memory, &sweep->link);
}

static void drop(struct sweep *sweep)
{
    for (int i = 0; i < SIZES * KINDS; i++)
        transfer_free(&sweep->row[i]);
}

static struct duel_transfer_report report_of(const struct sweep *sweep)
{
    return (struct duel_transfer_report){"cuda:0",      "Test GPU",   "transfer", sweep->row,
                                         SIZES * KINDS, sweep->curve, KINDS,      &sweep->link};
}

static char *table(const struct sweep *sweep)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct duel_transfer_report report = report_of(sweep);
    table_transfer(stream, &report);
    fclose(stream);
    return text;
}

static void links_by_generation(void **state)
{
    (void)state;
    static const double per_lane[] = {0.25, 0.5, 0.985, 1.969, 3.938, 8.0};
    struct duel_link link;
    for (int g = 1; g <= 6; g++) {
        link_pcie(&link, g, 8, "");
        assert_true(fabs(link.gbps - 8 * per_lane[g - 1]) < 0.01 * link.gbps);
    }
    link_pcie(&link, 9, 16, "");
    assert_true(isnan(link.gbps));
    assert_non_null(strstr(link.why, "generation 9"));
    link_pcie(&link, NAN, NAN, "nobody asked");
    assert_string_equal(link.why, "nobody asked");
    link_pcie(&link, 4, 0, "no lanes");
    assert_string_equal(link.why, "no lanes");
}

static void curves_pass_over_what_failed(void **state)
{
    (void)state;
    struct sweep sweep;
    make(&sweep, 5);
    assert_int_equal(sweep.curve[2].points, SIZES - 1);
    assert_int_equal(sweep.curve[5].points, SIZES - 4);
    for (int k = 0; k < 5; k++)
        assert_true(fabs(sweep.curve[k].fixed_cost_s - kind[k].fixed_s) < 1e-3 * kind[k].fixed_s);
    assert_true(fabs(sweep.curve[4].link_gbps - 2 * sweep.link.gbps) < 1e-9);
    drop(&sweep);
}

static void the_table_shows_rates_reasons_and_no_wrong_number(void **state)
{
    (void)state;
    struct sweep sweep;
    make(&sweep, 5);
    char *text = table(&sweep);
    static const char *const words[] = {"PCIe 5 x16 carries 63.0 GB/s", "FAILED", "came back as 2", "h2d pinned",
                                        "too small to be cut",          "9.00 ",  "1 GiB"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strstr(text, words[i]))
            fail_msg("no \"%s\" in:\n%s", words[i], text);
    assert_null(strstr(text, "nan"));
    free(text);
    drop(&sweep);
    make(&sweep, NAN);
    text = table(&sweep);
    assert_non_null(strstr(text, "percent of the link is unknown: nobody asked"));
    assert_null(strstr(text, "nan"));
    free(text);
    drop(&sweep);
}

static void records_hold_what_is_known_and_why_not(void **state)
{
    (void)state;
    struct sweep sweep;
    struct duel_runfile *file;
    struct duel_why why;
    make(&sweep, NAN);
    assert_int_equal(runfile_open_sheet(&file, run_dir(), NULL, NULL, &transfer_sheet, &why), DUEL_OK);
    for (int i = 0; i < SIZES * KINDS; i++)
        assert_int_equal(runfile_row(file, &transfer_sheet, &sweep.row[i], &why), DUEL_OK);
    assert_int_equal(runfile_row(file, &transfer_curve_sheet, &sweep.curve[1], &why), DUEL_OK);
    assert_int_equal(runfile_end(file, "done", 0, &why), DUEL_OK);
    runfile_close(file);
    char *json = run_dir_text("run.jsonl"), *csv = run_dir_text("run.csv");
    size_t lines = 0;
    for (const char *c = csv; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 1 + SIZES * KINDS); /* the curve is a record of another kind */
    assert_memory_equal(csv, "device,way,memory,bytes,status,", 31);
    assert_non_null(strstr(json, "\"link_gbps_why\":\"nobody asked\""));
    assert_null(strstr(json, "\"link_percent\""));
    const char *wrong = strstr(json, "\"status\":\"FAILED\"");
    assert_non_null(wrong);
    const char *end = strchr(wrong, '\n'), *number = strstr(wrong, "gbps");
    assert_true(!number || number > end);
    free(json);
    free(csv);
    drop(&sweep);
}

static char *line_of(const struct duel_transfer *row)
{
    struct duel_record record;
    size_t size = 0;
    record_init(&record, "transfer");
    sheet_record(&transfer_sheet, row, &record);
    char *line = record_line(&record, &size);
    assert_non_null(line);
    line[size - 1] = '\0'; /* where the newline was */
    record_free(&record);
    return line;
}

static void ends_of_intervals_that_are_not_there_say_why(void **state)
{
    (void)state;
    struct sweep sweep;
    make(&sweep, 5);
    struct duel_transfer row = sweep.row[0];
    row.time.ci_lo = 0; /* as a clock that stood still gives it */
    row.gbps_hi = INFINITY;
    char *json = line_of(&row);
    assert_non_null(strstr(json, "\"gbps_hi_why\":\"the interval of its time begins at 0: too short to tell\""));
    assert_non_null(strstr(json, "\"time_ci_lo_s_why\":\"the interval of its time begins at 0: too short to tell\""));
    assert_null(strstr(json, "\"gbps_lo_why\""));
    free(json);
    row.time.ci_lo = row.time.ci_hi = row.gbps_lo = row.gbps_hi = NAN; /* as few samples give it */
    json = line_of(&row);
    assert_non_null(strstr(json, "\"gbps_lo_why\":\"5 samples or fewer cannot give a 95 % interval\""));
    assert_non_null(strstr(json, "\"time_ci_hi_s_why\":\"5 samples or fewer cannot give a 95 % interval\""));
    assert_null(strstr(json, "gbps_why"));
    free(json);
    drop(&sweep);
}

static void the_picture_has_a_line_per_way(void **state)
{
    (void)state;
    struct sweep sweep;
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_plot_request request = {run_dir(), "Test CPU, 8 cores", false, NULL, NULL};
    make(&sweep, 5);
    struct duel_transfer_report report = report_of(&sweep);
    enum duel_status status = plot_transfer(&request, &report, &why);
    if (status == DUEL_SKIP)
        skip(); /* no gnuplot */
    if (status != DUEL_OK)
        fail_msg("%s", why.seen);
    char *code = run_dir_text("plots/transfer.gp"), *data = run_dir_text("plots/transfer.dat");
    assert_non_null(strstr(code, "\ncurves = 6\n"));
    assert_non_null(strstr(code, "Test CPU, 8 cores + Test GPU"));
    assert_non_null(strstr(code, "fixed cost of a copy: 9.00"));
    assert_non_null(strstr(code, "'PCIe 5 x16  63.0'"));
    assert_non_null(strstr(code, "\nmarks = 6\n"));
    assert_true(run_dir_has("plots/transfer.png") && run_dir_has("plots/transfer.svg"));
    assert_null(strstr(data, "nan"));
    free(code);
    free(data);
    drop(&sweep);
}

static void the_dictionary_is_that_of_the_readme(void **state)
{
    (void)state;
    static const struct duel_sheet *const sheets[] = {&transfer_sheet, &transfer_curve_sheet};
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
        cmocka_unit_test(links_by_generation),
        cmocka_unit_test(curves_pass_over_what_failed),
        cmocka_unit_test(the_table_shows_rates_reasons_and_no_wrong_number),
        RUN_DIR_TEST(records_hold_what_is_known_and_why_not),
        cmocka_unit_test(ends_of_intervals_that_are_not_there_say_why),
        RUN_DIR_TEST(the_picture_has_a_line_per_way),
        cmocka_unit_test(the_dictionary_is_that_of_the_readme),
    };
    return cmocka_run_group_tests_name("transfer", tests, NULL, NULL);
}
