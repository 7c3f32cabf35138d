/* mock_guard.c: the guard zones around C, on a device whose memory is not the host's. On the CPU, where it is, the
 * faults of tests/negative show them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/verify/stage.h"
#include "tests/mock/mock.h"

static float *end_of_c(const struct duel_call *call)
{
    return (float *)call->operand[DUEL_C] + call->problem->m * call->problem->ld[DUEL_C];
}

static enum duel_status run_before(const struct duel_call *call)
{
    ((float *)call->operand[DUEL_C])[-2] = 1;
    return mock_right.run(call);
}

static enum duel_status run_behind(const struct duel_call *call)
{
    end_of_c(call)[STAGE_GUARD / sizeof(float) - 1] = 1;
    return mock_right.run(call);
}

static enum duel_status run_last_element(const struct duel_call *call)
{
    enum duel_status status = mock_right.run(call);
    end_of_c(call)[-1] = 1; /* wrong, perhaps, but inside C */
    return status;
}

static const struct {
    enum duel_status (*run)(const struct duel_call *call);
    const char *words; /* NULL: it stays inside */
} table[] = {
    {run_before, "4 of the 4096 bytes before it changed, the nearest 5 bytes from it"},
    {run_last_element, NULL},
    {run_behind, "bytes behind it changed, the nearest 409"},
    {run_last_element, NULL}, /* the zones are good again */
};

static void zones_are_watched(void **state)
{
    (void)state;
    for (int beta = 0; beta < 2; beta++) {
        struct mock mock = {.device_scale = 1};
        struct duel_stage stage;
        struct duel_why why;
        const struct duel_problem problem = {.m = 3,
                                             .n = 5,
                                             .k = 4,
                                             .ld = {4, 5, 6},
                                             .alpha = 1,
                                             .beta = beta,
                                             .types = {DUEL_FP32, DUEL_FP32, DUEL_FP32}};
        assert_int_equal(
            stage_open(&stage, &mock_backend, &mock, DUEL_PAGEABLE, workload_find("gemm", 4), &problem, &why), DUEL_OK);
        assert_int_equal(stage_fill(&stage, DUEL_UNIFORM, 1, NULL, &why), DUEL_OK);
        for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
            const struct duel_impl impl = {.name = "gpu/gemm/on_trial", .run = table[i].run};
            struct duel_call call = {.why = &why};
            stage_bind(&stage, &call);
            assert_int_equal(stage_call(&stage, &impl, &call), table[i].words ? DUEL_EVERIFY : DUEL_OK);
            assert_true(!table[i].words || strstr(why.seen, table[i].words));
        }
        stage_close(&stage);
        assert_int_equal(mock.allocations, 0);
    }
}

/* The runner makes it a FAILED row without a time, and the others go on. */
static void a_row_that_writes_outside_fails(void **state)
{
    (void)state;
    static const struct duel_impl outside = {
        .name = "gpu/gemm/outside", .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}}, .run = run_behind};
    static const struct duel_impl *const impls[] = {&outside, &mock_right, NULL};
    struct mock mock = {.kernel_s = 1e-3};
    struct duel_place place;
    struct duel_group group;
    struct duel_runner runner;
    struct duel_result result[2];
    struct duel_why why;
    memset(&runner, 0, sizeof runner);
    mock_place(&place, &mock, impls);
    mock_group(&group, &place, 8, 0);
    runner.options.rules = (struct duel_sampler_rules){
        .target_ci = 0.01, .min_samples = 10, .max_samples = 100, .timeout_s = 100, .warmup_s = 0.1, .warmup_max_s = 1};
    runner.options.read_s = NAN;
    runner.options.deadline = INFINITY;
    assert_int_equal(runner_group(&runner, &group, result, &why), DUEL_OK);
    assert_int_equal(result[0].status, ROW_FAILED);
    assert_int_equal(result[0].cause, DUEL_EVERIFY);
    assert_non_null(strstr(result[0].reason, "wrote outside C"));
    assert_int_equal(result[0].kernel_s.count, 0);
    assert_int_equal(result[1].status, ROW_OK);
    for (int i = 0; i < 2; i++)
        result_free(&result[i]);
    free(group.cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zones_are_watched),
        cmocka_unit_test(a_row_that_writes_outside_fails),
    };
    return cmocka_run_group_tests_name("guard", tests, NULL, NULL);
}
