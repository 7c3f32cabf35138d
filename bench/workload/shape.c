/* shape.c: sizes of problems in numbers and in words. */
#include "bench/workload/shape.h"

#include <math.h>
#include <string.h>

/* What is known of a workload by its name; records of newer versions may hold names that nobody here knows. */
static const struct duel_workload *known(const char *name)
{
    static const struct duel_workload unknown = {.extents = "mnk", .by_n = "mnk", .fixed = {.count = 1}};
    const struct duel_workload *found = workload_find(name, strlen(name));
    return found ? found : &unknown;
}

static int64_t extent_of(const struct duel_problem *problem, char letter)
{
    struct duel_problem copy = *problem;
    return *workload_extent(&copy, letter);
}

bool shape_apply(const struct duel_workload *workload, const struct duel_shape *shape, struct duel_problem *problem)
{
    const int64_t typed[] = {shape->m, shape->n, shape->k, shape->count};
    if (shape->given > 0 && (size_t)shape->given != strlen(workload->extents))
        return false;
    for (const char *letter = "mnkc"; *letter; letter++)
        *workload_extent(problem, *letter) = extent_of(&workload->fixed, *letter);
    for (const char *letter = workload->by_n; shape->given == 0 && *letter; letter++)
        *workload_extent(problem, *letter) = shape->n;
    for (int i = 0; i < shape->given; i++)
        *workload_extent(problem, workload->extents[i]) = typed[i];
    return true;
}

/* 'n' where --n sets an n, else the first extent that it sets. */
char shape_letter(const char *name)
{
    const char *by_n = known(name)->by_n;
    return strchr(by_n, 'n') ? 'n' : by_n[0];
}

bool shape_same(const struct duel_problem *a, const struct duel_problem *b)
{
    return a->m == b->m && a->n == b->n && a->k == b->k && a->count == b->count;
}

bool shape_by_n(const char *name, const struct duel_problem *problem)
{
    const struct duel_workload *workload = known(name);
    const int64_t n = extent_of(problem, workload->by_n[0]);
    for (const char *letter = workload->extents; *letter; letter++)
        if (extent_of(problem, *letter) != (strchr(workload->by_n, *letter) ? n : extent_of(&workload->fixed, *letter)))
            return false;
    return true;
}

double shape_size(const char *name, const struct duel_problem *problem)
{
    double product = 1;
    int count = 0;
    if (shape_by_n(name, problem))
        return (double)extent_of(problem, known(name)->by_n[0]);
    for (const char *letter = known(name)->by_n; *letter; letter++, count++)
        product *= (double)extent_of(problem, *letter);
    return count == 3 ? cbrt(product) : pow(product, 1.0 / count);
}

const char *shape_names(const char *name, const char *between, char *text, size_t size)
{
    size_t used = 0;
    for (const char *letter = known(name)->extents; *letter && used < size; letter++)
        used += (size_t)snprintf(text + used, size - used, *letter == 'c' ? "%scount" : "%s%c", used > 0 ? between : "",
                                 *letter);
    return text;
}

const char *shape_axis(const char *name, bool by_n, char *text, size_t size)
{
    const char *letters = known(name)->by_n, *between = by_n ? " = " : " ";
    size_t used = 0;
    if (by_n && !letters[1]) {
        snprintf(text, size, "%c", shape_letter(name));
        return text;
    }
    if (by_n)
        used = (size_t)snprintf(text, size, "%c (", shape_letter(name));
    for (const char *letter = letters; *letter && used < size; letter++)
        used += (size_t)snprintf(text + used, size - used, "%s%c", letter > letters ? between : "", *letter);
    if (by_n && used < size)
        snprintf(text + used, size - used, ")");
    return text;
}

static const char *join(const char *name, const struct duel_problem *problem, const char *between, char *text,
                        size_t size)
{
    size_t used = 0;
    for (const char *letter = known(name)->extents; *letter && used < size; letter++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", used > 0 ? between : "",
                                 (long long)extent_of(problem, *letter));
    return text;
}

const char *shape_words(const char *name, const struct duel_problem *problem, char *text, size_t size)
{
    char names[48], numbers[100];
    if (shape_by_n(name, problem))
        snprintf(text, size, "%c = %lld", shape_letter(name), (long long)shape_size(name, problem));
    else
        snprintf(text, size, "%s = %s", shape_names(name, " x ", names, sizeof names),
                 join(name, problem, " x ", numbers, sizeof numbers));
    return text;
}

const char *shape_typed(const char *name, const struct duel_problem *problem, char *text, size_t size)
{
    if (!shape_by_n(name, problem))
        return join(name, problem, "x", text, size);
    snprintf(text, size, "%lld", (long long)shape_size(name, problem));
    return text;
}
