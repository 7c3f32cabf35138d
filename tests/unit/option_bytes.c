/* --bytes, and a command's own default for an option. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/option_give.h"

static void sizes_and_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t lo, hi, factor;
    } table[] = {
        {"1", 1, 1, 2},
        {"4096", 4096, 4096, 2},
        {"4K", 4096, 4096, 2},
        {"64MiB", 64 << 20, 64 << 20, 2},
        {"4K:1G:x4", 4096, 1 << 30, 4},
        {"1000:1000:x10", 1000, 1000, 10},
        {"65536G", (int64_t)1 << 46, (int64_t)1 << 46, 2},
    };
    struct duel_options o;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        option_accept("--bytes", table[i].text, &o);
        assert_true(o.bytes_lo == table[i].lo && o.bytes_hi == table[i].hi && o.bytes_factor == table[i].factor);
    }
    options_defaults(&o);
    assert_true(o.bytes_lo == 4096 && o.bytes_hi == 1 << 30 && o.bytes_factor == 4);
}

static void wrong_sizes_are_named(void **state)
{
    (void)state;
    option_refuse("--bytes", "", "is empty");
    option_refuse("--bytes", "0", "is too small");
    option_refuse("--bytes", "K", "does not begin with a number");
    option_refuse("--bytes", "-4K", "does not begin with a number");
    option_refuse("--bytes", "4k", "has an unknown unit");
    option_refuse("--bytes", "4T", "has an unknown unit");
    option_refuse("--bytes", "65537G", "is too large");
    option_refuse("--bytes", "99999999999999999999999", "is too large");
    option_refuse("--bytes", "4K:1M", "is not followed by a factor");
    option_refuse("--bytes", "1M:4K:x4", "ends below where it starts");
    option_refuse("--bytes", "4K:1M:4", "is not a factor");
    option_refuse("--bytes", "4K:1M:x1", "is not a factor");
    option_refuse("--bytes", "4K:1M:x", "is not a factor");
    option_refuse("--bytes", "4K:1M:", "is not a factor");
    option_refuse("--bytes", "4K::x4", "is empty");
}

static void a_command_may_have_its_own_default(void **state)
{
    (void)state;
    static const char *const accepted[] = {"--out=elsewhere", "--quiet", NULL};
    char out[] = "--out", here[] = "here", wrong[] = "--otu", *text = NULL;
    char *given[] = {out, here}, *mistyped[] = {wrong, here};
    struct duel_options o;
    struct duel_why why = {{0}, {0}, {0}};
    options_defaults(&o);
    assert_int_equal(options_parse(0, NULL, 0, accepted, &o, &why), DUEL_OK);
    assert_string_equal(o.out, "elsewhere");
    assert_int_equal(options_parse(2, given, 0, accepted, &o, &why), DUEL_OK);
    assert_string_equal(o.out, "here");
    assert_int_equal(options_parse(2, mistyped, 0, accepted, &o, &why), DUEL_EINVAL);
    assert_non_null(strstr(why.next, "did you mean --out?"));
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    options_help(accepted, stream);
    fclose(stream);
    assert_non_null(strstr(text, "(default elsewhere)"));
    assert_null(strstr(text, "reports/latest"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_ranges),
        cmocka_unit_test(wrong_sizes_are_named),
        cmocka_unit_test(a_command_may_have_its_own_default),
    };
    return cmocka_run_group_tests_name("option_bytes", tests, NULL, NULL);
}
