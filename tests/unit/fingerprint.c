/* fingerprint.c: arithmetic is recognised by its errors, and labels that promise another one are refused. */
#include "bench/verify/fingerprint.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/matrix/dtype.h"
#include "tests/negative/faults.h"

static const struct duel_types fp32 = {DUEL_FP32, DUEL_FP32, DUEL_FP32}, fp64 = {DUEL_FP64, DUEL_FP64, DUEL_FP64},
                               fp16 = {DUEL_FP16, DUEL_FP32, DUEL_FP32}, half = {DUEL_FP16, DUEL_FP16, DUEL_FP16};

static enum duel_status take(enum duel_status (*run)(const struct duel_call *call), struct duel_types types,
                             struct duel_fingerprint *print, struct duel_why *why)
{
    const struct duel_impl impl = {.name = "cpu/gemm/on_trial", .types = {types}, .run = run};
    struct duel_place place = {.id = "cpu", .backend = &cpu_backend, .impls = cpu_impl_table};
    cpu_backend.describe(0, &place.info);
    assert_int_equal(cpu_backend.open(0, &place.device, why), DUEL_OK);
    const enum duel_status status = fingerprint_take(&place, &impl, workload_find("gemm", 4), &types, 1, print, why);
    cpu_backend.close(place.device);
    return status;
}

static void arithmetic_is_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum duel_status (*run)(const struct duel_call *call);
        struct duel_types label;
        enum duel_dtype like;
        bool right;
        const char *words;
    } table[] = {
        {"fp64", fault_right, {DUEL_FP64, DUEL_FP64, DUEL_FP64}, DUEL_FP64, true, "fp64 arithmetic"},
        {"fp32", fault_right, {DUEL_FP32, DUEL_FP32, DUEL_FP32}, DUEL_FP32, true, "fp32 arithmetic"},
        {"fp16 inputs, fp32 sums", fault_right, {DUEL_FP16, DUEL_FP32, DUEL_FP32}, DUEL_FP32, true, "fp32 arithmetic"},
        {"tf32 as fp32",
         fault_rounds_inputs_to_tf32,
         {DUEL_FP32, DUEL_FP32, DUEL_FP32},
         DUEL_FP16,
         false,
         "inputs rounded to tf32 or fp16"},
        {"bf16 as fp32",
         fault_rounds_inputs_to_bf16,
         {DUEL_FP32, DUEL_FP32, DUEL_FP32},
         DUEL_BF16,
         false,
         "inputs rounded to bf16"},
        {"fp32 as fp64",
         fault_rounds_inputs_to_fp32,
         {DUEL_FP64, DUEL_FP64, DUEL_FP64},
         DUEL_FP32,
         false,
         "fp32 arithmetic"},
        {"fp16 sums as fp32 sums",
         fault_sums_in_fp16,
         {DUEL_FP16, DUEL_FP32, DUEL_FP32},
         DUEL_FP16,
         false,
         "sums kept in fp16"},
        {"fp16 sums as such",
         fault_sums_in_fp16,
         {DUEL_FP16, DUEL_FP16, DUEL_FP16},
         DUEL_FP16,
         true,
         "sums kept in fp16"},
    };
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        struct duel_fingerprint print;
        struct duel_why why = {{0}, {0}, {0}};
        const enum duel_status status = take(table[t].run, table[t].label, &print, &why);
        print_message("# %-24s %.2g with %d products, %.2g with %d: %s\n", table[t].name, print.short_error,
                      FINGERPRINT_SHORT, print.long_error, FINGERPRINT_LONG, print.words);
        assert_int_equal(status, table[t].right ? DUEL_OK : DUEL_EVERIFY);
        assert_int_equal(print.like, table[t].like);
        assert_non_null(strstr(print.words, table[t].words));
        assert_true(table[t].right || why.seen[0]);
    }
}

