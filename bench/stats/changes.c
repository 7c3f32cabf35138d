/* changes.c: several changes at once, found in ranks.
 *
 * A partition of the series is as good as the Kruskal-Wallis statistic of its parts, less a price for each cut; the
 * best one is found by dynamic programming, which, unlike cutting in two again and again, does not overlook a change
 * that is taken back (Lung-Yut-Fong, Levy-Leduc and Cappe, Homogeneity and change-point detection tests for
 * multivariate data using rank statistics, Journal de la SFdS 156(4), 2015; the programme: Jackson et al., An algorithm
 * for optimal partitioning of data on an interval, IEEE Signal Processing Letters 12, 2005). Ranks are compared with
 * the spread of all ranks, so a large jump hides small ones: each part is therefore ranked and cut again by itself. */
#include "bench/stats/changes.h"

#include <math.h>
#include <stdlib.h>

#include "bench/stats/stats.h"

/* Places where a long series may be cut at first, before cuts are aligned. Time grows with the square of this. */
#define GRID 512

struct search {
    size_t count, step;
    double *sum; /* sum[i]: of the first i ranks, less their mean, over their standard deviation */
    double best[GRID + 1];
    size_t from[GRID + 1];
};

/* What a cut must bring: the largest Kruskal-Wallis statistic of two parts passes it in 1 % of all orders of `count`
 * values, by simulation for 10 to 10 000 of them; it lies up to 5 % above that. tests/unit/changes.c counts again. */
static double price(size_t count)
{
    return 17.5 - 25 / log((double)count);
}

/* ---- ranks ------------------------------------------------------------------------------------------------------ */

/* Values that are equal share the mean of their ranks. false: all are equal, or no memory; then nothing is cut. */
static bool sum_ranks(struct search *search, const double *value)
{
    const size_t count = search->count;
    const double middle = ((double)count + 1) / 2;
    double *sorted = stats_sorted(value, count), spread = 0;
    search->sum = calloc(count + 1, sizeof *search->sum);
    for (size_t i = 0; sorted && search->sum && i < count; i++) {
        const size_t below = stats_below(sorted, count, value[i], false);
        const size_t upto = stats_below(sorted, count, value[i], true);
        const double rank = (double)(below + upto + 1) / 2 - middle;
        search->sum[i + 1] = search->sum[i] + rank;
        spread += rank * rank;
    }
    free(sorted);
    if (!search->sum || !(spread > 0))
        return false;
    for (size_t i = 1; i <= count; i++)
        search->sum[i] /= sqrt(spread / ((double)count - 1));
    return true;
}

/* The share of the part [begin, end) in the statistic. */
static double share(const struct search *search, size_t begin, size_t end)
{
    const double sum = search->sum[end] - search->sum[begin];
    return sum * sum / (double)(end - begin);
}

/* ---- the best partition ----------------------------------------------------------------------------------------- */

static size_t place(const struct search *search, size_t at)
{
    return at * search->step < search->count ? at * search->step : search->count;
}

static size_t partition(struct search *search)
{
    const size_t places = (search->count + search->step - 1) / search->step;
    const double cost = price(search->count);
    search->best[0] = 0;
    for (size_t at = 1; at <= places; at++) {
        search->best[at] = -INFINITY;
        for (size_t before = 0; before < at; before++) {
            if (place(search, at) - place(search, before) < CHANGES_SHORTEST)
                continue;
            double gain =
                search->best[before] + share(search, place(search, before), place(search, at)) - (before ? cost : 0);
            if (gain > search->best[at]) {
                search->best[at] = gain;
                search->from[at] = before;
            }
        }
    }
    return places;
}

/* Marks the cuts of one part, and says whether there are any. */
static bool cut(const double *value, size_t count, bool *mark)
{
    bool found = false;
    struct search search = {.count = count, .step = (count + GRID - 1) / GRID};
    if (count >= CHANGES_FEWEST && sum_ranks(&search, value))
        for (size_t at = search.from[partition(&search)]; at > 0; at = search.from[at])
            mark[place(&search, at)] = found = true;
    free(search.sum);
    return found;
}

/* ---- levels ----------------------------------------------------------------------------------------------------- */

/* Joins the two neighbours that differ least, as long as they differ by less than `least`. */
static size_t join(const double *value, struct duel_level *level, size_t levels, double least)
{
    while (levels > 1) {
        size_t nearest = 0;
        double smallest = INFINITY;
        for (size_t i = 0; i + 1 < levels; i++) {
            const double apart = fabs(log(level[i + 1].median / level[i].median));
            nearest = apart < smallest ? i : nearest;
            smallest = fmin(apart, smallest);
        }
        if (!(smallest < log1p(least)))
            break;
        level[nearest].count += level[nearest + 1].count;
        level[nearest].median = stats_median(value + level[nearest].begin, level[nearest].count);
        levels--;
        for (size_t i = nearest + 1; i < levels; i++)
            level[i] = level[i + 1];
    }
    return levels;
}

/* Ranks tell that there is a change better than where it is, and a long series was cut on a grid: a cut is moved to
 * where most values are nearer to the level on their side. An outlier counts no more than the levels are apart. */
static void align(const double *value, struct duel_level *left, struct duel_level *right)
{
    const double a = log(left->median), b = log(right->median);
    const size_t end = right->begin + right->count;
    size_t best = right->begin;
    double gain = 0, most = -INFINITY;
    for (size_t i = left->begin; i + CHANGES_SHORTEST < end; i++) {
        const double x = log(value[i]);
        gain += fabs(x - b) - fabs(x - a);
        if (gain > most && i + 1 >= left->begin + CHANGES_SHORTEST) {
            most = gain;
            best = i + 1;
        }
    }
    left->count = best - left->begin;
    right->begin = best;
    right->count = end - best;
}

static void align_all(const double *value, struct duel_level *level, size_t levels)
{
    for (size_t i = 0; i + 1 < levels; i++)
        align(value, &level[i], &level[i + 1]);
    for (size_t i = 0; i < levels; i++)
        level[i].median = stats_median(value + level[i].begin, level[i].count);
}

bool stats_changes(const double *value, size_t count, double least, struct duel_level **level, size_t *levels)
{
    bool *mark = calloc(count + 1, sizeof *mark);
    *levels = 0;
    *level = calloc(count + 1, sizeof **level);
    bool good = mark && *level;
    for (size_t begin = 0, end; good && begin < count; begin = end) {
        do {
            for (end = begin + 1; end < count && !mark[end]; end++)
                ;
        } while (cut(value + begin, end - begin, mark + begin));
        (*level)[(*levels)++] = (struct duel_level){begin, end - begin, stats_median(value + begin, end - begin)};
    }
    if (good) {
        *levels = join(value, *level, *levels, least);
        align_all(value, *level, *levels);
    }
    free(mark);
    return good;
}
