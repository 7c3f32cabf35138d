/* factor.c: Cholesky's reference, its error bars, and what its judges find in wrong factors, small and large. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/matrix/dtype.h"
#include "bench/verify/verify.h"
#include "bench/workload/factor.h"

enum { A = 0, L = 1 };

/* A random matrix with a factor, that factor in FP64 and rounded to FP32, and its judge. */
struct bench {
    struct duel_problem problem;
    struct duel_matrix operand[2];
    struct duel_expectation expectation;
    double *right;
};

static void open_bench(struct bench *b, int64_t n)
{
    const struct duel_workload *cholesky = workload_find("cholesky", strlen("cholesky"));
    struct duel_why why;
    memset(b, 0, sizeof *b);
    b->problem = (struct duel_problem){.m = 1, .n = n, .k = 1, .count = 1, .alpha = 1, .ld = {n, n}};
    b->problem.types = (struct duel_types){DUEL_FP32, DUEL_FP32, DUEL_FP32};
    for (int i = 0; i < 2; i++)
        b->operand[i] = (struct duel_matrix){DUEL_FP32, n, n, n, calloc((size_t)(n * n), sizeof(float))};
    b->right = calloc((size_t)(n * n), sizeof *b->right);
    matrix_fill(&b->operand[A], DUEL_UNIFORM, 5, A, NULL);
    cholesky->prepare(&b->problem, b->operand);
    assert_int_equal(factor_make(n, &b->operand[A], b->right), n);
    for (int64_t i = 0; i < n * n; i++)
        ((float *)b->operand[L].data)[i] = (float)b->right[i];
    assert_int_equal(expectation_make(&b->expectation, cholesky, &b->problem, b->operand, b->operand, false, &why),
                     DUEL_OK);
}

static void close_bench(struct bench *b)
{
    expectation_free(&b->expectation);
    free(b->operand[A].data);
    free(b->operand[L].data);
    free(b->right);
}

static struct duel_verdict judge(const struct bench *b)
{
    struct duel_verdict verdict;
    struct duel_why why;
    assert_int_equal(verify_output(&b->expectation, &b->problem, &b->operand[L], 3, &verdict, &why), DUEL_OK);
    return verdict;
}

/* 2 x 2 by hand: [4 2; 2 10] = [2 0; 1 3] [2 1; 0 3]. */
static void by_hand(void **state)
{
    double a[] = {4, NAN, 2, 10}, l[4] = {0}, size[4] = {0};
    const struct duel_matrix matrix = {DUEL_FP64, 2, 2, 2, a};
    (void)state;
    assert_int_equal(factor_make(2, &matrix, l), 2);
    assert_true(l[0] == 2 && l[2] == 1 && l[3] == 3);
    factor_magnitudes(2, l, size);
    /* S = |L^-1||L| = [1 0; 2/3 1]; S S^T = [1 2/3; 2/3 13/9]; L F of it = [1 .; 1/2 + 2, 13/6]. */
    assert_true(fabs(size[0] - 1) < 1e-15 && fabs(size[2] - 2.5) < 1e-15 && fabs(size[3] - 13.0 / 6) < 1e-15);
    assert_true(l[1] == 0 && size[1] == 0);
    a[3] = 1;
    assert_int_equal(factor_make(2, &matrix, l), 1);
    assert_true(l[0] == 2 && l[2] == 1 && isnan(l[3]));
}

/* A moves a little within its last places, and L no further than the bars say: so they are no underestimate; and less
 * than a thousand times too large, so they are no licence. */
static void bars_hold_what_rounding_does(void **state)
{
    enum { SIZE = 60 };
    struct bench b;
    double *moved = calloc(SIZE * SIZE, sizeof *moved), largest = 0;
    double *a = calloc(SIZE * SIZE, sizeof *a);
    const double step = 0x1p-24;
    (void)state;
    open_bench(&b, SIZE);
    const struct duel_matrix matrix = {DUEL_FP64, SIZE, SIZE, SIZE, a};
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j <= i; j++) { /* E = step |L||L^T| with random signs */
            double size = 0;
            for (int k = 0; k <= j; k++)
                size += fabs(b.right[i * SIZE + k] * b.right[j * SIZE + k]);
            a[i * SIZE + j] = (double)((float *)b.operand[A].data)[i * SIZE + j] +
                              (matrix_value(DUEL_UNIFORM, 9, 0, i, j) < 0 ? -step : step) * size;
        }
    assert_int_equal(factor_make(SIZE, &matrix, moved), SIZE);
    for (int i = 0; i < SIZE * SIZE; i++)
        if (b.expectation.magnitude[i] > 0)
            largest = fmax(largest, fabs(moved[i] - b.right[i]) / (step * b.expectation.magnitude[i]));
    assert_true(largest <= 1.01);
    assert_true(largest > 1e-3);
    close_bench(&b);
    free(moved);
    free(a);
}

/* Each spoils one thing; n / 2 is far from every edge. */
static void wrong_element(struct bench *b)
{
    ((float *)b->operand[L].data)[b->problem.n * (b->problem.n / 2) + 3] += 0.01F;
}

static void not_zero_above(struct bench *b)
{
    ((float *)b->operand[L].data)[3 * b->problem.n + b->problem.n / 2] = 0.01F;
}

static void column_turned(struct bench *b)
{
    for (int64_t i = 0; i < b->problem.n; i++)
        ((float *)b->operand[L].data)[i * b->problem.n + 7] *= -1;
}

/* The last column forgets what the first one does to it. */
static void product_dropped(struct bench *b)
{
    const int64_t n = b->problem.n, last = n * n - 1;
    const double l = b->right[last], dropped = b->right[n * (n - 1)];
    ((float *)b->operand[L].data)[last] = (float)sqrt(l * l + dropped * dropped);
}

static void wrong_factors_are_found(void **state)
{
    static void (*const spoil[])(struct bench *) = {wrong_element, not_zero_above, column_turned, product_dropped};
    static const int64_t sizes[] = {64, 700}; /* element by element, and by probes */
    (void)state;
    for (size_t size = 0; size < 2; size++) {
        struct bench b;
        open_bench(&b, sizes[size]);
        const size_t bytes = (size_t)(b.problem.n * b.problem.n) * sizeof(float);
        void *right = malloc(bytes);
        memcpy(right, b.operand[L].data, bytes);
        assert_true((b.expectation.result == NULL) == (size == 1));
        assert_true(judge(&b).right);
        assert_int_equal(judge(&b).tier, size == 1 ? DUEL_TIER_FREIVALDS : DUEL_TIER_BOUND);
        for (size_t i = 0; i < sizeof spoil / sizeof spoil[0]; i++) {
            spoil[i](&b);
            const struct duel_verdict verdict = judge(&b);
            if (verdict.right)
                fail_msg("n = %d: fault %d is not found", (int)b.problem.n, (int)i);
            assert_false(verdict.refused);
            memcpy(b.operand[L].data, right, bytes);
        }
        free(right);
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(bars_hold_what_rounding_does),
        cmocka_unit_test(wrong_factors_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
