/* random.c: the generator against its published numbers, and the shapes that are made from it. */
#include "bench/stats/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The test vector of the reference implementation (prng.di.unimi.it, splitmix64.c). */
static void the_sequence_is_that_of_splitmix(void **state)
{
    (void)state;
    uint64_t seed = 1234567;
    assert_true(random_next(&seed) == 6457827717110365317u);
    assert_true(random_next(&seed) == 3203168211198807973u);
    assert_true(random_next(&seed) == 9817491932198370423u);
}

static void every_number_below_the_limit_comes_equally_often(void **state)
{
    (void)state;
    int seen[7] = {0};
    uint64_t seed = 1;
    for (int i = 0; i < 70000; i++)
        seen[random_below(&seed, 7)]++;
    for (int i = 0; i < 7; i++)
        assert_true(seen[i] > 9700 && seen[i] < 10300); /* three standard errors */
    assert_int_equal(random_below(&seed, 1), 0);
}

static void units_and_normals_have_their_moments(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    double unit = 0, sum = 0, squares = 0, tail = 0;
    uint64_t seed = 2;
    for (int i = 0; i < COUNT; i++) {
        const double u = random_unit(&seed), z = random_normal(&seed);
        assert_true(u > 0 && u < 1);
        unit += u;
        sum += z;
        squares += z * z;
        tail += fabs(z) > 1.959964;
    }
    assert_true(fabs(unit / COUNT - 0.5) < 0.003);
    assert_true(fabs(sum / COUNT) < 0.01);
    assert_true(fabs(squares / COUNT - 1) < 0.015);
    assert_true(fabs(tail / COUNT - 0.05) < 0.003);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sequence_is_that_of_splitmix),
        cmocka_unit_test(every_number_below_the_limit_comes_equally_often),
        cmocka_unit_test(units_and_normals_have_their_moments),
    };
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
