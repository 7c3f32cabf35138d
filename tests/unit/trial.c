/* trial.c: operands with padded rows, and an output to spoil. */
#include "tests/unit/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/matrix/dtype.h"

static struct duel_matrix matrix_of(enum duel_dtype type, int64_t rows, int64_t columns)
{
    struct duel_matrix matrix = {type, rows, columns, columns + 2, NULL};
    matrix.data = malloc((size_t)(rows * matrix.ld) * dtype_size(type) + 1);
    assert_non_null(matrix.data);
    matrix_poison(&matrix);
    return matrix;
}

void trial_set(const struct duel_matrix *matrix, int64_t row, int64_t column, double value)
{
    dtype_store(matrix->type, matrix->data, (size_t)(row * matrix->ld + column), value);
}

double trial_get(const struct duel_matrix *matrix, int64_t row, int64_t column)
{
    return dtype_load(matrix->type, matrix->data, (size_t)(row * matrix->ld + column));
}

void trial_open(struct trial *t, int64_t m, int64_t n, int64_t k, double beta, struct duel_types types,
                enum duel_data data)
{
    const struct duel_workload *gemm = workload_find("gemm", 4);
    memset(t, 0, sizeof *t);
    t->problem = (struct duel_problem){.m = m, .n = n, .k = k, .ld = {k + 2, n + 2, n + 2}, .alpha = 1, .beta = beta};
    t->problem.types = types;
    for (int i = 0; i < 3; i++) {
        int64_t rows, columns;
        gemm->extent(&t->problem, i, &rows, &columns);
        t->operand[i] = matrix_of(i == DUEL_C ? types.out : types.in, rows, columns);
        matrix_fill(&t->operand[i], data, 5, i, NULL);
    }
    t->before[DUEL_C] = t->operand[DUEL_C];
    t->output = matrix_of(types.out, m, n);
}

void trial_expect(struct trial *t, bool exact)
{
    struct duel_why why;
    assert_int_equal(
        expectation_make(&t->expectation, workload_find("gemm", 4), &t->problem, t->operand, t->before, exact, &why),
        DUEL_OK);
    t->expectation.any_data = t->any_data;
    for (int64_t i = 0; t->expectation.result && i < t->problem.m; i++)
        for (int64_t j = 0; j < t->problem.n; j++)
            trial_set(&t->output, i, j, t->expectation.result[i * t->problem.n + j]);
}

struct duel_verdict trial_verdict(const struct trial *t, uint64_t seed)
{
    struct duel_verdict verdict;
    struct duel_why why;
    assert_int_equal(verify_output(&t->expectation, &t->problem, &t->output, seed, &verdict, &why), DUEL_OK);
    return verdict;
}

void trial_close(struct trial *t)
{
    expectation_free(&t->expectation);
    for (int i = 0; i < 3; i++)
        free(t->operand[i].data);
    free(t->output.data);
}
