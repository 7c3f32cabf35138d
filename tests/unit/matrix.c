/* Operand sizes and the value generator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/matrix/matrix.h"

static void bytes_are_checked_in_64_bits(void **state)
{
    (void)state;
    struct duel_why why;
    size_t bytes = 1;
    assert_int_equal(matrix_bytes(DUEL_FP32, 46341, 46341, &bytes, &why), DUEL_OK);
    assert_true(bytes == 8589953124); /* past 2^31 elements and 2^32 bytes */
    assert_int_equal(matrix_bytes(DUEL_FP16, 3, 5, &bytes, &why), DUEL_OK);
    assert_int_equal(bytes, 30);
    assert_int_equal(matrix_bytes(DUEL_FP64, 0, 7, &bytes, &why), DUEL_OK);
    assert_int_equal(bytes, 0);
    assert_int_equal(matrix_bytes(DUEL_FP64, INT64_C(1) << 40, INT64_C(1) << 40, &bytes, &why), DUEL_EINVAL);
    assert_non_null(strstr(why.seen, "1099511627776"));
    assert_true(why.matters[0] && why.next[0]);
    assert_int_equal(bytes, 0);
    assert_int_equal(matrix_bytes(DUEL_FP64, INT64_C(1) << 30, INT64_C(1) << 30, &bytes, NULL), DUEL_EINVAL);
    assert_int_equal(matrix_bytes(DUEL_FP64, (INT64_C(1) << 30) - 1, INT64_C(1) << 30, &bytes, NULL), DUEL_OK);
    assert_int_equal(matrix_bytes(DUEL_FP32, INT64_MAX, 1, &bytes, NULL), DUEL_EINVAL);
    assert_int_equal(matrix_bytes(DUEL_FP32, -1, 4, &bytes, &why), DUEL_EINVAL);
    assert_int_equal(matrix_bytes(DUEL_FP32, 4, -1, &bytes, &why), DUEL_EINVAL);
}

static void uniform_values_are_multiples_in_range(void **state)
{
    (void)state;
    double least = 1, most = -1;
    for (int64_t i = 0; i < 300; i++)
        for (int64_t j = 0; j < 1000; j++) {
            double value = matrix_value(DUEL_UNIFORM, 1, DUEL_A, i, j);
            assert_true(value >= -1 && value < 1);
            assert_true(value * 0x1p23 == (double)(int32_t)(value * 0x1p23));
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
    assert_true(least < -0.9999 && most > 0.9999);
}

/* Products of two series of standardised values: the mean of `count` of them has a deviation of 1 / sqrt(count). */
static double correlation(int64_t rows, int64_t columns, int64_t down, int64_t right, int other_operand,
                          uint64_t other_seed)
{
    double sum = 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            sum += matrix_value(DUEL_UNIFORM, 7, DUEL_A, i, j) *
                   matrix_value(DUEL_UNIFORM, other_seed, other_operand, i + down, j + right);
    return 3 * sum / (double)(rows * columns); /* the variance of [-1, 1) is 1/3 */
}

/* The seeds are fixed, so these either hold for good or fail for good; the limits are five deviations. */
static void uniform_values_look_random(void **state)
{
    (void)state;
    enum { ROWS = 500, COLUMNS = 600 };
    const double n = (double)ROWS * COLUMNS, limit = 5 / sqrt(n);
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLUMNS; j++) {
            double value = matrix_value(DUEL_UNIFORM, 7, DUEL_A, i, j);
            sum += value;
            squares += value * value;
        }
    assert_true(fabs(sum / n) < limit * sqrt(1.0 / 3));
    assert_true(fabs(squares / n - 1.0 / 3) < limit * sqrt(4.0 / 45));
    assert_true(fabs(correlation(ROWS, COLUMNS, 0, 1, DUEL_A, 7)) < limit);
    assert_true(fabs(correlation(ROWS, COLUMNS, 1, 0, DUEL_A, 7)) < limit);
    assert_true(fabs(correlation(ROWS, COLUMNS, 1, -1, DUEL_A, 7)) < limit);
    assert_true(fabs(correlation(ROWS, COLUMNS, 64, 0, DUEL_A, 7)) < limit);
    assert_true(fabs(correlation(ROWS, COLUMNS, 0, 0, DUEL_B, 7)) < limit);
    assert_true(fabs(correlation(ROWS, COLUMNS, 0, 0, DUEL_A, 8)) < limit);
    assert_true(correlation(ROWS, COLUMNS, 0, 0, DUEL_A, 7) > 0.9); /* this measure can see a correlation */
}

static void integers_are_minus_two_to_two_and_equally_often(void **state)
{
    (void)state;
    long seen[5] = {0};
    for (int64_t i = 0; i < 500; i++)
        for (int64_t j = 0; j < 500; j++) {
            double value = matrix_value(DUEL_INTEGERS, 3, DUEL_B, i, j);
            assert_true(value == -2 || value == -1 || value == 0 || value == 1 || value == 2);
            seen[(int)value + 2]++;
        }
    for (int v = 0; v < 5; v++)
        assert_true(labs(seen[v] - 50000) < 1000); /* the deviation is 200 */
}