static void a_broken_answer_has_no_name(void **state)
{
    (void)state;
    struct duel_fingerprint print = {.short_error = 0.4, .long_error = 0.4};
    fingerprint_name(&print);
    assert_int_equal(print.like, DUEL_NONE);
    assert_non_null(strstr(print.words, "larger errors"));
    print = (struct duel_fingerprint){.short_error = NAN, .long_error = NAN};
    fingerprint_name(&print);
    assert_int_equal(print.like, DUEL_NONE);
    assert_string_equal(print.words, "not known");
    print = (struct duel_fingerprint){.short_error = INFINITY, .long_error = INFINITY};
    fingerprint_name(&print);
    assert_int_equal(print.like, DUEL_NONE);
    print = (struct duel_fingerprint){.short_error = 0, .long_error = 0}; /* summed as the reference sums */
    fingerprint_name(&print);
    assert_int_equal(print.like, DUEL_FP64);
}

static void labels_are_held_to_their_errors(void **state)
{
    (void)state;
    static const struct {
        const struct duel_types *types;
        double relative;
        int64_t k;
        enum duel_status status;
    } table[] = {
        {&fp32, 2e-7, 64, DUEL_OK},           {&fp32, 2e-6, 4096, DUEL_OK},        {&fp32, 2.6e-4, 64, DUEL_EVERIFY},
        {&fp32, 2.6e-4, 16384, DUEL_EVERIFY}, {&fp32, 2.1e-3, 4096, DUEL_EVERIFY}, {&fp64, 1e-15, 64, DUEL_OK},
        {&fp64, 1e-7, 64, DUEL_EVERIFY},      {&fp16, 1e-7, 64, DUEL_OK},          {&fp16, 1e-3, 64, DUEL_EVERIFY},
        {&fp16, 1.2e-2, 4096, DUEL_EVERIFY},  {&half, 1.2e-2, 4096, DUEL_OK},      {&fp32, NAN, 64, DUEL_SKIP},
        {&fp32, INFINITY, 64, DUEL_EVERIFY},
    };
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        struct duel_why why;
        const enum duel_status status = fingerprint_check(table[t].types, table[t].relative, table[t].k, &why);
        if (status != table[t].status)
            fail_msg("%s %g with k = %lld", dtype_name(table[t].types->in), table[t].relative, (long long)table[t].k);
    }
    struct duel_why why;
    fingerprint_check(&fp32, 2.6e-4, 64, &why);
    assert_non_null(strstr(why.seen, "TF32 or FP16"));
}

/* What a user of FP32 data loses by rounding them is a property of the type, not of the implementation. */
static void rounding_costs_what_is_said(void **state)
{
    (void)state;
    enum { N = 32, K = 128 };
    static const enum duel_dtype types[] = {DUEL_TF32, DUEL_FP16, DUEL_BF16};
    for (int t = 0; t < 3; t++) {
        double errors = 0, values = 0;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double exact = 0, rounded = 0;
                for (int l = 0; l < K; l++) {
                    const double a = matrix_value(DUEL_UNIFORM, 1, DUEL_A, i, l);
                    const double b = matrix_value(DUEL_UNIFORM, 1, DUEL_B, l, j);
                    double stored[2];
                    dtype_store(types[t], &stored[0], 0, a);
                    dtype_store(types[t], &stored[1], 0, b);
                    exact += a * b;
                    rounded += dtype_load(types[t], &stored[0], 0) * dtype_load(types[t], &stored[1], 0);
                }
                errors += (rounded - exact) * (rounded - exact);
                values += exact * exact;
            }
        const double relative = sqrt(errors / values);
        print_message("# %s inputs instead of the numbers themselves: relative error %.3g\n", dtype_name(types[t]),
                      relative);
        assert_true(fabs(relative / fingerprint_of_rounding(types[t]) - 1) < 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_is_recognised),
        cmocka_unit_test(a_broken_answer_has_no_name),
        cmocka_unit_test(labels_are_held_to_their_errors),
        cmocka_unit_test(rounding_costs_what_is_said),
    };
    return cmocka_run_group_tests_name("fingerprint", tests, NULL, NULL);
}
