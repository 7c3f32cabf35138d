/* One-byte types from data to verdict: GEMM by plain loops in FP8 and INT8 is generated, run, judged and named like any
 * other implementation; what is wrong is rejected, and no bound of zero is divided by. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/registry/registry.h"
#include "bench/verify/bounds.h"
#include "bench/verify/fingerprint.h"
#include "bench/verify/zoo.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum fault { RIGHT, DROPS_A_PRODUCT, WRAPS_AT_16_BITS, READS_UNSIGNED, MISREADS_EXPONENT, SKIPS_LAST_ROW, FAULTS };

static const struct duel_types fp8 = {DUEL_FP8, DUEL_FP32, DUEL_FP32}, int8 = {DUEL_INT8, DUEL_INT32, DUEL_INT32};

static double product(const struct duel_call *call, enum fault fault, int64_t i, int64_t j, int64_t l)
{
    const struct duel_problem *p = call->problem;
    const uint8_t *a = call->operand[DUEL_A], *b = call->operand[DUEL_B];
    const uint8_t x = a[i * p->ld[DUEL_A] + l], y = b[l * p->ld[DUEL_B] + j];
    if (fault == READS_UNSIGNED && p->types.in == DUEL_INT8)
        return (double)x * (double)(int8_t)y;
    double value = dtype_load(p->types.in, &x, 0) * dtype_load(p->types.in, &y, 0);
    return fault == MISREADS_EXPONENT ? 2 * value : value;
}

static enum duel_status multiply(const struct duel_call *call, enum fault fault)
{
    const struct duel_problem *p = call->problem;
    const bool whole = p->types.in == DUEL_INT8;
    for (int64_t i = 0; i < p->m - (fault == SKIPS_LAST_ROW); i++)
        for (int64_t j = 0; j < p->n; j++) {
            int32_t exact = 0;
            float sum = 0;
            const int64_t at = i * p->ld[DUEL_C] + j;
            for (int64_t l = 0; l < p->k - (fault == DROPS_A_PRODUCT); l++) {
                const double term = product(call, fault, i, j, l);
                exact += whole ? (int32_t)term : 0;
                sum += (float)term;
                if (fault == WRAPS_AT_16_BITS)
                    exact = (int16_t)exact;
            }
            if (whole) {
                int32_t *c = call->operand[DUEL_C];
                c[at] = (int32_t)p->alpha * exact + (p->beta == 0 ? 0 : (int32_t)p->beta * c[at]);
            } else {
                float *c = call->operand[DUEL_C];
                c[at] = (float)p->alpha * sum + (p->beta == 0 ? 0 : (float)p->beta * c[at]);
            }
        }
    return DUEL_OK;
}

#define RUN(name, fault)                                       \
    static enum duel_status name(const struct duel_call *call) \
    {                                                          \
        return multiply(call, fault);                          \
    }
RUN(right, RIGHT)
RUN(drops_a_product, DROPS_A_PRODUCT)
RUN(wraps_at_16_bits, WRAPS_AT_16_BITS)
RUN(reads_unsigned, READS_UNSIGNED)
RUN(misreads_exponent, MISREADS_EXPONENT)
RUN(skips_last_row, SKIPS_LAST_ROW)

/* As gpu/gemm/cublaslt_int8 refuses. */
static enum duel_status supports(const struct duel_problem *p, const struct duel_device_info *device,
                                 struct duel_why *why)
{
    (void)device;
    if (p->types.in != DUEL_INT8 || (rint(p->alpha) == p->alpha && rint(p->beta) == p->beta))
        return DUEL_OK;
    return duel_fail(why, DUEL_SKIP, "whole numbers stay whole", "give whole factors", "alpha %g, beta %g", p->alpha,
                     p->beta);
}

static struct duel_impl implementation(enum duel_status (*run)(const struct duel_call *call))
{
    return (struct duel_impl){.name = "cpu/gemm/on_trial", .types = {fp8, int8}, .supports = supports, .run = run};
}

static struct duel_place cpu_place(void)
{
    struct duel_place place = {.id = "cpu", .backend = &cpu_backend, .impls = cpu_impl_table};
    struct duel_why why;
    cpu_backend.describe(0, &place.info);
    assert_int_equal(cpu_backend.open(0, &place.device, &why), DUEL_OK);
    return place;
}

