/* shape.c: sizes as they are typed, in extents and in words. */
#include "bench/workload/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct duel_problem apply(const char *workload, struct duel_shape shape)
{
    struct duel_problem problem = {.alpha = 1};
    assert_true(shape_apply(workload_find(workload, strlen(workload)), &shape, &problem));
    return problem;
}

static void n_sets_what_the_workload_says(void **state)
{
    (void)state;
    const struct duel_problem gemm = apply("gemm", (struct duel_shape){512, 512, 512, 1, 0});
    const struct duel_problem axpy = apply("axpy", (struct duel_shape){512, 512, 512, 1, 0});
    assert_true(gemm.m == 512 && gemm.n == 512 && gemm.k == 512 && gemm.count == 1);
    assert_true(axpy.m == 512 && axpy.n == 1 && axpy.k == 1 && axpy.count == 1);
    assert_true(shape_by_n("gemm", &gemm) && shape_by_n("axpy", &axpy));
    assert_true(shape_size("gemm", &gemm) == 512 && shape_size("axpy", &axpy) == 512);
    assert_false(shape_same(&gemm, &axpy));
}

static void shape_needs_as_many_extents_as_the_workload_has(void **state)
{
    (void)state;
    struct duel_problem problem = {.alpha = 1};
    const struct duel_problem gemm = apply("gemm", (struct duel_shape){3, 4, 5, 1, 3});
    assert_true(gemm.m == 3 && gemm.n == 4 && gemm.k == 5);
    assert_false(shape_apply(workload_find("gemm", 4), &(struct duel_shape){3, 4, 1, 1, 2}, &problem));
    assert_false(shape_apply(workload_find("axpy", 4), &(struct duel_shape){3, 4, 5, 1, 3}, &problem));
    assert_true(apply("axpy", (struct duel_shape){7, 1, 1, 1, 1}).m == 7);
}

static void sizes_are_told_as_they_are_typed(void **state)
{
    (void)state;
    char text[100];
    const struct duel_problem square = {.m = 8, .n = 8, .k = 8, .count = 1};
    const struct duel_problem other = {.m = 1000, .n = 10, .k = 500, .count = 1};
    const struct duel_problem vector = {.m = 99, .n = 1, .k = 1, .count = 1};
    assert_string_equal(shape_words("gemm", &square, text, sizeof text), "n = 8");
    assert_string_equal(shape_words("gemm", &other, text, sizeof text), "m x n x k = 1000 x 10 x 500");
    assert_string_equal(shape_words("axpy", &vector, text, sizeof text), "m = 99");
    assert_string_equal(shape_words("of another version", &square, text, sizeof text), "n = 8");
    assert_string_equal(shape_axis("gemm", true, text, sizeof text), "n (m = n = k)");
    assert_string_equal(shape_axis("gemm", false, text, sizeof text), "m n k");
    assert_string_equal(shape_axis("axpy", true, text, sizeof text), "m");
    assert_string_equal(shape_typed("gemm", &other, text, sizeof text), "1000x10x500");
    assert_string_equal(shape_typed("gemm", &square, text, sizeof text), "8");
    assert_string_equal(shape_words("gemm", &other, text, 12), "m x n x k =");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(n_sets_what_the_workload_says),
        cmocka_unit_test(shape_needs_as_many_extents_as_the_workload_has),
        cmocka_unit_test(sizes_are_told_as_they_are_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
