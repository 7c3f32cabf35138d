/* workload.c: finds a workload in the generated table, and answers what follows from its descriptor. */
#include "bench/workload/workload.h"

#include <string.h>

const struct duel_workload *workload_find(const char *name, size_t length)
{
    for (const struct duel_workload *const *entry = workload_table; *entry; entry++)
        if (strlen((*entry)->name) == length && memcmp((*entry)->name, name, length) == 0)
            return *entry;
    return NULL;
}

const struct duel_workload *workload_of(const char *name)
{
    const char *start = strchr(name, '/'), *end = start ? strchr(start + 1, '/') : NULL;
    return end ? workload_find(start + 1, (size_t)(end - start - 1)) : NULL;
}

int workload_output(const struct duel_workload *workload)
{
    int index = 0;
    while (index < workload->operands - 1 && workload->role[index] != DUEL_OUT)
        index++;
    return index;
}

int64_t workload_output_rows(const struct duel_workload *workload, const struct duel_problem *problem)
{
    int64_t rows, columns;
    workload->extent(problem, workload_output(workload), &rows, &columns);
    return rows;
}

int64_t workload_output_columns(const struct duel_workload *workload, const struct duel_problem *problem)
{
    int64_t rows, columns;
    workload->extent(problem, workload_output(workload), &rows, &columns);
    return columns;
}

enum duel_dtype workload_type(const struct duel_workload *workload, const struct duel_problem *problem, int operand)
{
    if (workload->type)
        return workload->type(problem, operand);
    return workload->role[operand] == DUEL_IN ? problem->types.in : problem->types.out;
}

int64_t *workload_extent(struct duel_problem *problem, char letter)
{
    return letter == 'm' ? &problem->m : letter == 'n' ? &problem->n : letter == 'k' ? &problem->k : &problem->count;
}

void workload_tight(const struct duel_workload *workload, struct duel_problem *problem)
{
    for (int i = 0; i < workload->operands; i++) {
        int64_t rows, columns;
        workload->extent(problem, i, &rows, &columns);
        problem->ld[i] = columns > 0 ? columns : 1;
    }
}

void workload_normalise(const struct duel_workload *workload, struct duel_problem *problem)
{
    struct duel_problem fixed = workload->fixed;
    for (const char *letter = "mnkc"; *letter; letter++)
        if (!strchr(workload->extents, *letter))
            *workload_extent(problem, *letter) = *workload_extent(&fixed, *letter);
    if (!(workload->scalars & DUEL_ALPHA))
        problem->alpha = fixed.alpha;
    if (!(workload->scalars & DUEL_BETA))
        problem->beta = fixed.beta;
}
