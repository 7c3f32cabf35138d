/* zoo.c: which problems are awkward, and in which order they are tried. */
#include "bench/verify/zoo.h"

#include <string.h>

#include "bench/matrix/dtype.h"

/* Kernels cut matrices into tiles of 16, 32 or 64 (BM, BN) and step through k by 8 to 64 (BK), so faults live one
 * beside those numbers. The first shape is the one that always sees every alpha and beta. */
const struct duel_zoo_shape zoo_shape_table[] = {
    {31, 33, 35, "around a tile of 32, and odd", 1},
    {1, 1, 1, "one element, one product", 1},
    {1, 1, 2, "the shortest sum", 1},
    {2, 3, 1, "an outer product, smaller than any tile", 1},
    {7, 11, 13, "primes, smaller than any tile", 1},
    {3, 5, 0, "no products: C = beta C", 1},
    {17, 33, 0, "no products, more than one tile", 1},
    {33, 31, 1, "an outer product", 1},
    {8, 8, 8, "half of the smallest tile", 1},
    {15, 15, 15, "one below a tile of 16", 1},
    {16, 16, 16, "a tile of 16", 1},
    {17, 16, 16, "m one over", 1},
    {16, 17, 16, "n one over", 1},
    {16, 16, 17, "k one over", 1},
    {32, 32, 32, "a tile of 32", 1},
    {33, 32, 32, "m one over", 1},
    {32, 33, 32, "n one over", 1},
    {32, 32, 33, "k one over", 1},
    {63, 63, 63, "one below a tile of 64", 1},
    {64, 64, 64, "a tile of 64", 1},
    {65, 64, 64, "m one over", 1},
    {64, 65, 64, "n one over", 1},
    {64, 64, 65, "k one over", 1},
    {1, 257, 5, "one row", 1},
    {257, 1, 5, "one column", 1},
    {257, 3, 5, "tall", 1},
    {3, 257, 5, "wide", 1},
    {1, 1, 1000, "one long sum", 1},
    {97, 101, 1, "primes, more than one tile", 1},
    {128, 128, 9, "whole tiles, k not one of them", 1},
    {129, 65, 97, "several tiles each way, none at the edge whole", 1},
    {0, 0, 0, NULL, 0},
};
/* Sums in which one product is far below the classical bound, of few elements so that a test is quick. */
static const struct duel_zoo_shape long_table[] = {
    {16, 16, 4096, "a long sum", 1},
    {9, 5, 4099, "a long sum, in primes", 1},
    {5, 7, 16384, "a very long sum", 1},
};
/* What CPU kernels do only beyond some hundred columns or terms. */
static const struct duel_zoo_shape roomy_table[] = {
    {37, 530, 19, "more columns than are read in place", 1},
    {17, 35, 300, "a sum of several pieces", 1},
};
static const struct duel_zoo_shape large_shape = {701, 673, 691, "3.3e8 products, in primes", 1};

static const double scalar_table[][2] = {
    {1, 0}, {1, 1}, {1, -0.5}, {-0.5, 0}, {-0.5, 1}, {-0.5, -0.5}, {0, 0}, {0, 1}, {0, -0.5},
};
enum { SCALARS = sizeof scalar_table / sizeof scalar_table[0] };

/* A walk through all cases of one implementation. */
struct walk {
    const struct duel_place *place; /* NULL: only count */
    const struct duel_zoo_options *options;
    duel_zoo_callback *callback;
    void *context;
    struct duel_why *why;
    struct duel_zoo_case which;
    enum duel_status worst;
    bool stopped;
};

static void visit(struct walk *walk)
{
    struct duel_zoo_outcome outcome;
    if (walk->place && !walk->stopped) {
        zoo_case_run(walk->place, &walk->which, &outcome);
        const bool failed = outcome.status != DUEL_OK && outcome.status != DUEL_SKIP;
        if (failed && walk->worst == DUEL_OK) {
            walk->worst = outcome.status;
            if (walk->why)
                *walk->why = outcome.why;
        }
        walk->stopped = walk->callback && !walk->callback(walk->context, &walk->which, &outcome);
    }
    walk->which.number++;
}

/* Both kinds of data, with each number of threads. */
static void each_data(struct walk *walk)
{
    const bool threaded = walk->which.impl->threads && walk->options->threads;
    for (int t = 0; t < (threaded ? walk->options->threads_count : 1); t++) {
        walk->which.threads = threaded ? walk->options->threads[t] : 1;
        walk->which.data = DUEL_INTEGERS;
        visit(walk);
        walk->which.data = DUEL_UNIFORM;
        if (!walk->options->integers_only)
            visit(walk);
    }
}

/* Extents that the workload does not have say nothing; those it must have are at least 1. False for what it cannot do.
 */
