/* rejected.c: every implementation that is wrong on purpose is rejected, by the tier and for the reason that the table
 * of faults names, and the right one passes on the same problem. A verifier that lets one through is worth nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/negative/faults.h"

enum { SEED = 7 };

static struct duel_impl implementation(enum duel_status (*run)(const struct duel_call *call))
{
    return (struct duel_impl){
        .name = "cpu/gemm/on_trial",
        .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32},
                  {DUEL_FP64, DUEL_FP64, DUEL_FP64},
                  {DUEL_FP16, DUEL_FP32, DUEL_FP32}},
        .run = run,
    };
}

static struct duel_place cpu_place(void)
{
    struct duel_place place = {.id = "cpu", .backend = &cpu_backend, .impls = cpu_impl_table};
    struct duel_why why;
    cpu_backend.describe(0, &place.info);
    assert_int_equal(cpu_backend.open(0, &place.device, &why), DUEL_OK);
    return place;
}

/* Runs `impl` on the problem of the fault; rows are padded, each operand differently. With other inputs first, as often
 * as the fault says. */
static struct duel_zoo_outcome outcome_of(const struct duel_impl *impl, const struct fault *fault)
{
    struct duel_place place = cpu_place();
    struct duel_zoo_case which = {
        .workload = workload_find("gemm", 4), .impl = impl, .data = fault->data, .seed = SEED};
    which.threads = 1;
    which.problem = (struct duel_problem){.m = fault->m,
                                          .n = fault->n,
                                          .k = fault->k,
                                          .ld = {fault->k + 5, fault->n + 3, fault->n + 7},
                                          .alpha = fault->alpha,
                                          .beta = fault->beta};
    for (int i = 0; i < DUEL_MAX_TYPES; i++)
        if (impl->types[i].in == fault->in)
            which.problem.types = impl->types[i];
    struct duel_zoo_outcome outcome;
    for (int call = fault->earlier; call > 0; call--) {
        which.seed = SEED + (uint64_t)call;
        zoo_case_run(&place, &which, &outcome);
        assert_int_equal(outcome.status, DUEL_OK);
    }
    which.seed = SEED;
    zoo_case_run(&place, &which, &outcome);
    cpu_backend.close(place.device);
    return outcome;
}

static void is_rejected(void **state)
{
    const struct fault *fault = *(const struct fault **)*state;
    const struct duel_impl right = implementation(fault_right), wrong = implementation(fault->run);

    struct duel_zoo_outcome outcome = outcome_of(&right, fault);
    if (outcome.status != DUEL_OK)
        fail_msg("the right implementation was rejected: %s", outcome.why.seen);
    assert_true(outcome.verdict.right);
    assert_int_equal(outcome.verdict.tier, fault->tier == DUEL_TIER_NONE ? DUEL_TIER_BOUND : fault->tier);
    assert_true(outcome.verdict.bound_ratio <= 1);

    outcome = outcome_of(&wrong, fault);
    print_message("# %s\n", outcome.why.seen);
    assert_int_equal(outcome.status, DUEL_EVERIFY);
    assert_false(outcome.verdict.right);
    assert_int_equal(outcome.verdict.tier, fault->tier);
    assert_non_null(strstr(outcome.why.seen, fault->words));
    assert_true(fault->tier == DUEL_TIER_NONE || outcome.verdict.bound_ratio > 1);
}

/* The zoo, which knows nothing of faults, finds each of them too. */
static void is_found_by_the_zoo(void **state)
{
    const struct fault *fault = *(const struct fault **)*state;
    const struct duel_impl right = implementation(fault_right), wrong = implementation(fault->run);
    const struct duel_workload *gemm = workload_find("gemm", 4);
    const struct duel_zoo_options options = {.seed = SEED, .precision = fault->in};
    struct duel_place place = cpu_place();
    struct duel_why why;
    const enum duel_status of_wrong = zoo_run(&place, &wrong, gemm, &options, NULL, NULL, &why);
    const enum duel_status of_right = zoo_run(&place, &right, gemm, &options, NULL, NULL, &why);
    cpu_backend.close(place.device);
    assert_int_equal(of_wrong, DUEL_EVERIFY);
    assert_int_equal(of_right, DUEL_OK);
}

/* Two tests for each fault. */
struct row {
    const struct fault *fault;
    char rejected[96], found[96];
};

int main(void)
{
    size_t count = 0;
    while (fault_table[count].name)
        count++;
    struct CMUnitTest *tests = calloc(2 * count + 1, sizeof *tests);
    struct row *rows = calloc(count + 1, sizeof *rows);
    int failed = 1;
    for (size_t i = 0; tests && rows && i < count; i++) {
        struct row *row = &rows[i];
        row->fault = &fault_table[i];
        snprintf(row->rejected, sizeof row->rejected, "%s: rejected", row->fault->name);
        snprintf(row->found, sizeof row->found, "%s: found by the zoo", row->fault->name);
        tests[2 * i] = (struct CMUnitTest){row->rejected, is_rejected, NULL, NULL, &row->fault};
        tests[2 * i + 1] = (struct CMUnitTest){row->found, is_found_by_the_zoo, NULL, NULL, &row->fault};
    }
    if (tests && rows)
        failed = _cmocka_run_group_tests("rejected", tests, 2 * count, NULL, NULL);
    free(rows);
    free(tests);
    return failed;
}
