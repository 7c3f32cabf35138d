/* gemm.c: the workload GEMM: its costs, its reference against sums done by hand, its probe against the reference. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/matrix/dtype.h"
#include "bench/workload/workload.h"

static const struct duel_workload *gemm(void)
{
    const struct duel_workload *found = workload_find("gemm", 4);
    assert_non_null(found);
    return found;
}

static void found_by_exact_name(void **state)
{
    (void)state;
    assert_string_equal(gemm()->name, "gemm");
    assert_ptr_equal(workload_find("gemm/serial", 4), gemm());
    assert_null(workload_find("gem", 3));
    assert_null(workload_find("gemm2", 5));
    assert_null(workload_find("", 0));
}

static void shapes_of_operands(void **state)
{
    (void)state;
    const struct duel_problem p = {.m = 2, .n = 3, .k = 5};
    const int64_t expected[][2] = {{2, 5}, {5, 3}, {2, 3}};
    for (int i = 0; i < gemm()->operands; i++) {
        int64_t rows, columns;
        gemm()->extent(&p, i, &rows, &columns);
        assert_int_equal(rows, expected[i][0]);
        assert_int_equal(columns, expected[i][1]);
    }
    assert_int_equal(gemm()->role[DUEL_C], DUEL_OUT);
    assert_int_equal(gemm()->terms(&p), 5);
}

static void costs(void **state)
{
    (void)state;
    struct duel_problem p = {.m = 2, .n = 3, .k = 5, .alpha = 1, .types = {DUEL_FP16, DUEL_FP32, DUEL_FP32}};
    assert_true(gemm()->flops(&p) == 60);
    assert_true(gemm()->bytes(&p) == (10 + 15) * 2 + 6 * 4);
    p.beta = 1; /* C is read as well */
    assert_true(gemm()->bytes(&p) == (10 + 15) * 2 + 2 * 6 * 4);
    p.m = p.n = p.k = 100000; /* past 32 bits */
    assert_true(gemm()->flops(&p) == 2e15);
    assert_true(gemm()->bytes(&p) == 2e10 * 2 + 2 * 1e10 * 4);
}

/* [1 2 3; 4 5 6] [1 -1; 0 2; 3 0] = [10 3; 22 6], with |A||B| = [10 5; 22 14]. Padding is NaN. */
static void reference_by_hand(void **state)
{
    (void)state;
    float a[] = {1, 2, 3, NAN, 4, 5, 6, NAN}, b[] = {1, -1, 0, 2, 3, 0}, c[] = {10, 20, NAN, -30, 40, NAN};
    const struct duel_matrix operand[] = {{DUEL_FP32, 2, 3, 4, a}, {DUEL_FP32, 3, 2, 2, b}, {DUEL_FP32, 2, 2, 3, c}};
    struct duel_problem p = {.m = 2, .n = 2, .k = 3, .ld = {4, 2, 3}, .alpha = -0.5, .beta = 2};
    p.types = (struct duel_types){DUEL_FP32, DUEL_FP32, DUEL_FP32};
    double result[4], magnitude[4];
    gemm()->reference(&p, operand, operand, result, magnitude);
    const double expected[] = {-5 + 20, -1.5 + 40, -11 - 60, -3 + 80};
    const double sizes[] = {5 + 20, 2.5 + 40, 11 + 60, 7 + 80};
    for (int i = 0; i < 4; i++) {
        assert_true(result[i] == expected[i]);
        assert_true(magnitude[i] == sizes[i]);
    }
}

static void beta_zero_does_not_read_c(void **state)
{
    (void)state;
    float a[] = {3}, b[] = {7}, c[] = {NAN};
    const struct duel_matrix operand[] = {{DUEL_FP32, 1, 1, 1, a}, {DUEL_FP32, 1, 1, 1, b}, {DUEL_FP32, 1, 1, 1, c}};
    struct duel_problem p = {.m = 1, .n = 1, .k = 1, .ld = {1, 1, 1}, .alpha = 1};
    p.types = (struct duel_types){DUEL_FP32, DUEL_FP32, DUEL_FP32};
    double result, magnitude;
    gemm()->reference(&p, operand, operand, &result, &magnitude);
    assert_true(result == 21 && magnitude == 21);
    gemm()->reference(&p, operand, NULL, &result, &magnitude); /* there need not be an old C at all */
    assert_true(result == 21 && magnitude == 21);
}

/* A problem of random numbers with padded rows; types.out is types.in. */
struct example {
    struct duel_problem problem;
    struct duel_matrix operand[3];
};