/* One case with padded rows. */
static struct duel_zoo_outcome outcome_of(enum duel_status (*run)(const struct duel_call *call),
                                          const struct duel_types *types, enum duel_data data, int64_t n, int64_t k,
                                          double beta)
{
    const struct duel_impl impl = implementation(run);
    struct duel_place place = cpu_place();
    struct duel_zoo_case which = {
        .workload = workload_find("gemm", 4), .impl = &impl, .data = data, .seed = 5, .threads = 1};
    which.problem = (struct duel_problem){
        .m = n, .n = n, .k = k, .count = 1, .ld = {k + 5, n + 3, n + 7}, .alpha = 1, .beta = beta, .types = *types};
    struct duel_zoo_outcome outcome;
    zoo_case_run(&place, &which, &outcome);
    cpu_backend.close(place.device);
    return outcome;
}

static void right_answers_pass(void **state)
{
    (void)state;
    static const enum duel_data data[] = {DUEL_UNIFORM, DUEL_INTEGERS, DUEL_NORMAL, DUEL_ZEROS};
    for (size_t d = 0; d < COUNT(data); d++)
        for (int beta = 0; beta < 2; beta++)
            for (int large = 0; large < 2; large++) {
                const int64_t n = large ? 640 : 33, k = large ? 800 : 70; /* the large one is judged by row sums */
                struct duel_zoo_outcome outcome = outcome_of(right, &int8, data[d], n, k, beta);
                if (outcome.status != DUEL_OK)
                    fail_msg("int8: %s", outcome.why.seen);
                assert_int_equal(outcome.verdict.tier, large ? DUEL_TIER_FREIVALDS : DUEL_TIER_EXACT);
                assert_true(outcome.verdict.right && outcome.verdict.bound_ratio == 0);
                assert_true(large || outcome.verdict.max_error == 0);
                if (large && (d > 0 || beta > 0))
                    continue; /* the loops are slow */
                outcome = outcome_of(right, &fp8, data[d], n, k, beta);
                if (outcome.status != DUEL_OK)
                    fail_msg("fp8: %s", outcome.why.seen);
                assert_true(outcome.verdict.right && outcome.verdict.bound_ratio <= 1);
            }
}

static void wrong_answers_are_rejected(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum duel_status (*run)(const struct duel_call *call);
        const struct duel_types *types;
        enum duel_data data;
        int64_t n, k;
        enum duel_tier tier;
        const char *words;
    } table[] = {
        {"drops a product", drops_a_product, &int8, DUEL_UNIFORM, 31, 70, DUEL_TIER_EXACT, "are wrong on whole"},
        {"wraps at 16 bits", wraps_at_16_bits, &int8, DUEL_UNIFORM, 31, 70, DUEL_TIER_EXACT, "are wrong on whole"},
        {"wraps at 16 bits, large", wraps_at_16_bits, &int8, DUEL_UNIFORM, 640, 800, DUEL_TIER_FREIVALDS,
         "no rounding"},
        {"reads unsigned", reads_unsigned, &int8, DUEL_INTEGERS, 31, 70, DUEL_TIER_EXACT, "are wrong on whole"},
        {"skips the last row", skips_last_row, &int8, DUEL_UNIFORM, 31, 70, DUEL_TIER_EXACT, "are wrong on whole"},
        {"drops a product", drops_a_product, &fp8, DUEL_INTEGERS, 31, 70, DUEL_TIER_EXACT, "are wrong on whole"},
        {"drops a product", drops_a_product, &fp8, DUEL_UNIFORM, 31, 70, DUEL_TIER_BOUND, "times the bound"},
        {"misreads the exponent", misreads_exponent, &fp8, DUEL_UNIFORM, 31, 70, DUEL_TIER_BOUND, "times the bound"},
        {"skips the last row", skips_last_row, &fp8, DUEL_UNIFORM, 31, 70, DUEL_TIER_BOUND, "row 30 of 31 x 31"},
    };
    for (size_t t = 0; t < COUNT(table); t++) {
        const struct duel_zoo_outcome outcome =
            outcome_of(table[t].run, table[t].types, table[t].data, table[t].n, table[t].k, 0);
        print_message("# %s, %s: %s\n", dtype_name(table[t].types->in), table[t].name, outcome.why.seen);
        assert_int_equal(outcome.status, DUEL_EVERIFY);
        assert_int_equal(outcome.verdict.tier, table[t].tier);
        assert_non_null(strstr(outcome.why.seen, table[t].words));
        assert_true(outcome.verdict.bound_ratio > 1);
    }
}

