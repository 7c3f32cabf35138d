/* shares.c: what --budget and --quick leave of a plan of several workloads: never nothing of one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/harness/budget.h"
#include "bench/workload/shape.h"

#define CASES 4

static struct duel_backend host = {.name = "host"};
static const struct duel_impl impl = {.name = "x"};
static struct duel_place place = {.id = "cpu", .backend = &host, .info = {.usable = true}};

static void add_group(struct duel_plan *plan, const char *workload, int64_t n)
{
    struct duel_group *group = &plan->groups[plan->count++];
    *group = (struct duel_group){.workload = workload_find(workload, strlen(workload)), .count = CASES};
    group->cases = calloc(CASES, sizeof *group->cases);
    assert_non_null(group->cases);
    shape_apply(group->workload, &(struct duel_shape){.n = n}, &group->problem);
    group->problem.types = (struct duel_types){DUEL_FP32, DUEL_FP32, DUEL_FP32};
    workload_normalise(group->workload, &group->problem);
    workload_tight(group->workload, &group->problem);
    for (int i = 0; i < CASES; i++) {
        group->cases[i] = (struct duel_case){.place = &place, .impl = &impl, .name = "x", .problem = group->problem};
        plan->cases++;
        plan->runnable++;
    }
}

/* Three small vectors, and five sizes of matrices with far more work. */
static struct duel_plan made(void)
{
    struct duel_plan plan = {.groups = calloc(8, sizeof *plan.groups)};
    for (int64_t n = 1000; n <= 4000; n += 1500)
        add_group(&plan, "axpy", n);
    for (int64_t n = 64; n <= 1024; n *= 2)
        add_group(&plan, "gemm", n);
    return plan;
}

static bool runs(const struct duel_plan *plan, int group)
{
    return plan->groups[group].cases[0].skip[0] == '\0';
}

static void sizes_go_where_most_are(void **state)
{
    (void)state;
    struct duel_plan plan = made();
    double timeout_s = 3;
    char told[400];
    /* A case takes at least 0.18 s: 16 of them fit, four sizes of the eight. */
    plan_fit(&plan, 3, &timeout_s, told, sizeof told);
    assert_true(runs(&plan, 0) && runs(&plan, 1) && !runs(&plan, 2));
    assert_true(runs(&plan, 3) && runs(&plan, 4) && !runs(&plan, 5) && !runs(&plan, 6) && !runs(&plan, 7));
    assert_string_equal(told, "to fit the budget of 3 s: at most 0.11 s per case instead of 3 s, and the largest sizes "
                              "are left out: 1 of axpy, 3 of gemm");
    assert_string_equal(plan.groups[7].cases[3].skip, "left out so that the others fit the budget of 3 s (--budget)");
    plan_free(&plan);
}

static void the_smallest_of_each_stays(void **state)
{
    (void)state;
    struct duel_plan plan = made();
    double timeout_s = 3;
    char told[400];
    plan_fit(&plan, 0.01, &timeout_s, told, sizeof told);
    for (int g = 0; g < plan.count; g++)
        assert_true(runs(&plan, g) == (g == 0 || g == 3));
    assert_true(timeout_s == BUDGET_SHORTEST_S);
    plan_free(&plan);
}

static void time_enough_changes_nothing(void **state)
{
    (void)state;
    struct duel_plan plan = made();
    double timeout_s = 3;
    char told[400];
    plan_fit(&plan, 1000, &timeout_s, told, sizeof told);
    assert_true(timeout_s == 3 && told[0] == '\0');
    for (int g = 0; g < plan.count; g++)
        assert_true(runs(&plan, g));
    plan_free(&plan);
}

static void a_first_look_has_two_sizes_of_each(void **state)
{
    (void)state;
    struct duel_plan plan = made();
    plan_quicken(&plan);
    for (int g = 0; g < plan.count; g++)
        assert_true(runs(&plan, g) == (g == 1 || g == 2 || g == 4 || g == 6));
    assert_string_equal(plan.groups[0].cases[0].skip, "left out for a first look (--quick)");
    plan_free(&plan);
    for (int sizes = 1; sizes <= 2; sizes++) { /* fewer than two: all */
        struct duel_plan small = {.groups = calloc(2, sizeof *small.groups)};
        for (int i = 0; i < sizes; i++)
            add_group(&small, "gemm", 64 + i);
        plan_quicken(&small);
        for (int i = 0; i < sizes; i++)
            assert_true(runs(&small, i));
        plan_free(&small);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_go_where_most_are),
        cmocka_unit_test(the_smallest_of_each_stays),
        cmocka_unit_test(time_enough_changes_nothing),
        cmocka_unit_test(a_first_look_has_two_sizes_of_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
