/* sizes.c: --n and --shape. A part of the text that is wrong is named by itself, so that the one bad size in a long
 * list is found at once. */
#include <string.h>

#include "bench/options/values.h"

/* lo, then either + step or, with a step of 0, * factor, while not above hi. */
struct range {
    int64_t lo, hi, step, factor;
};

/* A part of the text and what is wrong with it. */
struct fault {
    const char *text;
    size_t length;
    const char *what;
};

static bool number(const char *text, size_t length, int64_t least, int64_t *value, struct fault *fault)
{
    *fault = (struct fault){text, length, option_number_fault(text, length, least, DUEL_MAX_EXTENT, value)};
    return !fault->what;
}

static enum duel_status sizes_refused(const char *text, const struct fault *fault, struct duel_why *why)
{
    return option_item_refused("--n", text, fault->text, fault->length, fault->what,
                               "give sizes from 1 to 2^40, such as --n 512, --n 64,100, --n 100:500:100 (steps) or "
                               "--n 512:4096:x2 (factors)",
                               why);
}

/* "512", "100:500:100" or "512:4096:x2" into a range; false with *fault set. */
static bool parse_range(const char *item, size_t length, struct range *range, struct fault *fault)
{
    const char *end = item + length;
    const char *first = memchr(item, ':', length);
    const char *second = first ? memchr(first + 1, ':', (size_t)(end - first - 1)) : NULL;

    *range = (struct range){.factor = 2};
    if (!first) {
        bool right = number(item, length, 1, &range->lo, fault);
        range->hi = range->lo;
        return right;
    }
    if (!second) {
        *fault = (struct fault){item, length, "is a range without a step; write lo:hi:step or lo:hi:xF"};
        return false;
    }
    if (!number(item, (size_t)(first - item), 1, &range->lo, fault) ||
        !number(first + 1, (size_t)(second - first - 1), 1, &range->hi, fault))
        return false;
    const char *step = second + 1;
    size_t rest = (size_t)(end - step);
    bool by_factor = rest > 0 && *step == 'x';
    bool right =
        by_factor ? number(step + 1, rest - 1, 2, &range->factor, fault) : number(step, rest, 1, &range->step, fault);
    if (!right)
        *fault = (struct fault){step, rest, by_factor ? "is not a factor such as x2" : "is not a step of at least 1"};
    else if (range->lo > range->hi)
        *fault = (struct fault){item, length, "ends below where it starts"};
    return right && range->lo <= range->hi;
}

/* The size after `n`, beyond range->hi at the end. Extents end at 2^40, so a step cannot overflow; a factor could. */
static int64_t following(const struct range *range, int64_t n)
{
    if (range->step)
        return n + range->step;
    return n > range->hi / range->factor ? range->hi + 1 : n * range->factor;
}

static bool same(const struct duel_shape *a, const struct duel_shape *b)
{
    return a->m == b->m && a->n == b->n && a->k == b->k && a->count == b->count && a->given == b->given;
}

static bool append(struct duel_options *options, struct duel_shape shape)
{
    for (int i = 0; i < options->shape_count; i++)
        if (same(&options->shape[i], &shape)) {
            options->repeated_sizes++;
            return true;
        }
    if (options->shape_count == DUEL_MAX_SIZES)
        return false;
    options->shape[options->shape_count++] = shape;
    return true;
}

enum duel_status options_sizes(const char *text, struct duel_options *options, struct duel_why *why)
{
    const char *rest = text, *item;
    size_t length;
    while (option_next_item(&rest, &item, &length)) {
        struct range range;
        struct fault fault;
        if (!parse_range(item, length, &range, &fault))
            return sizes_refused(text, &fault, why);
        for (int64_t n = range.lo; n <= range.hi; n = following(&range, n))
            if (!append(options, (struct duel_shape){n, n, n, 1, 0})) {
                fault = (struct fault){item, length, "gives more sizes than the 256 that fit in one run"};
                return sizes_refused(text, &fault, why);
            }
    }
    return DUEL_OK;
}

/* "MxNxK": one to four extents; false with *fault set. Which of them may be 0 is for the workload to say. */
static bool parse_shape(const char *item, size_t length, struct duel_shape *shape, struct fault *fault)
{
    int64_t extent[4] = {1, 1, 1, 1};
    const char *const whole = item, *const end = item + length;
    int given = 0;
    for (bool last = false; !last; given++) {
        const char *cross = memchr(item, 'x', (size_t)(end - item));
        last = cross == NULL;
        const char *stop = cross ? cross : end;
        if (given == 4) {
            *fault = (struct fault){whole, length, "has more than four extents"};
            return false;
        }
        if (!number(item, (size_t)(stop - item), 0, &extent[given], fault))
            return false;
        item = cross ? cross + 1 : end;
    }
    *shape = (struct duel_shape){extent[0], extent[1], extent[2], extent[3], given};
    return true;
}

enum duel_status options_shapes(const char *text, struct duel_options *options, struct duel_why *why)
{
    static const char next[] = "give m x n x k such as --shape 1000x10x500, several joined by commas, none above 2^40; "
                               "`duel list` tells which extents a workload has";
    const char *rest = text, *item;
    size_t length;
    while (option_next_item(&rest, &item, &length)) {
        struct duel_shape shape;
        struct fault fault;
        if (!parse_shape(item, length, &shape, &fault))
            return option_item_refused("--shape", text, fault.text, fault.length, fault.what, next, why);
        if (!append(options, shape))
            return option_item_refused("--shape", text, item, length,
                                       "gives more sizes than the 256 that fit in one run", next, why);
    }
    return DUEL_OK;
}
