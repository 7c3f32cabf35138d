/* option_choice.c: an option that is one word of a list; its value is the word's position. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/matrix/matrix.h"
#include "bench/options/options.h"

static const char *const accepted[] = {"--order", "--cache", "--data", "--host-memory", NULL};

static enum duel_status give(char *name, char *value, struct duel_options *options, struct duel_why *why)
{
    char *argv[] = {"duel", "run", name, value};
    options_defaults(options);
    return options_parse(4, argv, 2, accepted, options, why);
}

static void words_become_their_constants(void **state)
{
    (void)state;
    struct duel_options options;
    struct duel_why why;
    options_defaults(&options);
    assert_int_equal(options.order, DUEL_ORDER_RANDOM);
    assert_int_equal(options.cache, DUEL_CACHE_AUTO);
    assert_int_equal(options.data, DUEL_UNIFORM);
    assert_int_equal(options.host_memory, DUEL_HOST_PINNED);
    assert_int_equal(give("--order", "abba", &options, &why), DUEL_OK);
    assert_int_equal(options.order, DUEL_ORDER_ABBA);
    assert_int_equal(give("--order", "listed", &options, &why), DUEL_OK);
    assert_int_equal(options.order, DUEL_ORDER_LISTED);
    assert_int_equal(give("--cache", "hot", &options, &why), DUEL_OK);
    assert_int_equal(options.cache, DUEL_CACHE_HOT);
    assert_int_equal(give("--cache", "flushed", &options, &why), DUEL_OK);
    assert_int_equal(options.cache, DUEL_CACHE_FLUSHED);
    assert_int_equal(give("--cache", "rotated", &options, &why), DUEL_OK);
    assert_int_equal(options.cache, DUEL_CACHE_ROTATED);
    assert_int_equal(give("--data", "integers", &options, &why), DUEL_OK);
    assert_int_equal(options.data, DUEL_INTEGERS);
    assert_int_equal(give("--data", "normal", &options, &why), DUEL_OK);
    assert_int_equal(options.data, DUEL_NORMAL);
    assert_int_equal(give("--data", "zeros", &options, &why), DUEL_OK);
    assert_int_equal(options.data, DUEL_ZEROS);
    assert_int_equal(give("--host-memory", "overlapped", &options, &why), DUEL_OK);
    assert_int_equal(options.host_memory, DUEL_HOST_OVERLAPPED);
}

static void other_words_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "ho", "hott", "HOT", "hot|flushed", "0"};
    struct duel_options options;
    struct duel_why why;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char word[32];
        snprintf(word, sizeof word, "%s", wrong[i]);
        assert_int_equal(give("--cache", word, &options, &why), DUEL_EINVAL);
        assert_non_null(strstr(why.seen, "--cache"));
        assert_non_null(strstr(why.next, "auto|hot|flushed|rotated"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_become_their_constants),
        cmocka_unit_test(other_words_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
