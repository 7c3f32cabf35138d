/* selftest_verifier.c: do the tests of the verifier notice when something is wrong? Implementations that are right,
 * wrong, and idle on the CPU. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/selftest/faults.h"
#include "bench/selftest/selftest.h"
#include "bench/selftest/twins.h"
#include "tests/negative/faults.h"

static enum duel_status run_wrong(const struct duel_call *call)
{
    enum duel_status status = fault_right(call);
    ((float *)call->operand[DUEL_C])[1] += 0.5f;
    return status;
}

static enum duel_status run_idle(const struct duel_call *call)
{
    (void)call;
    return DUEL_OK;
}

#define FP32_TYPES                          \
    {                                       \
        {                                   \
            DUEL_FP32, DUEL_FP32, DUEL_FP32 \
        }                                   \
    }
static const struct duel_impl right = {.name = "cpu/gemm/right", .types = FP32_TYPES, .run = fault_right};
static const struct duel_impl wrong = {.name = "cpu/gemm/wrong", .types = FP32_TYPES, .run = run_wrong};
static const struct duel_impl idle = {.name = "cpu/gemm/idle", .types = FP32_TYPES, .run = run_idle};

/* Runs a test on a CPU that has only these implementations. */
static struct selftest_finding find(const char *name, const struct duel_impl *const *impls)
{
    struct duel_registry registry = {.count = 1};
    struct duel_place *place = &registry.place[0];
    struct selftest_scene scene = {.registry = &registry, .seed = 3};
    struct selftest_finding finding;
    const struct selftest *test = selftest_table;
    *place = (struct duel_place){.id = "cpu", .backend = &cpu_backend, .impls = impls};
    cpu_backend.describe(0, &place->info);
    while (test->name && strcmp(test->name, name) != 0)
        test++;
    assert_non_null(test->name);
    assert_true(test->verifier);
    selftest_run(&scene, test, place, &finding);
    selftest_free(&scene);
    cpu_backend.close(place->device);
    return finding;
}

static void right_answers_pass_and_their_faults_do_not(void **state)
{
    (void)state;
    static const struct duel_impl *const impls[] = {&right, NULL};
    int faults = 0;
    while (selftest_fault_table[faults].name)
        faults++;
    struct selftest_finding finding = find("accepts", impls);
    assert_int_equal(finding.verdict, SELFTEST_TRUE);
    assert_true(finding.value == 15); /* three kinds of data, five seeds */
    finding = find("rejects", impls);
    assert_int_equal(finding.verdict, SELFTEST_TRUE);
    assert_true(finding.value == faults);
}

static void a_wrong_implementation_is_named(void **state)
{
    (void)state;
    static const struct duel_impl *const impls[] = {&right, &wrong, NULL};
    struct selftest_finding finding = find("accepts", impls);
    assert_int_equal(finding.verdict, SELFTEST_FALSE);
    assert_non_null(strstr(finding.why.seen, "15 of 30 were rejected, first cpu/gemm/wrong"));
}

/* Of the zoo only the smallest problems, to be quick. */
static enum duel_status supports_few(const struct duel_problem *problem, const struct duel_device_info *device,
                                     struct duel_why *why)
{
    (void)device;
    return problem->m * problem->n * problem->k == 6 ? DUEL_OK
                                                     : duel_fail(why, DUEL_SKIP, NULL, NULL, "not six products");
}

static void the_zoo_is_gone_through_with_twenty_seeds(void **state)
{
    (void)state;
    struct duel_impl small = right, small_wrong = wrong;
    const struct duel_impl *impls[] = {&small, NULL, NULL};
    small.supports = small_wrong.supports = supports_few;
    struct selftest_finding finding = find("zoo", impls);
    assert_int_equal(finding.verdict, SELFTEST_TRUE);
    assert_true(finding.value == 0);
    /* One shape, padded or not, nine pairs of scalars, two kinds of data. */
    assert_non_null(strstr(finding.why.seen, "0 of 720 answers of the zoo with 20 seeds"));
    impls[1] = &small_wrong;
    finding = find("zoo", impls);
    assert_int_equal(finding.verdict, SELFTEST_FALSE);
    assert_true(finding.value > 0);
    assert_non_null(strstr(finding.why.seen, "first cpu/gemm/wrong"));
}

/* They stand in the program beside this one. */
static void wrong_implementations_are_counted(void **state)
{
    (void)state;
    static const struct duel_impl *const impls[] = {&right, NULL};
    int faults = 0;
    while (fault_table[faults].name)
        faults++;
    const struct selftest_finding finding = find("negative", impls);
    assert_int_equal(finding.verdict, SELFTEST_TRUE);
    assert_true(finding.value == faults);
}

/* Otherwise an implementation that is wrong anyway would make every fault look found. */
static void a_fault_counts_only_in_a_right_answer(void **state)
{
    (void)state;
    static const struct duel_impl *const impls[] = {&idle, NULL};
    struct selftest_finding finding = find("rejects", impls);
    assert_int_equal(finding.verdict, SELFTEST_FALSE);
    assert_true(finding.value == 0);
}

static void nothing_to_test_is_not_true(void **state)
{
    (void)state;
    static const struct duel_impl *const impls[] = {NULL};
    assert_int_equal(find("accepts", impls).verdict, SELFTEST_ABSENT);
    assert_int_equal(find("rejects", impls).verdict, SELFTEST_ABSENT);
}

/* How far apart they are is for `duel selftest` to judge; here only that they are measured, and who is slower. */
static void twins_are_measured_by_the_runner(void **state)
{
    (void)state;
    static const struct duel_impl *const impls[] = {NULL};
    struct duel_place place = {.id = "cpu", .backend = &cpu_backend, .impls = impls};
    struct duel_why why;
    struct twin_cell cell;
    cpu_backend.describe(0, &place.info);
    assert_int_equal(place_open(&place, &why), DUEL_OK);
    twins_measure(&place, 64, 1, &cell);
    cpu_backend.close(place.device);
    if (!cell.measured)
        fail_msg("%s", cell.reason);
    assert_true(cell.same.value > 0.8 && cell.same.value < 1.25);
    assert_true(cell.slowed.value < cell.same.value);
    assert_true(cell.slowed.lo <= cell.slowed.value && cell.slowed.value <= cell.slowed.hi);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_answers_pass_and_their_faults_do_not),
        cmocka_unit_test(a_wrong_implementation_is_named),
        cmocka_unit_test(a_fault_counts_only_in_a_right_answer),
        cmocka_unit_test(nothing_to_test_is_not_true),
        cmocka_unit_test(the_zoo_is_gone_through_with_twenty_seeds),
        cmocka_unit_test(wrong_implementations_are_counted),
        cmocka_unit_test(twins_are_measured_by_the_runner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
