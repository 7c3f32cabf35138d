/* csv.c: quoting, numbers that round trip, and rows that must not show a number. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/record/csv.h"
#include "tests/unit/rows.h"

static char *text_cell(const char *text)
{
    char *cell = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&cell, &size);
    csv_text(stream, text);
    fclose(stream);
    return cell;
}

static void check_cell(const char *text, const char *expected)
{
    char *cell = text_cell(text);
    assert_string_equal(cell, expected);
    free(cell);
}

static void quotes_as_the_rfc_says(void **state)
{
    (void)state;
    check_cell("plain", "plain");
    check_cell("a,b", "\"a,b\"");
    check_cell("say \"no\"", "\"say \"\"no\"\"\"");
    check_cell("two\nlines", "\"two\nlines\"");
    check_cell("", "");
}

static void formulas_are_disarmed(void **state)
{
    (void)state;
    check_cell("=1+1", "'=1+1");
    check_cell("+1", "'+1");
    check_cell("-1", "'-1");
    check_cell("@SUM(A1)", "'@SUM(A1)");
    check_cell("=cmd(\"a\",1)", "\"'=cmd(\"\"a\"\",1)\"");
    check_cell("\tx", "'\tx");
    check_cell("a=1", "a=1");
}

static void numbers_round_trip(void **state)
{
    (void)state;
    static const double values[] = {0.1, 1.0 / 3, 1e-300, 5e-324, 1.7976931348623157e308, -0.25, 123456789012345678.0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char *cell = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&cell, &size);
        csv_real(stream, values[i]);
        fclose(stream);
        assert_true(strtod(cell, NULL) == values[i]);
        assert_null(strchr(cell, ','));
        free(cell);
    }
    char *cell = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&cell, &size);
    csv_real(stream, 0.1);
    fclose(stream);
    assert_string_equal(cell, "0.1"); /* the fewest digits */
    free(cell);
}

/* One line split at its commas into cells, quotes undone; the test's own reader. */
static size_t split(const char *line, char cell[][800], size_t most)
{
    size_t count = 0;
    while (count < most) {
        size_t used = 0;
        bool quoted = *line == '"';
        line += quoted;
        while (*line && *line != '\n' && (quoted || *line != ',') && used < 799) {
            if (quoted && *line == '"' && *++line != '"')
                break;
            cell[count][used++] = *line++;
        }
        cell[count++][used] = '\0';
        if (*line != ',')
            return count;
        line++;
    }
    return count;
}

/* Header and row as text, into *text, which the caller frees. */
static void csv_of(const struct duel_result *row, char **text)
{
    size_t size = 0;
    FILE *stream = open_memstream(text, &size);
    assert_non_null(stream);
    csv_header(stream);
    if (row)
        csv_result(stream, row);
    fclose(stream);
}

static void every_row_has_every_cell(void **state)
{
    (void)state;
    static char head[100][800], cell[100][800];
    struct duel_result row = row_cpu("cpu/gemm/openblas", 100, DUEL_FP32, 2, 1e-3, 0.01);
    snprintf(row.library, sizeof row.library, "OpenBLAS \"0.3\", openmp");
    char *text = NULL;
    csv_of(&row, &text);
    size_t columns = split(text, head, 100);
    assert_int_equal(split(strchr(text, '\n') + 1, cell, 100), columns);
    assert_true(columns > 50);
    assert_string_equal(head[0], "implementation");
    assert_string_equal(cell[0], "cpu/gemm/openblas");
    bool library = false, copies = false;
    for (size_t i = 0; i < columns; i++) {
        if (strcmp(head[i], "library") == 0)
            library = strcmp(cell[i], "OpenBLAS \"0.3\", openmp") == 0;
        if (strcmp(head[i], "h2d_median_s") == 0)
            copies = *cell[i] != '\0';
        if (strcmp(head[i], "kernel_median_s") == 0)
            assert_true(strtod(cell[i], NULL) == row.kernel.median);
        assert_string_not_equal(cell[i], "nan");
        assert_string_not_equal(cell[i], "inf");
    }
    assert_true(library);
    assert_false(copies);
    free(text);
    result_free(&row);
}

static void wrong_and_emulated_rows_show_no_time(void **state)
{
    (void)state;
    struct duel_result rows[] = {row_failed("cpu/gemm/serial", 64, "first error at (3, 5)"),
                                 row_emulated("gpu/gemm/tiled", 64)};
    for (size_t i = 0; i < 2; i++) {
        char *text = NULL;
        csv_of(&rows[i], &text);
        assert_null(strstr(text, "777"));
        assert_non_null(strstr(text, i == 0 ? "FAILED,\"first error at (3, 5)\"" : "emulated,verified,,"));
        free(text);
        result_free(&rows[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotes_as_the_rfc_says),
        cmocka_unit_test(formulas_are_disarmed),
        cmocka_unit_test(numbers_round_trip),
        cmocka_unit_test(every_row_has_every_cell),
        cmocka_unit_test(wrong_and_emulated_rows_show_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
