/* speedups.c: every speed-up has a named baseline, and a wrong or missing one gives none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/harness/lane.h"

#define assert_close(value, expected) assert_true(fabs((value) - (expected)) < 1e-12)

/* A measured row with the given kernel and end-to-end medians. */
static struct duel_result row(const char *name, const char *device, enum duel_dtype in, double kernel_s, double whole_s)
{
    struct duel_result result;
    result_init(&result);
    snprintf(result.implementation, sizeof result.implementation, "%s", name);
    snprintf(result.device, sizeof result.device, "%s", device);
    result.status = ROW_OK;
    result.problem.types.in = in;
    result.threads = strcmp(device, "cpu") == 0 ? 2 : 0;
    result.kernel.count = result.end_to_end.count = 1;
    result.kernel.median = kernel_s;
    result.end_to_end.median = whole_s;
    return result;
}

static void the_best_cpu_row_is_the_baseline(void **state)
{
    (void)state;
    struct duel_result rows[] = {row("cpu/gemm/serial", "cpu", DUEL_FP32, 8, 8),
                                 row("cpu/gemm/openblas", "cpu", DUEL_FP32, 2, 2),
                                 row("gpu/gemm/tiled", "cuda:0", DUEL_FP32, 0.5, 4)};
    speedups_set(rows, 3, NULL, 1);
    assert_close(rows[2].speedup_kernel.value, 4);
    assert_close(rows[2].speedup_end_to_end.value, 0.5); /* the copies cost more than the kernel won */
    assert_close(rows[2].speedup_serial, 16);
    assert_close(rows[0].speedup_kernel.value, 0.25);
    assert_non_null(strstr(rows[2].base, "cpu/gemm/openblas fp32 2"));
}

static void a_wrong_row_is_never_a_baseline(void **state)
{
    (void)state;
    struct duel_result rows[] = {row("cpu/gemm/serial", "cpu", DUEL_FP32, 8, 8),
                                 row("cpu/gemm/fast", "cpu", DUEL_FP32, 1e-6, 1e-6)};
    rows[1].status = ROW_FAILED;
    speedups_set(rows, 2, NULL, 1);
    assert_non_null(strstr(rows[0].base, "cpu/gemm/serial"));
    assert_true(isnan(rows[1].speedup_kernel.value));
}

static void narrow_types_are_compared_with_fp32_and_say_so(void **state)
{
    (void)state;
    struct duel_result rows[] = {
        row("cpu/gemm/openblas", "cpu", DUEL_FP32, 2, 2), row("cpu/gemm/openblas", "cpu", DUEL_FP64, 4, 4),
        row("gpu/gemm/tensor_fp16", "cuda:0", DUEL_FP16, 1, 1), row("gpu/gemm/tiled", "cuda:0", DUEL_FP64, 1, 1)};
    speedups_set(rows, 4, NULL, 1);
    assert_close(rows[2].speedup_kernel.value, 2);
    assert_non_null(strstr(rows[2].base, "fp32"));
    assert_close(rows[3].speedup_kernel.value, 4);
    assert_non_null(strstr(rows[3].base, "fp64"));
}

static void fp64_is_never_compared_with_another_precision(void **state)
{
    (void)state;
    struct duel_result rows[] = {row("cpu/gemm/openblas", "cpu", DUEL_FP32, 2, 2),
                                 row("gpu/gemm/tiled", "cuda:0", DUEL_FP64, 1, 1)};
    speedups_set(rows, 2, NULL, 1);
    assert_true(isnan(rows[1].speedup_kernel.value));
    assert_string_equal(rows[1].base, "");
}

static void a_named_baseline_wins(void **state)
{
    (void)state;
    struct duel_result rows[] = {row("cpu/gemm/serial", "cpu", DUEL_FP32, 8, 8),
                                 row("cpu/gemm/openblas", "cpu", DUEL_FP32, 2, 2),
                                 row("gpu/gemm/tiled", "cuda:0", DUEL_FP32, 0.5, 4)};
    speedups_set(rows, 3, "cpu/gemm/serial", 1);
    assert_close(rows[2].speedup_kernel.value, 16);
    assert_close(rows[1].speedup_kernel.value, 4);
    struct duel_result alone[] = {row("gpu/gemm/tiled", "cuda:0", DUEL_FP32, 0.5, 4)};
    speedups_set(alone, 1, "cpu/gemm/serial", 1);
    assert_true(isnan(alone[0].speedup_kernel.value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_cpu_row_is_the_baseline),
        cmocka_unit_test(a_wrong_row_is_never_a_baseline),
        cmocka_unit_test(narrow_types_are_compared_with_fp32_and_say_so),
        cmocka_unit_test(fp64_is_never_compared_with_another_precision),
        cmocka_unit_test(a_named_baseline_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