static struct example example(int64_t m, int64_t n, int64_t k, double alpha, double beta, enum duel_dtype type)
{
    struct example e = {.problem = {.m = m, .n = n, .k = k, .alpha = alpha, .beta = beta, .types = {type, type, type}}};
    for (int i = 0; i < 3; i++) {
        struct duel_matrix *matrix = &e.operand[i];
        matrix->type = type;
        gemm()->extent(&e.problem, i, &matrix->rows, &matrix->columns);
        matrix->ld = e.problem.ld[i] = matrix->columns + i + 1;
        matrix->data = malloc((size_t)(matrix->rows * matrix->ld) * dtype_size(type) + 1);
        matrix_fill(matrix, DUEL_UNIFORM, 11, i, NULL);
    }
    return e;
}

static void release(struct example *e)
{
    for (int i = 0; i < 3; i++)
        free(e->operand[i].data);
}

static double at(const struct duel_matrix *matrix, int64_t row, int64_t column)
{
    return dtype_load(matrix->type, matrix->data, (size_t)(row * matrix->ld + column));
}

/* The definition, element by element, for shapes beyond the pieces that the reference works in. */
static void reference_of_every_type(void **state)
{
    (void)state;
    static const enum duel_dtype types[] = {DUEL_FP64, DUEL_FP32, DUEL_FP16, DUEL_BF16};
    for (int t = 0; t < 4; t++) {
        struct example e = example(5, 131, 67, -0.5, 3, types[t]);
        const struct duel_problem *p = &e.problem;
        double *result = malloc(sizeof *result * 5 * 131), *magnitude = malloc(sizeof *magnitude * 5 * 131);
        gemm()->reference(p, e.operand, e.operand, result, magnitude);
        for (int64_t i = 0; i < p->m; i++)
            for (int64_t j = 0; j < p->n; j++) {
                double sum = 0, size = 0;
                for (int64_t l = 0; l < p->k; l++) {
                    sum += at(&e.operand[0], i, l) * at(&e.operand[1], l, j);
                    size += fabs(at(&e.operand[0], i, l) * at(&e.operand[1], l, j));
                }
                const double old = p->beta * at(&e.operand[2], i, j);
                assert_true(fabs(result[i * 131 + j] - (p->alpha * sum + old)) < 1e-13);
                assert_true(fabs(magnitude[i * 131 + j] - (0.5 * size + fabs(old))) < 1e-13);
            }
        free(result);
        free(magnitude);
        release(&e);
    }
}

/* r = C x - expected x, and its magnitude the sum of a row's magnitudes, for an output C that is the old C. */
static void probe_agrees_with_reference(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{1, 1, 0}, {3, 9, 5}, {4, 515, 1}, {2, 3, 1030}, {2, 521, 519}};
    for (int s = 0; s < 5; s++)
        for (int b = 0; b < 2; b++) {
            struct example e = example(shapes[s][0], shapes[s][1], shapes[s][2], -0.5, b ? 3 : 0, DUEL_FP32);
            const struct duel_problem *p = &e.problem;
            double *result = malloc(sizeof *result * (size_t)(p->m * p->n)),
                   *magnitude = malloc(sizeof *magnitude * (size_t)(p->m * p->n));
            double residual[4], size[4], expected_only[4];
            signed char x[600];
            for (int64_t j = 0; j < p->n; j++)
                x[j] = matrix_value(DUEL_UNIFORM, 3, 9, 0, j) < 0 ? -1 : 1;
            gemm()->reference(p, e.operand, e.operand, result, magnitude);
            gemm()->probe(p, e.operand, e.operand, x, residual, size);
            struct duel_matrix without[3] = {e.operand[0], e.operand[1], e.operand[2]};
            without[2].data = NULL;
            gemm()->probe(p, without, e.operand, x, expected_only, size);
            for (int64_t i = 0; i < p->m; i++) {
                double r = 0, right = 0, sum = 0;
                for (int64_t j = 0; j < p->n; j++) {
                    r += (at(&e.operand[2], i, j) - result[i * p->n + j]) * x[j];
                    right += result[i * p->n + j] * x[j];
                    sum += magnitude[i * p->n + j];
                }
                assert_true(fabs(residual[i] - r) < 1e-10);
                assert_true(fabs(expected_only[i] + right) < 1e-10);
                assert_true(fabs(size[i] - sum) < 1e-10 * (1 + sum));
            }
            free(result);
            free(magnitude);
            release(&e);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_by_exact_name),
        cmocka_unit_test(shapes_of_operands),
        cmocka_unit_test(costs),
        cmocka_unit_test(reference_by_hand),
        cmocka_unit_test(beta_zero_does_not_read_c),
        cmocka_unit_test(reference_of_every_type),
        cmocka_unit_test(probe_agrees_with_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
