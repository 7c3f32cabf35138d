/* crossing.c: break-even by bisection, on functions whose crossing is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/harness/crossing.h"
#include "bench/record/break_even.h"
#include "tests/unit/rows.h"

#define S SIDE_SLOWER
#define U SIDE_UNDECIDED
#define F SIDE_FASTER

/* The speed-up at n is n / crossing, and its interval reaches `spread` to either side. */
struct world {
    double crossing, spread;
    int asked, fail_from;
};

static enum duel_side side_of(const struct world *world, int64_t n)
{
    const double value = (double)n / world->crossing;
    return ratio_side(&(struct duel_ratio){value, value * (1 - world->spread), value * (1 + world->spread)});
}

static bool linear(void *context, int64_t n, enum duel_side *side)
{
    struct world *world = context;
    if (world->fail_from > 0 && ++world->asked >= world->fail_from)
        return false;
    *side = side_of(world, n);
    return true;
}

static const int64_t sizes[] = {128, 256, 512, 1024, 2048};

static struct duel_crossing find(struct world *world, double tolerance, int most)
{
    enum duel_side side[5];
    for (int i = 0; i < 5; i++)
        side[i] = side_of(world, sizes[i]);
    return crossing_find('n', sizes, side, 5, tolerance, most, linear, world);
}