/* The zoo has its own shapes, factors and leading dimensions. */
static void the_zoo_agrees(void **state)
{
    (void)state;
    static const enum duel_dtype in[] = {DUEL_FP8, DUEL_INT8};
    const struct duel_workload *gemm = workload_find("gemm", 4);
    struct duel_place place = cpu_place();
    for (size_t i = 0; i < COUNT(in); i++) {
        const struct duel_zoo_options options = {.seed = 3, .precision = in[i]};
        const struct duel_impl good = implementation(right), bad = implementation(drops_a_product);
        struct duel_why why;
        if (zoo_run(&place, &good, gemm, &options, NULL, NULL, &why) != DUEL_OK)
            fail_msg("%s: %s", dtype_name(in[i]), why.seen);
        assert_int_equal(zoo_run(&place, &bad, gemm, &options, NULL, NULL, &why), DUEL_EVERIFY);
    }
    cpu_backend.close(place.device);
}

static void arithmetic_has_its_name(void **state)
{
    (void)state;
    static const struct {
        const struct duel_types *types;
        enum duel_dtype like;
        const char *words;
    } table[] = {{&int8, DUEL_INT32, "in whole numbers"}, {&fp8, DUEL_FP64, "fp64 arithmetic"}};
    /* Products of FP8 have 8 bits: FP32 adds some thousands of them without rounding. */
    const struct duel_impl good = implementation(right);
    struct duel_place place = cpu_place();
    for (size_t t = 0; t < COUNT(table); t++) {
        struct duel_fingerprint print;
        struct duel_why why = {{0}, {0}, {0}};
        const enum duel_status status =
            fingerprint_take(&place, &good, workload_find("gemm", 4), table[t].types, 1, &print, &why);
        if (status != DUEL_OK)
            fail_msg("%s: %s", dtype_name(table[t].types->in), why.seen);
        print_message("# %s: %s\n", dtype_name(table[t].types->in), print.words);
        assert_int_equal(print.like, table[t].like);
        assert_non_null(strstr(print.words, table[t].words));
    }
    cpu_backend.close(place.device);
    assert_true(fingerprint_of_rounding(DUEL_INT8) == 0);
}

static void bounds_of_whole_numbers_are_zero_and_finite(void **state)
{
    (void)state;
    struct duel_problem p = {.m = 4, .n = 4, .k = 133000, .count = 1, .alpha = 1, .types = int8};
    const struct duel_bounds bounds = bounds_make(&p, p.k, p.n, false);
    assert_true(bounds.value == 0 && bounds.floor == 0 && bounds.fingerprint < 1e-10);
    assert_true(bounds_exact(&p, p.k, DUEL_INT32));
    assert_false(bounds_exact(&p, 133145, DUEL_INT32)); /* 127 x 127 x 133 145 > 2^31 */
    p.alpha = 0.5;
    assert_false(bounds_exact(&p, 16, DUEL_INT32));
    p.alpha = 1;
    p.beta = 1;
    assert_true(bounds_exact(&p, p.k, DUEL_INT32));
    p.types = fp8; /* sums with 13 bits of fraction */
    p.beta = 0;
    assert_true(bounds_exact(&p, 4096, DUEL_FP32) && !bounds_exact(&p, 4097, DUEL_FP32));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_answers_pass),
        cmocka_unit_test(wrong_answers_are_rejected),
        cmocka_unit_test(the_zoo_agrees),
        cmocka_unit_test(arithmetic_has_its_name),
        cmocka_unit_test(bounds_of_whole_numbers_are_zero_and_finite),
    };
    return cmocka_run_group_tests_name("narrow", tests, NULL, NULL);
}
