#include "bench/selftest/faults.h"

#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"

static size_t place(const struct duel_matrix *x, int64_t row, int64_t column)
{
    return (size_t)(row * x->ld + column);
}

static double get(const struct duel_matrix *x, int64_t row, int64_t column)
{
    return dtype_load(x->type, x->data, place(x, row, column));
}

static void set(const struct duel_matrix *x, int64_t row, int64_t column, double value)
{
    dtype_store(x->type, x->data, place(x, row, column), value);
}

static double rms(const struct duel_matrix *x)
{
    double sum = 0;
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t j = 0; j < x->columns; j++)
            sum += get(x, i, j) * get(x, i, j);
    return sqrt(sum / (double)(x->rows * x->columns));
}

/* An element of ordinary size: a tenth of nearly nothing would be no fault. */
static void one_element_off(const struct duel_problem *problem, const struct duel_matrix *operand)
{
    const struct duel_matrix *C = &operand[DUEL_C];
    double typical = rms(C);
    (void)problem;
    for (int64_t i = C->rows / 2; i < C->rows; i++)
        for (int64_t j = C->columns / 3; j < C->columns; j++)
            if (fabs(get(C, i, j)) >= typical) {
                set(C, i, j, 1.1 * get(C, i, j));
                return;
            }
}

static void one_nan(const struct duel_problem *problem, const struct duel_matrix *operand)
{
    set(&operand[DUEL_C], problem->m / 2, problem->n / 3, NAN);
}

static void one_infinity(const struct duel_problem *problem, const struct duel_matrix *operand)
{
    set(&operand[DUEL_C], problem->m / 2, problem->n / 3, -INFINITY);
}

static void last_row_unwritten(const struct duel_problem *problem, const struct duel_matrix *operand)
{
    const struct duel_matrix *C = &operand[DUEL_C];
    memset((char *)C->data + place(C, problem->m - 1, 0) * dtype_size(C->type), 0xFF,
           (size_t)problem->n * dtype_size(C->type));
}

static void last_column_zero(const struct duel_problem *problem, const struct duel_matrix *operand)
{
    for (int64_t i = 0; i < problem->m; i++)
        set(&operand[DUEL_C], i, problem->n - 1, 0);
}

static void last_term_dropped(const struct duel_problem *problem, const struct duel_matrix *operand)
{
    const struct duel_matrix *A = &operand[DUEL_A], *B = &operand[DUEL_B], *C = &operand[DUEL_C];
    for (int64_t i = 0; i < problem->m; i++)
        for (int64_t j = 0; j < problem->n; j++)
            set(C, i, j, get(C, i, j) - get(A, i, problem->k - 1) * get(B, problem->k - 1, j));
}

static void padding_written(const struct duel_problem *problem, const struct duel_matrix *operand)
{
    set(&operand[DUEL_C], problem->m - 1, problem->n, 1); /* one column too far */
}

static void rows_exchanged(const struct duel_problem *problem, const struct duel_matrix *operand)
{
    const struct duel_matrix *C = &operand[DUEL_C];
    for (int64_t j = 0; j < problem->n; j++) {
        double upper = get(C, 0, j), lower = get(C, 1, j);
        set(C, 0, j, lower);
        set(C, 1, j, upper);
    }
}

static void transposed(const struct duel_problem *problem, const struct duel_matrix *operand)
{
    const struct duel_matrix *C = &operand[DUEL_C];
    for (int64_t i = 0; i < problem->m; i++)
        for (int64_t j = 0; j < i; j++) {
            double below = get(C, i, j), above = get(C, j, i);
            set(C, i, j, above);
            set(C, j, i, below);
        }
}

/* What TF32 inputs leave in an FP32 answer: about 2.6e-4 of its typical size, with either sign. */
static void rounded_like_tf32(const struct duel_problem *problem, const struct duel_matrix *operand)
{
    const struct duel_matrix *C = &operand[DUEL_C];
    double error = 2.6e-4 * rms(C);
    for (int64_t i = 0; i < problem->m; i++)
        for (int64_t j = 0; j < problem->n; j++)
            set(C, i, j, get(C, i, j) + ((i * 7 + j * 3) % 5 < 2 ? error : -error));
}

static void never_ran(const struct duel_problem *problem, const struct duel_matrix *operand)
{
    const struct duel_matrix *C = &operand[DUEL_C];
    for (int64_t i = 0; i < problem->m; i++)
        memset((char *)C->data + place(C, i, 0) * dtype_size(C->type), 0, (size_t)problem->n * dtype_size(C->type));
}

static void from_earlier_inputs(const struct duel_problem *problem, const struct duel_matrix *operand)
{
    const struct duel_matrix *A = &operand[DUEL_A], *B = &operand[DUEL_B], *C = &operand[DUEL_C];
    for (int64_t i = 0; i < problem->m; i++)
        for (int64_t j = 0; j < problem->n; j++) {
            double sum = 0; /* a right product, of columns of B that stand elsewhere now */
            for (int64_t l = 0; l < problem->k; l++)
                sum += get(A, i, l) * get(B, l, (j + 1) % problem->n);
            set(C, i, j, sum);
        }
}

const struct selftest_fault selftest_fault_table[] = {
    {"one element off by 10 %", 64, 64, 64, DUEL_UNIFORM, one_element_off},
    {"one element of 640000 off by 10 %", 800, 800, 480, DUEL_UNIFORM, one_element_off},
    {"one NaN", 64, 64, 64, DUEL_UNIFORM, one_nan},
    {"one infinity", 64, 64, 64, DUEL_UNIFORM, one_infinity},
    {"last row unwritten", 65, 33, 31, DUEL_UNIFORM, last_row_unwritten},
    {"last column zero", 33, 65, 31, DUEL_UNIFORM, last_column_zero},
    {"last term dropped, K = 4096", 16, 16, 4096, DUEL_UNIFORM, last_term_dropped},
    {"last term dropped, whole numbers", 16, 16, 4096, DUEL_INTEGERS, last_term_dropped},
    {"written beside C", 31, 31, 31, DUEL_UNIFORM, padding_written},
    {"two rows exchanged", 64, 64, 64, DUEL_INTEGERS, rows_exchanged},
    {"transposed", 48, 48, 48, DUEL_UNIFORM, transposed},
    {"TF32 accuracy under an FP32 label", 64, 64, 64, DUEL_UNIFORM, rounded_like_tf32},
    {"the kernel never ran", 64, 64, 64, DUEL_UNIFORM, never_ran},
    {"an answer to earlier inputs", 48, 48, 48, DUEL_UNIFORM, from_earlier_inputs},
    {NULL, 0, 0, 0, DUEL_UNIFORM, NULL},
};
