/* crossing.c: break-even by bisection, on functions whose crossing is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/harness/crossing.h"

struct world {
    double crossing; /* the speed-up is n / crossing */
    int asked, fail_from;
};

static bool linear(void *context, int64_t n, double *speedup)
{
    struct world *world = context;
    if (world->fail_from > 0 && ++world->asked >= world->fail_from)
        return false;
    *speedup = (double)n / world->crossing;
    return true;
}

static const int64_t sizes[] = {128, 256, 512, 1024, 2048};

static struct duel_crossing find(struct world *world, double tolerance, int most)
{
    double speedup[5];
    for (int i = 0; i < 5; i++)
        speedup[i] = (double)sizes[i] / world->crossing;
    return crossing_find(sizes, speedup, 5, tolerance, most, linear, world);
}

static void the_bracket_holds_the_crossing_and_is_narrow(void **state)
{
    (void)state;
    for (double at = 130; at < 2000; at += 37.7) {
        struct world world = {at, 0, 0};
        struct duel_crossing crossing = find(&world, 0.1, 20);
        assert_true(crossing.found);
        assert_true((double)crossing.below < at && at <= (double)crossing.above);
        assert_true((double)crossing.above <= 1.1 * (double)crossing.below);
        assert_true(crossing.measured <= 4); /* a factor of 2 needs three halvings to be below 1.1 */
    }
}

static void outside_the_range_is_said_honestly(void **state)
{
    (void)state;
    struct world never = {1e6, 0, 0}, always = {1, 0, 0};
    struct duel_crossing crossing = find(&never, 0.1, 20);
    assert_false(crossing.found);
    assert_non_null(strstr(crossing.why, "does not pay up to n = 2048"));
    crossing = find(&always, 0.1, 20);
    assert_false(crossing.found);
    assert_non_null(strstr(crossing.why, "pays from n = 128"));
    crossing = crossing_find(sizes, NULL, 0, 0.1, 20, linear, &never);
    assert_false(crossing.found);
}

static void it_stops_when_measuring_is_refused_or_limited(void **state)
{
    (void)state;
    struct world broke = {700, 0, 2};
    struct duel_crossing crossing = find(&broke, 0.01, 20);
    assert_true(crossing.found);
    assert_int_equal(crossing.measured, 1);
    struct world world = {700, 0, 0};
    crossing = find(&world, 0.0001, 3);
    assert_int_equal(crossing.measured, 3);
    crossing = crossing_find(sizes, (const double[]){0.1, 0.2, 0.5, 2, 3}, 5, 0.1, 20, NULL, NULL);
    assert_true(crossing.found && crossing.below == 512 && crossing.above == 1024);
}

static void neighbours_cannot_be_narrowed(void **state)
{
    (void)state;
    struct world world = {2, 0, 0};
    struct duel_crossing crossing =
        crossing_find((const int64_t[]){1, 2}, (const double[]){0.5, 1}, 2, 0.01, 20, linear, &world);
    assert_true(crossing.found && crossing.below == 1 && crossing.above == 2 && crossing.measured == 0);
}

static void of_several_crossings_the_last_counts(void **state)
{
    (void)state;
    struct duel_crossing crossing =
        crossing_find(sizes, (const double[]){0.5, 2, 0.9, 1.5, 3}, 5, 0.1, 0, linear, NULL);
    assert_true(crossing.found && crossing.below == 512 && crossing.above == 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bracket_holds_the_crossing_and_is_narrow),
        cmocka_unit_test(outside_the_range_is_said_honestly),
        cmocka_unit_test(it_stops_when_measuring_is_refused_or_limited),
        cmocka_unit_test(neighbours_cannot_be_narrowed),
        cmocka_unit_test(of_several_crossings_the_last_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
