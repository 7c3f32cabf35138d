/* rows.c: a few rows of a large output, exactly.
 *
 * Freivalds' tier sees the whole output, but only through sums: it knows no largest error and no wrong element. A row
 * of the reference costs k n products, so a few of them are cheap at any size where the output fits at all. They are
 * gathered into a problem of their own, which then goes through the same judges as a small one. */
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/stats/random.h"
#include "bench/verify/trial.h"

/* The problem of the chosen rows. Operands without a row for each row of the output are borrowed whole. */
struct sample {
    struct duel_problem problem;
    int64_t row[VERIFY_MOST_ROWS];
    struct duel_matrix operand[DUEL_MAX_OPERANDS], before[DUEL_MAX_OPERANDS], output;
    void *owned[2 * DUEL_MAX_OPERANDS + 1];
    int owned_count;
};

/* The first and the last row, where edges are, and others at random between them. */
static void choose_rows(struct sample *sample, int64_t all, int64_t wanted, uint64_t seed)
{
    const int64_t count = wanted < all ? wanted : all;
    sample->problem.m = count;
    for (int64_t i = 0; i < count; i++)
        sample->row[i] = count == all     ? i
                         : i == 0         ? 0
                         : i == count - 1 ? all - 1
                                          : 1 + (int64_t)random_below(&seed, (size_t)(all - 2));
}

static bool gather(struct sample *sample, const struct duel_matrix *from, struct duel_matrix *to)
{
    const size_t row_bytes = (size_t)from->ld * dtype_size(from->type);
    *to = *from;
    if (!from->data)
        return true;
    to->rows = sample->problem.m;
    to->data = malloc((size_t)to->rows * row_bytes + 1);
    if (!to->data)
        return false;
    sample->owned[sample->owned_count++] = to->data;
    for (int64_t i = 0; i < to->rows; i++)
        memcpy((char *)to->data + (size_t)i * row_bytes, (const char *)from->data + (size_t)sample->row[i] * row_bytes,
               row_bytes);
    return true;
}

/* Does operand i have a row for each row of the output? */
static bool has_rows(const struct duel_workload *workload, const struct duel_problem *problem, int i)
{
    struct duel_problem taller = *problem;
    int64_t rows, more, columns;
    taller.m++;
    workload->extent(problem, i, &rows, &columns);
    workload->extent(&taller, i, &more, &columns);
    return more > rows;
}

static bool gather_all(struct sample *sample, const struct duel_expectation *whole, const struct duel_problem *problem,
                       const struct duel_matrix *output)
{
    const struct duel_workload *workload = whole->workload;
    bool enough = gather(sample, output, &sample->output);
    for (int i = 0; i < workload->operands && enough; i++) {
        const bool old = problem->beta != 0 && workload->role[i] == DUEL_OUT;
        const bool input = workload->role[i] == DUEL_IN;
        sample->operand[i] = whole->operand[i];
        if (input && has_rows(workload, problem, i))
            enough = gather(sample, &whole->operand[i], &sample->operand[i]);
        if (old)
            enough = gather(sample, &whole->before[i], &sample->before[i]);
    }
    return enough;
}

/* Places in the sample become places in the whole. */
static void name_place(const struct sample *sample, struct duel_verdict *verdict)
{
    if (verdict->worst_row < 0)
        return;
    verdict->worst_row = sample->row[verdict->worst_row];
    if (!verdict->right)
        snprintf(verdict->reason, sizeof verdict->reason,
                 "(%lld, %lld) is wrong, %.3g times the bound; %lld whole rows were looked at",
                 (long long)verdict->worst_row, (long long)verdict->worst_column, verdict->bound_ratio,
                 (long long)sample->problem.m);
}

/* Two expected numbers for each element, and copies of one row of everything that has rows of its own. */
uint64_t verify_row_bytes(const struct duel_workload *workload, const struct duel_problem *problem)
{
    uint64_t bytes = 2 * sizeof(double) * (uint64_t)workload_output_columns(workload, problem);
    for (int i = 0; i < workload->operands; i++) {
        const bool out = workload->role[i] == DUEL_OUT;
        const uint64_t row = (uint64_t)problem->ld[i] * dtype_size(workload_type(workload, problem, i));
        if (has_rows(workload, problem, i))
            bytes += out && problem->beta != 0 ? 2 * row : row;
    }
    return bytes;
}

enum duel_status verify_rows(const struct duel_expectation *whole, const struct duel_problem *problem,
                             const struct duel_matrix *output, int rows, uint64_t seed, struct duel_verdict *verdict,
                             struct duel_why *why)
{
    struct sample sample = {.problem = *problem};
    struct duel_expectation expectation = *whole;
    expectation.probes = NULL;
    choose_rows(&sample, problem->m, rows < VERIFY_MOST_ROWS ? rows : VERIFY_MOST_ROWS, seed);
    const size_t elements = (size_t)sample.problem.m * (size_t)output->columns;
    expectation.problem.m = sample.problem.m;
    expectation.operand = sample.operand;
    expectation.before = sample.before;
    expectation.result = malloc(elements * sizeof(double) + 1);
    expectation.magnitude = malloc(elements * sizeof(double) + 1);
    enum duel_status status = DUEL_OK;
    if (expectation.result && expectation.magnitude && gather_all(&sample, whole, problem, output)) {
        whole->workload->reference(&expectation.problem, sample.operand, sample.before, expectation.result,
                                   expectation.magnitude);
        status = verify_output(&expectation, &sample.problem, &sample.output, seed, verdict, why);
        if (status == DUEL_OK)
            name_place(&sample, verdict);
    } else {
        status = duel_fail(why, DUEL_ENOMEM, "the errors of single elements stay unknown", "close other programs",
                           "out of memory for %lld rows", (long long)sample.problem.m);
    }
    for (int i = 0; i < sample.owned_count; i++)
        free(sample.owned[i]);
    free(expectation.result);
    free(expectation.magnitude);
    return status;
}
