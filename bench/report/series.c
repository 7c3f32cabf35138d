/* series.c: rows into lines. */
#include "bench/report/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"

double series_size(const struct duel_result *row)
{
    const struct duel_problem *problem = &row->problem;
    if (problem->m == problem->n && problem->n == problem->k)
        return (double)problem->n;
    return cbrt((double)problem->m * (double)problem->n * (double)problem->k);
}

/* A size of 0 has no place on a logarithmic axis, and no time worth showing. */
static bool drawable(const struct duel_result *row)
{
    return result_timed(row) && row->kernel.median > 0 && series_size(row) > 0;
}

static bool same_precision(const struct duel_result *a, const struct duel_result *b)
{
    return a->problem.types.in == b->problem.types.in;
}

static bool same_line(const struct duel_result *a, const struct duel_result *b)
{
    return strcmp(a->implementation, b->implementation) == 0 && strcmp(a->device, b->device) == 0 &&
           same_precision(a, b) && a->threads == b->threads;
}

static bool add_row(struct duel_series_set *set, const struct duel_result *row, size_t most)
{
    size_t index = 0;
    while (index < set->count && !same_line(set->series[index].row[0], row))
        index++;
    struct duel_series *line = &set->series[index];
    if (index == set->count) {
        *line = (struct duel_series){.style = style_of(row->implementation), .cpu = result_on_cpu(row)};
        line->row = calloc(most, sizeof(const struct duel_result *));
        if (!line->row)
            return false;
        set->count++;
    }
    size_t at = line->count++;
    for (; at > 0 && series_size(line->row[at - 1]) > series_size(row); at--)
        line->row[at] = line->row[at - 1];
    line->row[at] = row;
    return true;
}

static void add_size(struct duel_series_set *set, double size)
{
    size_t at = set->sizes;
    while (at > 0 && set->size[at - 1] > size)
        at--;
    if (at > 0 && set->size[at - 1] == size)
        return;
    memmove(set->size + at + 1, set->size + at, (set->sizes - at) * sizeof *set->size);
    set->size[at] = size;
    set->sizes++;
}

/* ---- labels: the short name, and whatever tells two lines with the same short name apart --------------------------
 */

static void label_line(const struct duel_series_set *set, struct duel_series *line)
{
    const struct duel_result *own = line->row[0];
    bool precision = false, threads = false, device = false, workload = false;
    for (size_t i = 0; i < set->count; i++) {
        const struct duel_result *other = set->series[i].row[0];
        bool same_name = strcmp(other->implementation, own->implementation) == 0;
        precision |= same_name && !same_precision(other, own);
        threads |= same_name && other->threads != own->threads;
        device |= !set->series[i].cpu && !line->cpu && strcmp(other->device, own->device) != 0;
        workload |= strcmp(other->workload, own->workload) != 0;
    }
    line->thin = precision && own->problem.types.in == DUEL_FP64;
    const char *last = strrchr(own->implementation, '/');
    int used = snprintf(line->label, sizeof line->label, "%s %.30s%s%.40s", line->cpu ? "CPU" : "GPU",
                        workload ? own->workload : "", workload ? " " : "", last ? last + 1 : own->implementation);
    size_t size = sizeof line->label;
    line->name = line->label + strlen("CPU ");
    if (precision && used > 0 && (size_t)used < size)
        used += snprintf(line->label + used, size - (size_t)used, " %s", dtype_name(own->problem.types.in));
    if (threads && used > 0 && (size_t)used < size)
        used += snprintf(line->label + used, size - (size_t)used, " %dT", own->threads);
    if (device && used > 0 && (size_t)used < size)
        snprintf(line->label + used, size - (size_t)used, " %s", own->device);
}

bool series_collect(struct duel_series_set *set, const struct duel_result *results, size_t count)
{
    *set = (struct duel_series_set){
        .series = calloc(count + 1, sizeof *set->series), .size = calloc(count + 1, sizeof *set->size), .square = true};
    bool good = set->series && set->size;
    for (int half = 0; half < 2; half++)
        for (size_t i = 0; i < count && good; i++) {
            const struct duel_result *row = &results[i];
            if (!drawable(row) || result_on_cpu(row) != (half == 0))
                continue;
            good = add_row(set, row, count);
            add_size(set, series_size(row));
            set->gpu |= half == 1;
            set->square &= row->problem.m == row->problem.n && row->problem.n == row->problem.k;
        }
    for (size_t i = 0; i < set->count && good; i++)
        label_line(set, &set->series[i]);
    if (!good)
        series_free(set);
    return good;
}

void series_free(struct duel_series_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->series[i].row);
    free(set->series);
    free(set->size);
    *set = (struct duel_series_set){.square = true};
}
