/* The dictionaries of predictions, advice, scores and loads in reports/README.md are those of their tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "bench/buyer/advice.h"
#include "bench/buyer/forecast.h"
#include "bench/buyer/score.h"
#include "bench/record/soak.h"

static void the_readme_has_each_table(void **state)
{
    (void)state;
    enum { MOST = 1 << 20 };
    const struct duel_sheet *const sheets[] = {&forecast_sheet, &advice_sheet, &score_sheet, &soak_point_sheet,
                                               &soak_sheet};
    FILE *file = fopen("reports/README.md", "re");
    char *readme = calloc(1, MOST);
    assert_true(file && readme && fread(readme, 1, MOST - 1, file) > 0);
    fclose(file);
    for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        assert_non_null(stream);
        sheet_dictionary(sheets[i], stream);
        fclose(stream);
        if (!strstr(readme, text))
            fail_msg("reports/README.md should have for the record `%s`:\n%s", sheets[i]->kind, text);
        free(text);
    }
    free(readme);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_readme_has_each_table)};
    return cmocka_run_group_tests_name("sheets_buyer", tests, NULL, NULL);
}
