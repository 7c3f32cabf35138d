/* console.c: text for people: durations, names that may hold anything, messages that keep their reason, and terminals
 * that can show nothing. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/duel.h"
#include "bench/report/console.h"

static void durations_are_in_units_of_people(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } table[] = {{0.05, "0.05 s"},      {3.95, "3.95 s"}, {59.9, "59.9 s"},    {59.96, "1 min"}, {60, "1 min"},
                 {1050, "17 min 30 s"}, {3599.6, "1 h"},  {7500, "2 h 5 min"}, {86400, "24 h"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[32];
        format_duration(table[i].seconds, text, sizeof text);
        assert_string_equal(text, table[i].text);
    }
}

static void what_a_terminal_would_obey_is_shown(void **state)
{
    (void)state;
    char text[64];
    format_plain("a\033[31mb\tc\nd\177e\302\233f", text, sizeof text);
    assert_string_equal(text, "a\\x1b[31mb\\x09c\\x0ad\\x7fe\\xc2\\x9bf");
    format_plain("\303\274\302\265 \342\200\246", text, sizeof text); /* other characters stay as they are */
    assert_string_equal(text, "\303\274\302\265 \342\200\246");
    for (size_t size = 1; size < 40; size++) {
        memset(text, 'x', sizeof text);
        format_plain("\033\033\033\033\033\033\033\033", text, size);
        assert_true(strlen(text) < size);
    }
}

/* A path of any length stands in the middle; what is wrong with it stands at the end. */
static void long_names_do_not_push_out_the_reason(void **state)
{
    (void)state;
    struct duel_why why;
    for (int character = 0; character < 2; character++) {
        char name[6001] = "";
        for (size_t i = 0; i < 3000; i++)
            memcpy(name + 2 * i, character ? "\303\274" : "ab", 2);
        duel_fail(&why, DUEL_EIO, "", "", "--json x%s/out.jsonl cannot be written: No such file or directory", name);
        assert_true(strlen(why.seen) < sizeof why.seen);
        assert_true(strlen(why.seen) > sizeof why.seen - 8);
        assert_memory_equal(why.seen, "--json x", 8);
        assert_non_null(strstr(why.seen, "/out.jsonl cannot be written: No such file or directory"));
        const char *cut = strstr(why.seen, "...");
        assert_non_null(cut);
        if (character) /* no half of a character on either side */
            assert_true((cut[-1] & 0xC0) == 0x80 && (cut[3] & 0xC0) == 0xC0);
    }
    duel_fail(&why, DUEL_EIO, "", "", "short %s", "enough");
    assert_string_equal(why.seen, "short enough");
}

static void colours_need_a_terminal_that_has_them(void **state)
{
    (void)state;
    static const char *const terms[] = {NULL, "dumb", "xterm"};
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        skip();
    FILE *terminal = fopen(ptsname(master), "r+");
    assert_non_null(terminal);
    unsetenv("NO_COLOR");
    for (int i = 0; i < 3; i++) {
        if (terms[i])
            setenv("TERM", terms[i], 1);
        else
            unsetenv("TERM");
        assert_int_equal(console_of(terminal).colour, i == 2);
    }
    fclose(terminal);
    close(master);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_are_in_units_of_people),
        cmocka_unit_test(what_a_terminal_would_obey_is_shown),
        cmocka_unit_test(long_names_do_not_push_out_the_reason),
        cmocka_unit_test(colours_need_a_terminal_that_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