static void only_an_interval_without_1_decides(void **state)
{
    (void)state;
    static const struct {
        struct duel_ratio ratio;
        enum duel_side side;
    } table[] = {{{2, 1.5, 3}, F},   {{0.5, 0.4, 0.6}, S}, {{1.1, 0.9, 1.3}, U}, {{0.9, 0.8, 1}, U},
                 {{1.1, 1, 1.2}, U}, {{2, NAN, NAN}, U},   {{0.5, NAN, NAN}, U}, {{NAN, NAN, NAN}, U},
                 {{2, 1.5, NAN}, U}, {{1, 1, 1}, U},       {{2, 2, 2}, F},       {{2, 1.5, INFINITY}, U}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(ratio_side(&table[i].ratio), table[i].side);
}

static void the_bracket_holds_the_crossing_and_is_narrow(void **state)
{
    (void)state;
    for (double at = 130; at < 2000; at += 37.7) {
        struct world world = {at, 0, 0, 0};
        struct duel_crossing crossing = find(&world, 0.1, 20);
        assert_true(crossing.found);
        assert_true((double)crossing.below < at && at < (double)crossing.above);
        assert_true((double)crossing.above <= 1.1 * (double)crossing.below || crossing.undecided > 0);
        assert_true(crossing.measured <= 5); /* a factor of 2 needs three halvings to be below 1.1 */
    }
}

/* Sizes within 10 % of the crossing prove nothing: the bracket spans them, and both its ends are near. */
static void the_bracket_spans_what_is_undecided(void **state)
{
    (void)state;
    for (double at = 180; at < 1700; at += 37.7) {
        struct world world = {at, 0.1, 0, 0};
        struct duel_crossing crossing = find(&world, 0.05, 40);
        assert_true(crossing.found && crossing.undecided > 0);
        assert_true((double)crossing.below < at / 1.1 && at / 0.9 < (double)crossing.above);
        assert_true((double)crossing.below * 1.06 > at / 1.1 && at / 0.9 * 1.06 > (double)crossing.above);
        assert_true(crossing.measured <= 12);
        assert_non_null(strstr(crossing.words, "undecided at "));
    }
}

static void outside_the_range_is_said_honestly(void **state)
{
    (void)state;
    static const struct {
        enum duel_side side[5];
        const char *words;
    } table[] = {
        {{S, S, S, S, S}, "not in the range measured: it does not pay up to n = 2048, the largest"},
        {{F, F, F, F, F}, "not in the range measured: it pays from n = 128, the smallest"},
        {{U, U, F, F, F}, "not in the range measured: it pays from n = 512, and no smaller size is decided"},
        {{S, S, U, U, U}, "not in the range measured: it does not pay up to n = 256, and no larger size is decided"},
        {{U, U, U, U, U}, "undecided at every size measured, n = 128 to 2048: each interval holds 1"},
        {{F, F, F, U, S},
         "not in the range measured: it does not pay at n = 2048, the largest, though it does at n = 512"},
        {{S, F, S, U, U},
         "not in the range measured: it does not pay at n = 512, and no larger size is decided, though "
         "it does at n = 256"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct duel_crossing crossing = crossing_find('n', sizes, table[i].side, 5, 0.1, 20, linear, NULL);
        assert_false(crossing.found);
        assert_int_equal(crossing.measured, 0);
        assert_string_equal(crossing.words, table[i].words);
    }
    struct duel_crossing crossing = crossing_find('n', sizes, NULL, 0, 0.1, 20, linear, NULL);
    assert_false(crossing.found);
    assert_string_equal(crossing.words, "nothing was measured");
}

static void it_stops_when_measuring_is_refused_or_limited(void **state)
{
    (void)state;
    struct world broke = {700, 0, 0, 2};
    struct duel_crossing crossing = find(&broke, 0.01, 20);
    assert_true(crossing.found);
    assert_int_equal(crossing.measured, 1);
    struct world world = {700, 0, 0, 0};
    crossing = find(&world, 0.0001, 3);
    assert_int_equal(crossing.measured, 3);
    crossing = crossing_find('n', sizes, (const enum duel_side[]){S, S, S, F, F}, 5, 0.1, 20, NULL, NULL);
    assert_true(crossing.found && crossing.below == 512 && crossing.above == 1024);
    assert_string_equal(crossing.words, "between n = 512 and n = 1024");
}

static void neighbours_cannot_be_narrowed(void **state)
{
    (void)state;
    struct world world = {2, 0, 0, 0};
    struct duel_crossing crossing =
        crossing_find('n', (const int64_t[]){1, 2}, (const enum duel_side[]){S, F}, 2, 0.01, 20, linear, &world);
    assert_true(crossing.found && crossing.below == 1 && crossing.above == 2 && crossing.measured == 0);
}

static void of_several_crossings_the_last_counts_and_the_first_is_told(void **state)
{
    (void)state;
    struct duel_crossing crossing =
        crossing_find('n', sizes, (const enum duel_side[]){S, F, S, U, F}, 5, 0.1, 0, linear, NULL);
    assert_true(crossing.found && crossing.below == 512 && crossing.above == 2048 && crossing.undecided == 1);
    assert_true(crossing.crossings == 2 && crossing.first_below == 128 && crossing.first_above == 256);
    assert_string_equal(crossing.words, "between n = 512 and n = 2048, undecided at 1 size between; the last of 2 "
                                        "crossings, the first is between n = 128 and n = 256");
}

/* Where the curve is not monotone, what is measured between may be on either side. */
static bool alternating(void *context, int64_t n, enum duel_side *side)
{
    int *asked = context;
    (void)n;
    *side = (enum duel_side)(++*asked % 3);
    return true;
}

static void any_answers_give_a_bracket(void **state)
{
    (void)state;
    for (int start = 0; start < 3; start++)
        for (int most = 0; most < 40; most++) {
            int asked = start;
            struct duel_crossing crossing =
                crossing_find('n', sizes, (const enum duel_side[]){S, U, U, U, F}, 5, 0.001, most, alternating, &asked);
            assert_true(crossing.found && crossing.below < crossing.above);
            assert_true(crossing.crossings >= 1 && crossing.measured <= most);
            assert_true(crossing.below >= 128 && crossing.above <= 2048);
        }
}

static void the_dictionary_is_that_of_the_readme(void **state)
{
    (void)state;
    char *text = NULL, *readme = file_text("reports/README.md");
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    sheet_dictionary(&break_even_sheet, stream);
    fclose(stream);
    assert_non_null(readme);
    if (!strstr(readme, text))
        fail_msg("reports/README.md should have:\n%s", text);
    free(text);
    free(readme);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_an_interval_without_1_decides),
        cmocka_unit_test(the_bracket_holds_the_crossing_and_is_narrow),
        cmocka_unit_test(the_bracket_spans_what_is_undecided),
        cmocka_unit_test(outside_the_range_is_said_honestly),
        cmocka_unit_test(it_stops_when_measuring_is_refused_or_limited),
        cmocka_unit_test(neighbours_cannot_be_narrowed),
        cmocka_unit_test(of_several_crossings_the_last_counts_and_the_first_is_told),
        cmocka_unit_test(any_answers_give_a_bracket),
        cmocka_unit_test(the_dictionary_is_that_of_the_readme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
