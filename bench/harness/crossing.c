#include "bench/harness/crossing.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the measured points say ------------------------------------------------------------------------------- */

/* All points so far, by rising size. */
struct curve {
    int64_t *n;
    enum duel_side *side;
    size_t count;
    char letter; /* of the sizes, in words */
};

/* Positions on a curve; NOWHERE when there is no such point. */
#define NOWHERE SIZE_MAX
struct shape {
    size_t last_slower, first_faster, last_faster; /* anywhere */
    size_t above;                                  /* the first faster one after last_slower */
    size_t first_below, first_above;               /* the first crossing */
    int crossings;
};

static struct shape shape_of(const struct curve *curve)
{
    struct shape shape = {NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, 0};
    for (size_t i = 0; i < curve->count; i++) {
        if (curve->side[i] == SIDE_SLOWER) {
            shape.last_slower = i;
            shape.above = NOWHERE;
        } else if (curve->side[i] == SIDE_FASTER) {
            const bool crosses = shape.last_slower != NOWHERE && shape.above == NOWHERE;
            if (crosses && shape.crossings++ == 0) {
                shape.first_below = shape.last_slower;
                shape.first_above = i;
            }
            shape.above = shape.above == NOWHERE ? i : shape.above;
            shape.first_faster = shape.first_faster == NOWHERE ? i : shape.first_faster;
            shape.last_faster = i;
        }
    }
    return shape;
}

static bool is_found(const struct shape *shape)
{
    return shape->last_slower != NOWHERE && shape->above != NOWHERE;
}

/* ---- narrowing -------------------------------------------------------------------------------------------------- */

/* Half way on the logarithmic scale of sizes, at a multiple of 8 where one lies between: odd sizes have costs of their
 * own, which are not the question here. */
static int64_t between(int64_t below, int64_t above)
{
    int64_t middle = (int64_t)llround(sqrt((double)below * (double)above));
    int64_t even = (middle + 4) / 8 * 8;
    if (even > below && even < above)
        middle = even;
    return middle > below && middle < above ? middle : 0;
}

static double gap(const struct curve *curve, size_t from)
{
    return (double)curve->n[from + 1] / (double)curve->n[from];
}

/* Between the last slower and the first faster size lie undecided ones: their ends are looked for in the first and in
 * the last gap, the wider one first. Without any, both are the same. */
static size_t widest(const struct curve *curve, const struct shape *shape)
{
    const size_t first = shape->last_slower, last = shape->above - 1;
    return gap(curve, last) > gap(curve, first) ? last : first;
}

static void insert(struct curve *curve, size_t at, int64_t n, enum duel_side side)
{
    memmove(curve->n + at + 1, curve->n + at, (curve->count - at) * sizeof *curve->n);
    memmove(curve->side + at + 1, curve->side + at, (curve->count - at) * sizeof *curve->side);
    curve->n[at] = n;
    curve->side[at] = side;
    curve->count++;
}

/* Returns how many sizes it has measured. */
static int narrow(struct curve *curve, double tolerance, int most, duel_side_at *measure, void *context)
{
    for (int measured = 0; measured < most; measured++) {
        const struct shape shape = shape_of(curve);
        if (!is_found(&shape))
            return measured;
        const size_t from = widest(curve, &shape);
        enum duel_side side = SIDE_UNDECIDED;
        const int64_t middle = gap(curve, from) > 1 + tolerance ? between(curve->n[from], curve->n[from + 1]) : 0;
        if (middle == 0 || !measure(context, middle, &side))
            return measured;
        insert(curve, from + 1, middle, side);
    }
    return most;
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

__attribute__((format(printf, 2, 3))) static void say(struct duel_crossing *crossing, const char *format, ...)
{
    const size_t used = strnlen(crossing->words, sizeof crossing->words);
    va_list args;
    va_start(args, format);
    vsnprintf(crossing->words + used, sizeof crossing->words - used, format, args);
    va_end(args);
}

static void say_found(struct duel_crossing *crossing, char letter)
{
    say(crossing, "between %c = %lld and %c = %lld", letter, (long long)crossing->below, letter,
        (long long)crossing->above);
    if (crossing->undecided > 0)
        say(crossing, ", undecided at %d size%s between", crossing->undecided, crossing->undecided > 1 ? "s" : "");
    if (crossing->crossings > 1)
        say(crossing, "; the last of %d crossings, the first is between %c = %lld and %c = %lld", crossing->crossings,
            letter, (long long)crossing->first_below, letter, (long long)crossing->first_above);
}

static void say_not_found(struct duel_crossing *crossing, const struct curve *curve, const struct shape *shape)
{
    const int64_t *n = curve->n;
    const char letter = curve->letter;
    const long long smallest = (long long)n[0], largest = (long long)n[curve->count - 1];
    if (shape->last_slower == NOWHERE && shape->first_faster == NOWHERE) {
        say(crossing, "undecided at every size measured, %c = %lld to %lld: each interval holds 1", letter, smallest,
            largest);
    } else if (shape->last_slower == NOWHERE) {
        say(crossing, "not in the range measured: it pays from %c = %lld", letter, (long long)n[shape->first_faster]);
        say(crossing, shape->first_faster == 0 ? ", the smallest" : ", and no smaller size is decided");
    } else {
        const long long slower = (long long)n[shape->last_slower];
        say(crossing, "not in the range measured: it does not pay %s %c = %lld",
            shape->first_faster == NOWHERE ? "up to" : "at", letter, slower);
        say(crossing, slower == largest ? ", the largest" : ", and no larger size is decided");
        if (shape->first_faster != NOWHERE)
            say(crossing, ", though it does at %c = %lld", letter, (long long)n[shape->last_faster]);
    }
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static void describe(struct duel_crossing *crossing, const struct curve *curve)
{
    const struct shape shape = shape_of(curve);
    crossing->found = is_found(&shape);
    if (!crossing->found) {
        say_not_found(crossing, curve, &shape);
        return;
    }
    crossing->below = curve->n[shape.last_slower];
    crossing->above = curve->n[shape.above];
    crossing->undecided = (int)(shape.above - shape.last_slower - 1);
    crossing->crossings = shape.crossings;
    crossing->first_below = curve->n[shape.first_below];
    crossing->first_above = curve->n[shape.first_above];
    say_found(crossing, curve->letter);
}

struct duel_crossing crossing_find(char letter, const int64_t *n, const enum duel_side *side, size_t count,
                                   double tolerance, int most, duel_side_at *measure, void *context)
{
    struct duel_crossing crossing = {.found = false};
    const size_t room = count + (size_t)most + 1;
    struct curve curve = {malloc(room * sizeof *n), malloc(room * sizeof *side), 0, letter};
    for (; curve.n && curve.side && curve.count < count; curve.count++) {
        curve.n[curve.count] = n[curve.count];
        curve.side[curve.count] = side[curve.count];
    }
    if (measure)
        crossing.measured = narrow(&curve, tolerance, most, measure, context);
    if (curve.count > 0)
        describe(&crossing, &curve);
    else
        say(&crossing, "nothing was measured");
    free(curve.n);
    free(curve.side);
    return crossing;
}