static void normal_values_have_mean_0_variance_1_and_tails(void **state)
{
    (void)state;
    double sum = 0, squares = 0, beyond = 0;
    const int side = 500, count = side * side;
    for (int64_t i = 0; i < side; i++)
        for (int64_t j = 0; j < side; j++) {
            double value = matrix_value(DUEL_NORMAL, 5, DUEL_A, i, j);
            sum += value;
            squares += value * value;
            beyond += fabs(value) > 1.959964;
        }
    assert_true(fabs(sum / count) < 0.01);            /* the deviation of the mean is 0.002 */
    assert_true(fabs(squares / count - 1) < 0.015);   /* of the variance 0.0028 */
    assert_true(fabs(beyond / count - 0.05) < 0.003); /* of the share 0.00044 */
}

static void zeros_are_zero(void **state)
{
    (void)state;
    for (int64_t i = 0; i < 9; i++)
        assert_true(matrix_value(DUEL_ZEROS, 5, DUEL_A, i, i) == 0);
}

static void fill_and_compare(enum duel_dtype type, enum duel_data data, int64_t rows, int64_t columns, int64_t ld)
{
    struct duel_matrix matrix = {type, rows, columns, ld, NULL};
    size_t bytes;
    assert_int_equal(matrix_bytes(type, rows, ld, &bytes, NULL), DUEL_OK);
    matrix.data = malloc(bytes + 8);
    assert_non_null(matrix.data);
    memset(matrix.data, 0x5A, bytes + 8);
    matrix_fill(&matrix, data, 11, DUEL_B, NULL);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < ld; j++) {
            double got = dtype_load(type, matrix.data, (size_t)(i * ld + j)), wanted;
            char rounded[8];
            dtype_store(type, rounded, 0, matrix_scale(data, type) * matrix_value(data, 11, DUEL_B, i, j));
            wanted = dtype_load(type, rounded, 0);
            if (j < columns ? got != wanted : !isnan(got))
                fail_msg("%s %lld x %lld (ld %lld): element (%lld, %lld) is %g", dtype_name(type), (long long)rows,
                         (long long)columns, (long long)ld, (long long)i, (long long)j, got);
        }
    for (int i = 0; i < 8; i++)
        assert_int_equal(((unsigned char *)matrix.data)[bytes + (size_t)i], 0x5A);
    free(matrix.data);
}

static void filling_rounds_each_value_and_poisons_padding(void **state)
{
    (void)state;
    static const int64_t shape[][3] = {{1, 1, 1},         {3, 5, 5},       {7, 13, 17},
                                       {1, 70000, 70003}, {300, 257, 300}, {70000, 1, 2}};
    for (int type = DUEL_FP64; type < DUEL_DTYPES; type++)
        for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
            fill_and_compare((enum duel_dtype)type, DUEL_UNIFORM, shape[s][0], shape[s][1], shape[s][2]);
            fill_and_compare((enum duel_dtype)type, DUEL_INTEGERS, shape[s][0], shape[s][1], shape[s][2]);
            fill_and_compare((enum duel_dtype)type, DUEL_NORMAL, shape[s][0], shape[s][1], shape[s][2]);
            fill_and_compare((enum duel_dtype)type, DUEL_ZEROS, shape[s][0], shape[s][1], shape[s][2]);
        }
}

static void only_narrower_types_have_a_conversion(void **state)
{
    (void)state;
    static char data[8 * 256 * 256];
    for (int type = DUEL_FP64; type < DUEL_DTYPES; type++) {
        struct duel_matrix matrix = {(enum duel_dtype)type, 256, 256, 256, data};
        double convert_s = -1;
        matrix_fill(&matrix, DUEL_UNIFORM, 1, DUEL_A, &convert_s);
        if (type == DUEL_FP64 || type == DUEL_FP32)
            assert_true(convert_s == -1);
        else
            assert_true(convert_s > 0 && convert_s < 10);
    }
}

static void an_empty_operand_is_left_alone(void **state)
{
    (void)state;
    struct duel_matrix matrix = {DUEL_FP32, 5, 0, 0, NULL};
    matrix_fill(&matrix, DUEL_UNIFORM, 1, DUEL_A, NULL);
    matrix_poison(&matrix);
    matrix = (struct duel_matrix){DUEL_FP16, 0, 5, 5, NULL};
    matrix_fill(&matrix, DUEL_UNIFORM, 1, DUEL_A, NULL);
    matrix_poison(&matrix);
    assert_null(matrix.data);
}

static void poison_is_nan_in_every_type(void **state)
{
    (void)state;
    double data[12];
    for (int type = DUEL_FP64; type < DUEL_INT8; type++) { /* whole numbers have no NaN */
        struct duel_matrix matrix = {(enum duel_dtype)type, 3, 3, 4, data};
        memset(data, 0, sizeof data);
        matrix_poison(&matrix);
        for (size_t i = 0; i < 12; i++)
            assert_true(isnan(dtype_load(matrix.type, data, i)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_checked_in_64_bits),
        cmocka_unit_test(uniform_values_are_multiples_in_range),
        cmocka_unit_test(uniform_values_look_random),
        cmocka_unit_test(normal_values_have_mean_0_variance_1_and_tails),
        cmocka_unit_test(zeros_are_zero),
        cmocka_unit_test(integers_are_minus_two_to_two_and_equally_often),
        cmocka_unit_test(filling_rounds_each_value_and_poisons_padding),
        cmocka_unit_test(only_narrower_types_have_a_conversion),
        cmocka_unit_test(an_empty_operand_is_left_alone),
        cmocka_unit_test(poison_is_nan_in_every_type),
    };
    return cmocka_run_group_tests_name("matrix", tests, NULL, NULL);
}