static bool extents_of(const struct walk *walk, const struct duel_zoo_shape *shape, struct duel_problem *problem)
{
    const struct duel_workload *workload = walk->which.workload;
    *problem = walk->which.problem;
    problem->m = shape->m;
    problem->n = shape->n;
    problem->k = shape->k;
    problem->count = shape->count > 0 ? shape->count : 1;
    workload_normalise(workload, problem);
    for (const char *letter = workload->extents; *letter; letter++)
        if (*workload_extent(problem, *letter) == 0 && !strchr(workload->empty, *letter))
            return false;
    return true;
}

/* Leading dimensions: the row itself, or odd and different for each operand, so that mixing them up shows. */
static bool set_shape(struct walk *walk, const struct duel_zoo_shape *shape, bool padded)
{
    static const int64_t padding[DUEL_MAX_OPERANDS] = {5, 3, 7, 1};
    struct duel_problem *problem = &walk->which.problem;
    const bool possible = extents_of(walk, shape, problem);
    workload_tight(walk->which.workload, problem);
    for (int i = 0; padded && i < walk->which.workload->operands; i++)
        problem->ld[i] += padding[i];
    return possible;
}

/* Two shapes of the table may be one and the same to a workload that has fewer extents. */
static bool seen_before(const struct walk *walk, int shape)
{
    struct duel_problem own, other;
    extents_of(walk, &zoo_shape_table[shape], &own);
    for (int i = 0; i < shape; i++) {
        extents_of(walk, &zoo_shape_table[i], &other);
        if (own.m == other.m && own.n == other.n && own.k == other.k && own.count == other.count)
            return true;
    }
    return false;
}

static void set_scalars(struct walk *walk, int64_t index)
{
    walk->which.problem.alpha = scalar_table[index % SCALARS][0];
    walk->which.problem.beta = scalar_table[index % SCALARS][1];
    workload_normalise(walk->which.workload, &walk->which.problem);
}

/* Padding finds more faults; rows without it are what users have. `index` makes alpha and beta change. */
static void one_shape(struct walk *walk, const struct duel_zoo_shape *shape, int64_t index)
{
    for (int padded = 0; padded < 2; padded++) {
        const int some = index == 0 || walk->options->every_scalar ? SCALARS : 1;
        if (!set_shape(walk, shape, padded))
            return;
        for (int scalar = 0; scalar < (walk->which.workload->scalars ? some : 1); scalar++) {
            set_scalars(walk, some == 1 ? 2 * index + padded : scalar);
            each_data(walk);
        }
    }
}

static void each_shape(struct walk *walk)
{
    const struct duel_workload *workload = walk->which.workload;
    int64_t index = 0;
    for (const struct duel_zoo_shape *shape = workload->zoo; shape && shape->note; shape++)
        one_shape(walk, shape, index++);
    for (int shape = 0; zoo_shape_table[shape].note && !workload->zoo_only; shape++, index++)
        if (!seen_before(walk, shape))
            one_shape(walk, &zoo_shape_table[shape], index);
    if (!walk->options->large || !workload->probe)
        return;
    for (size_t i = 0; i < sizeof roomy_table / sizeof *roomy_table; i++)
        one_shape(walk, &roomy_table[i], index++);
    for (size_t i = 0; i < sizeof long_table / sizeof *long_table; i++) {
        if (!set_shape(walk, &long_table[i], true))
            continue;
        set_scalars(walk, (int64_t)i + 2);
        each_data(walk);
    }
    if (!set_shape(walk, &large_shape, true))
        return;
    walk->which.large = true;
    set_scalars(walk, 5); /* alpha and beta both take part */
    each_data(walk);
    walk->which.large = false;
}

static void each_precision(struct walk *walk)
{
    for (int i = 0; i < DUEL_MAX_TYPES && walk->which.impl->types[i].in != DUEL_NONE; i++) {
        walk->which.problem.types = walk->which.impl->types[i];
        if (walk->options->precision == DUEL_NONE || walk->options->precision == walk->which.problem.types.in)
            each_shape(walk);
    }
}

static struct walk begin(const struct duel_impl *impl, const struct duel_workload *workload,
                         const struct duel_zoo_options *options)
{
    struct walk walk = {.options = options, .worst = DUEL_OK};
    walk.which.impl = impl;
    walk.which.workload = workload;
    walk.which.seed = options->seed;
    walk.which.before = options->before;
    walk.which.before_context = options->before_context;
    return walk;
}

enum duel_status zoo_run(const struct duel_place *place, const struct duel_impl *impl,
                         const struct duel_workload *workload, const struct duel_zoo_options *options,
                         duel_zoo_callback *callback, void *context, struct duel_why *why)
{
    struct walk walk = begin(impl, workload, options);
    walk.place = place;
    walk.callback = callback;
    walk.context = context;
    walk.why = why;
    each_precision(&walk);
    return walk.worst;
}

int64_t zoo_count(const struct duel_impl *impl, const struct duel_workload *workload,
                  const struct duel_zoo_options *options)
{
    struct walk walk = begin(impl, workload, options);
    each_precision(&walk);
    return walk.which.number;
}
