/* Footnotes: one number for one text, however often it is noted; and headings across a table do not widen it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/report/grid.h"
#include "bench/report/notes.h"

static void the_same_text_has_one_number(void **state)
{
    (void)state;
    struct duel_notes notes = {.count = 0};
    assert_int_equal(notes_add(&notes, "%s", "first"), 1);
    assert_int_equal(notes_add(&notes, "second of %d", 2), 2);
    assert_int_equal(notes_add(&notes, "first"), 1);
    for (int i = 0; i < NOTES_MOST; i++)
        notes_add(&notes, "number %d", i);
    assert_int_equal(notes.count, NOTES_MOST);
    assert_int_equal(notes_add(&notes, "no room"), 0);
    assert_int_equal(notes_add(&notes, "second of 2"), 2);
}

static void a_heading_does_not_widen_its_table(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct duel_console console = {.columns = 80};
    struct duel_grid grid = {.left = 1};
    assert_non_null(stream);
    grid_row(&grid, SHADE_BOLD);
    grid_cell(&grid, "n");
    grid_cell(&grid, "s");
    grid_heading(&grid, "a heading as long as this");
    grid_row(&grid, SHADE_PLAIN);
    grid_cell(&grid, "64");
    grid_cell(&grid, "1.5");
    grid_print(&grid, stream, &console);
    grid_free(&grid);
    fclose(stream);
    assert_string_equal(text, "  n     s\n  a heading as long as this\n  64  1.5\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_text_has_one_number),
        cmocka_unit_test(a_heading_does_not_widen_its_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
