/* series.c: rows into lines. */
#include "bench/report/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/report/words.h"
#include "bench/workload/shape.h"

double series_size(const struct duel_result *row)
{
    return shape_size(row->workload, &row->problem);
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
        *line = (struct duel_series){.cpu = result_on_cpu(row)};
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
    bool precision = false, threads = false, device = false;
    for (size_t i = 0; i < set->count; i++) {
        const struct duel_result *other = set->series[i].row[0];
        bool same_name = strcmp(other->implementation, own->implementation) == 0;
        precision |= same_name && !same_precision(other, own);
        threads |= same_name && other->threads != own->threads;
        device |= !set->series[i].cpu && !line->cpu && strcmp(other->device, own->device) != 0;
    }
    for (size_t i = 0; i < set->count; i++) /* narrower than FP32, where something wider stands beside it */
        line->other |= dtype_roundoff(own->problem.types.in) > dtype_roundoff(DUEL_FP32) &&
                       dtype_roundoff(set->series[i].row[0]->problem.types.in) < dtype_roundoff(own->problem.types.in);
    line->thin = precision && own->problem.types.in == DUEL_FP64;
    const char *last = strrchr(own->implementation, '/');
    int used = snprintf(line->label, sizeof line->label, "%s %.28s", line->cpu ? "CPU" : "GPU",
                        last ? last + 1 : own->implementation);
    size_t size = sizeof line->label;
    line->name = line->label + strlen("CPU ");
    if (precision && used > 0 && (size_t)used < size)
        used += snprintf(line->label + used, size - (size_t)used, " %s", dtype_name(own->problem.types.in));
    if (threads && used > 0 && (size_t)used < size)
        used += snprintf(line->label + used, size - (size_t)used, " %dT", own->threads);
    if (device && used > 0 && (size_t)used < size)
        used += snprintf(line->label + used, size - (size_t)used, " %.12s", own->device);
    if (line->other && used > 0 && (size_t)used < size)
        snprintf(line->label + used, size - (size_t)used, WORDS_MARK_OTHER);
}

/* Lines of one implementation share its colour; others have another one while there are enough. Names with a colour of
 * their own come first. */
static bool colour_lines(struct duel_series_set *set)
{
    unsigned *colour = calloc(set->count + 1, sizeof *colour);
    const bool good = colour != NULL;
    size_t used = 0;
    for (size_t i = 0; i < 2 * set->count && good; i++) {
        struct duel_series *line = &set->series[i % set->count];
        const char *name = line->row[0]->implementation;
        size_t same = 0;
        if (style_known(name) != (i < set->count))
            continue;
        while (strcmp(set->series[same].row[0]->implementation, name) != 0)
            same++;
        if (&set->series[same] != line) {
            line->style = set->series[same].style;
            continue;
        }
        line->style = style_beside(name, colour, used);
        colour[used++] = line->style.colour;
    }
    free(colour);
    return good;
}

bool series_collect(struct duel_series_set *set, const char *workload, const struct duel_result *results, size_t count)
{
    *set = (struct duel_series_set){
        .series = calloc(count + 1, sizeof *set->series), .size = calloc(count + 1, sizeof *set->size), .square = true};
    bool good = set->series && set->size;
    for (int half = 0; half < 2; half++)
        for (size_t i = 0; i < count && good; i++) {
            const struct duel_result *row = &results[i];
            if (strcmp(row->workload, workload) != 0 || !drawable(row) || result_on_cpu(row) != (half == 0))
                continue;
            good = add_row(set, row, count);
            add_size(set, series_size(row));
            set->gpu |= half == 1;
            set->square &= shape_by_n(row->workload, &row->problem);
        }
    for (size_t i = 0; i < set->count && good; i++)
        label_line(set, &set->series[i]);
    if (good)
        good = colour_lines(set);
    if (!good)
        series_free(set);
    return good;
}

/* ---- which size shows most ------------------------------------------------------------------------------------ */

const struct duel_result *series_at(const struct duel_series *series, double size)
{
    for (size_t i = 0; i < series->count; i++)
        if (series_size(series->row[i]) == size)
            return series->row[i];
    return NULL;
}

/* The largest size that both have; 0 without one. */
static double shared_size(const struct duel_series *a, const struct duel_series *b)
{
    for (size_t i = a->count; i-- > 0;)
        if (series_at(b, series_size(a->row[i])))
            return series_size(a->row[i]);
    return 0;
}

/* Faster at the largest size that both have; lines that never meet are told apart by how far they go. */
static bool beats(const struct duel_series *a, const struct duel_series *b)
{
    const double size = shared_size(a, b);
    if (size > 0)
        return series_at(a, size)->kernel.median < series_at(b, size)->kernel.median;
    return series_size(a->row[a->count - 1]) > series_size(b->row[b->count - 1]);
}

/* Another problem is taken only when there is nothing else on that side. */
static const struct duel_series *best_line(const struct duel_series_set *set, bool cpu)
{
    const struct duel_series *best = NULL;
    for (size_t i = 0; i < set->count; i++) {
        const struct duel_series *line = &set->series[i];
        if (line->cpu == cpu &&
            (!best || (best->other && !line->other) || (best->other == line->other && beats(line, best))))
            best = line;
    }
    return best;
}

double series_duel_size(const struct duel_series_set *set)
{
    const struct duel_series *cpu = best_line(set, true), *gpu = best_line(set, false);
    double best = cpu && gpu ? shared_size(cpu, gpu) : 0;
    size_t most = 0;
    for (size_t i = 0; i < set->sizes && (best == 0 || most > 0); i++) {
        size_t here = 0;
        for (size_t j = 0; j < set->count; j++)
            here += series_at(&set->series[j], set->size[i]) != NULL;
        if (here >= most) {
            most = here;
            best = set->size[i];
        }
    }
    return best;
}

void series_free(struct duel_series_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->series[i].row);
    free(set->series);
    free(set->size);
    *set = (struct duel_series_set){.square = true};
}
