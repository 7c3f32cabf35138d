/* not_a_number.c: NaN in a user's data is no answer. Every CPU implementation of every workload gets inputs of which
 * one holds a NaN: what comes out must be called wrong, or the call must fail, but never "verified". And the same
 * inputs without it are right: else nothing would be proven. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/matrix/dtype.h"
#include "bench/registry/registry.h"
#include "bench/verify/stage.h"
#include "bench/verify/verify.h"

enum { EXTENT = 40 };

/* A user's own matrix, in FP64. */
static struct duel_matrix users_own(const struct duel_workload *workload, const struct duel_problem *problem, int i)
{
    struct duel_matrix own = {.type = DUEL_FP64};
    workload->extent(problem, i, &own.rows, &own.columns);
    own.ld = own.columns;
    double *value = own.data = calloc((size_t)(own.rows * own.columns) + 1, sizeof *value);
    assert_non_null(value);
    for (int64_t e = 0; e < own.rows * own.columns; e++)
        value[e] = matrix_value(DUEL_UNIFORM, 7, i, e / own.columns, e % own.columns);
    return own;
}

static void spoil(struct duel_matrix *own)
{
    ((double *)own->data)[own->rows / 2 * own->columns + own->columns / 2] = NAN;
}

/* Fills the stage with a user's numbers, runs, and judges. `broken`: the operand that holds a NaN, or none (-1). */
static bool accepted(struct duel_stage *stage, const struct duel_impl *impl, struct duel_call *call, int broken)
{
    const struct duel_workload *workload = stage->workload;
    struct duel_matrix own[DUEL_MAX_OPERANDS];
    const struct duel_matrix *input[DUEL_MAX_OPERANDS] = {NULL};
    struct duel_expectation expectation = {0};
    struct duel_verdict verdict = {.right = false};
    for (int i = 0; i < workload->operands; i++) {
        own[i] = users_own(workload, &stage->problem, i);
        input[i] = &own[i];
    }
    if (workload->prepare)
        workload->prepare(&stage->problem, own);
    if (broken >= 0)
        spoil(&own[broken]);
    enum duel_status status = stage_fill(stage, DUEL_UNIFORM, 7, input, call->why);
    if (status == DUEL_OK)
        status =
            expectation_make(&expectation, workload, &stage->problem, stage->host, stage->before, false, call->why);
    expectation.any_data = true;
    if (status == DUEL_OK)
        status = stage_call(stage, impl, call);
    if (status == DUEL_OK)
        status = verify_output(&expectation, &stage->problem, &stage->host[workload_output(workload)], 7, &verdict,
                               call->why);
    expectation_free(&expectation);
    for (int i = 0; i < workload->operands; i++)
        free(own[i].data);
    return status == DUEL_OK && verdict.right;
}

static void look_at(const struct duel_impl *impl)
{
    const struct duel_workload *workload = workload_of(impl->name);
    struct duel_problem problem = {
        .m = EXTENT, .n = EXTENT, .k = EXTENT, .count = 3, .alpha = 1, .beta = 1, .types = impl->types[0]};
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_call call = {.why = &why, .threads = 1};
    struct duel_stage stage;
    void *device = NULL;
    workload_normalise(workload, &problem);
    workload_tight(workload, &problem);
    if (impl->supports && impl->supports(&problem, NULL, &why) != DUEL_OK)
        return;
    assert_int_equal(cpu_backend.open(0, &device, &why), DUEL_OK);
    assert_int_equal(stage_open(&stage, &cpu_backend, device, DUEL_PAGEABLE, workload, &problem, &why), DUEL_OK);
    stage_bind(&stage, &call);
    call.threads = impl->threads ? impl->threads(1) : 1;
    const size_t workspace = impl->workspace ? impl->workspace(&problem) : 0;
    if (workspace > 0)
        assert_non_null(call.workspace = malloc(workspace));
    if (impl->open)
        assert_int_equal(impl->open(&call), DUEL_OK);
    if (!accepted(&stage, impl, &call, -1))
        fail_msg("%s: whole data were not accepted: %s", impl->name, why.seen);
    for (int i = 0; i < workload->operands; i++)
        if (workload->role[i] == DUEL_IN && accepted(&stage, impl, &call, i))
            fail_msg("%s: called right with NaN in %s", impl->name, workload->operand_name[i]);
    if (impl->close && call.state)
        impl->close(call.state);
    free(call.workspace);
    stage_close(&stage);
    cpu_backend.close(device);
}

static void nothing_is_verified_with_it(void **state)
{
    int seen = 0;
    (void)state;
    for (const struct duel_impl *const *impl = cpu_impl_table; *impl; impl++, seen++)
        look_at(*impl);
    assert_true(seen > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_verified_with_it)};
    return cmocka_run_group_tests_name("not a number", tests, NULL, NULL);
}
