/* suspects.c: brings a wrong output into the form that pattern.c looks at. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/verify/pattern.h"
#include "bench/verify/trial.h"

/* More would take longer than the multiplication; the zoo's shapes have at most 8.2e5. */
#define MOST_PRODUCTS 2e6
enum { SECOND_PERCENT = 30 }; /* what else the same could mean */

void trial_blame(struct duel_trial *trial, enum duel_cause first, enum duel_cause second)
{
    trial->verdict->suspects.weight[first] += 1 - SECOND_PERCENT / 100.0;
    trial->verdict->suspects.weight[second] += SECOND_PERCENT / 100.0;
}

/* All elements without gaps; NULL for lack of memory. */
static double *dense(const struct duel_matrix *matrix)
{
    double *values = malloc((size_t)(matrix->rows * matrix->columns) * sizeof *values + 1);
    for (int64_t i = 0; values && i < matrix->rows; i++)
        trial_load(matrix, i, 0, matrix->columns, values + i * matrix->columns);
    return values;
}

static void add_place(struct duel_trial *trial, const double *value)
{
    const struct duel_matrix *output = trial->output;
    const size_t elements = (size_t)(output->rows * output->columns);
    unsigned char *wrong = malloc(elements + 1);
    char *reason = trial->verdict->reason, where[160];
    const size_t length = strlen(reason);
    for (size_t e = 0; wrong && e < elements; e++)
        wrong[e] = value[e] != trial->expectation->result[e];
    if (wrong) {
        pattern_where(wrong, output->rows, output->columns, where, sizeof where);
        snprintf(reason + length, sizeof trial->verdict->reason - length, "; %s", where);
    }
    free(wrong);
}

void trial_suspect(struct duel_trial *trial)
{
    const struct duel_workload *workload = trial->expectation->workload;
    const struct duel_problem *p = trial->problem;
    const double products = (double)p->m * (double)p->n * fmax((double)p->k, 1);
    if (!trial->exact || !workload->sums || strcmp(workload->name, "gemm") != 0 || products > MOST_PRODUCTS)
        return;
    double *A = dense(&trial->expectation->operand[DUEL_A]), *B = dense(&trial->expectation->operand[DUEL_B]);
    double *before = trial->before ? dense(trial->before) : NULL, *value = dense(trial->output);
    const struct duel_pattern pattern = {p->m, p->n, p->k, p->alpha, p->beta, A, B, before, trial->expectation->result,
                                         value};
    if (value)
        add_place(trial, value);
    if (A && B && value && (before || !trial->before))
        pattern_find(&pattern, &trial->verdict->suspects);
    free(A);
    free(B);
    free(before);
    free(value);
}
