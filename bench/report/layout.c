/* layout.c: labels moved apart, and tick marks. */
#include "bench/report/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A run of labels that touch: they move as one block, to the mean of where they would like to be. */
struct block {
    double sum;
    size_t count;
};

static double block_place(const struct block *block)
{
    return block->sum / (double)block->count;
}

/* Pools neighbours that are out of order until none are (the pool adjacent violators algorithm). Label i wishes for
 * place[i] - i * gap, because it keeps a distance of gap to each of the i labels below it. */
static void pool(const double *place, const size_t *order, size_t count, double gap, struct block *block)
{
    size_t blocks = 0;
    for (size_t i = 0; i < count; i++) {
        block[blocks++] = (struct block){place[order[i]] - (double)i * gap, 1};
        while (blocks > 1 && block_place(&block[blocks - 2]) >= block_place(&block[blocks - 1])) {
            block[blocks - 2].sum += block[blocks - 1].sum;
            block[blocks - 2].count += block[blocks - 1].count;
            blocks--;
        }
    }
}

static void sort_order(const double *place, size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && place[order[at - 1]] > place[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

void layout_spread(double *place, size_t count, double gap, double low, double high)
{
    size_t *order = calloc(count + 1, sizeof *order);
    struct block *block = calloc(count + 1, sizeof *block);
    if (order && block && count > 0) {
        double most = count > 1 ? (high - low) / (double)(count - 1) : 0;
        gap = fmin(gap, most);
        sort_order(place, order, count);
        pool(place, order, count, gap, block);
        double last = high - (double)(count - 1) * gap;
        const struct block *at = block;
        for (size_t i = 0, used = 0; i < count; i++) {
            double wish = fmin(fmax(block_place(at), low), fmax(last, low));
            place[order[i]] = wish + (double)i * gap;
            if (++used == at->count) {
                at++;
                used = 0;
            }
        }
    }
    free(order);
    free(block);
}

int layout_decades_named(FILE *stream, double low, double high, layout_name *name)
{
    static const double step[] = {1, 2, 5};
    if (!(low > 0) || !isfinite(high)) /* would never end */
        return 0;
    size_t steps = log10(high / low) < 3 ? 3 : 1;
    const char *comma = "";
    int longest = 0;
    for (int decade = (int)floor(log10(low)); pow(10, decade) <= high * (1 + 1e-9); decade++)
        for (size_t s = 0; s < steps; s++) {
            double tick = step[s] * pow(10, decade);
            if (tick < low * (1 - 1e-9) || tick > high * (1 + 1e-9))
                continue;
            char label[32];
            name(tick, label, sizeof label);
            const int length = (int)strlen(label);
            longest = length > longest ? length : longest;
            fprintf(stream, "%s'%s' %.10g", comma, label, tick);
            comma = ", ";
        }
    return longest;
}

static void plain(double value, char *out, size_t room)
{
    snprintf(out, room, "%.10g", value);
}

int layout_decades(FILE *stream, double low, double high)
{
    return layout_decades_named(stream, low, high, plain);
}

void layout_named(FILE *stream, const double *size, size_t count, double low, double high, layout_name *name)
{
    const double digit = 0.021, air = 0.018; /* of the axis */
    double last = INFINITY, span = log(high / low);
    const char *comma = "";
    for (size_t i = count; i-- > 0;) {
        char label[32];
        name(size[i], label, sizeof label);
        double place = log(size[i] / low) / span;
        if (last - place < (double)strlen(label) * digit + air)
            continue;
        fprintf(stream, "%s'%s' %.10g", comma, label, size[i]);
        comma = ", ";
        last = place;
    }
}

static void name_number(double size, char *out, size_t room)
{
    snprintf(out, room, "%.0f", size);
}

void layout_sizes(FILE *stream, const double *size, size_t count, double low, double high)
{
    layout_named(stream, size, count, low, high, name_number);
}
