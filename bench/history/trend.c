/* trend.c: points, levels and environments become rows. */
#include "bench/history/trend.h"

#include <math.h>
#include <stdlib.h>

#include "bench/record/sessions.h"
#include "bench/stats/changes.h"
#include "bench/stats/paired.h"

/* What is worked with: the points that have a time, and where each level begins among all points. */
struct work {
    double *median; /* of timed points, in order */
    size_t *at;     /* the point that each belongs to */
    double *ratio;  /* by point: against the level before, where a level begins; NaN elsewhere */
    size_t timed;
    struct duel_level *level;
    size_t levels;
};

static bool has_time(const struct history_point *point)
{
    return point->median > 0 && isfinite(point->median);
}

static bool find_levels(const struct history_points *points, struct work *work)
{
    work->median = calloc(points->count + 1, sizeof *work->median);
    work->at = calloc(points->count + 1, sizeof *work->at);
    work->ratio = calloc(points->count + 1, sizeof *work->ratio);
    if (!work->median || !work->at || !work->ratio)
        return false;
    for (size_t i = 0; i < points->count; i++) {
        work->ratio[i] = NAN;
        if (!has_time(&points->point[i]))
            continue;
        work->median[work->timed] = points->point[i].median;
        work->at[work->timed++] = i;
    }
    if (!stats_changes(work->median, work->timed, STATS_THRESHOLD, &work->level, &work->levels))
        return false;
    for (size_t l = 1; l < work->levels; l++)
        work->ratio[work->at[work->level[l].begin]] = work->level[l].median / work->level[l - 1].median;
    return true;
}

static void free_work(struct work *work)
{
    free(work->median);
    free(work->at);
    free(work->ratio);
    free(work->level);
}

/* `median` is where the session medians of this row lie in the list of all of them. */
static void summarise(const struct history_points *points, struct trend_row *row, const double *median)
{
    for (size_t i = row->begin; i < row->begin + row->count; i++)
        *(has_time(&points->point[i]) ? &row->timed : &row->failed) += 1;
    const struct duel_summary all = stats_summary(median, row->timed);
    row->median = all.median;
    row->spread = row->timed >= 4 ? (all.q3 - all.q1) / all.median : NAN;
    sessions_interval(median, row->timed, &row->lo, &row->hi);
}

/* The last known hash before point `i` at the same seed; 0: none. */
static uint64_t hash_before(const struct history_points *points, size_t i)
{
    const uint64_t seed = points->point[i].seed;
    while (i-- > 0)
        if (points->point[i].hash && points->point[i].seed == seed)
            return points->point[i].hash;
    return 0;
}

static bool output_changed(const struct history_points *points, size_t i)
{
    const uint64_t now = points->point[i].hash;
    if (!now || i == 0 || (points->point[i - 1].hash == now && points->point[i - 1].seed == points->point[i].seed))
        return false;
    const uint64_t before = hash_before(points, i);
    return before && before != now;
}

/* A row begins where the environment or the level changes, and where the output does. */
static bool begins_row(const struct history_points *points, const struct work *work, size_t i)
{
    return i == 0 || points->point[i].environment != points->point[i - 1].environment || !isnan(work->ratio[i]) ||
           output_changed(points, i);
}

static void make_rows(const struct history_points *points, const struct work *work, struct trend *trend)
{
    const double *median = work->median;
    for (size_t i = 0, end; i < points->count; i = end) {
        struct trend_row *row = &trend->row[trend->rows++];
        for (end = i + 1; end < points->count && !begins_row(points, work, end); end++)
            ;
        *row = (struct trend_row){.begin = i,
                                  .count = end - i,
                                  .environment = points->point[i].environment,
                                  .environment_changed =
                                      i > 0 && points->point[i].environment != points->point[i - 1].environment,
                                  .level_changed = !isnan(work->ratio[i]),
                                  .ratio = work->ratio[i],
                                  .output_changed = output_changed(points, i)};
        summarise(points, row, median);
        median += row->timed;
        trend->changes += row->level_changed;
    }
}

enum duel_status trend_make(const struct history_points *points, struct trend *trend, struct duel_why *why)
{
    struct work work = {0};
    *trend = (struct trend){.row = calloc(points->count + 1, sizeof *trend->row)};
    const bool good = trend->row && find_levels(points, &work);
    if (good)
        make_rows(points, &work, trend);
    free_work(&work);
    if (good)
        return DUEL_OK;
    trend_free(trend);
    return duel_fail(why, DUEL_ENOMEM, "the trend is not shown", "close other programs and try again",
                     "out of memory for %zu sessions", points->count);
}

void trend_free(struct trend *trend)
{
    free(trend->row);
    *trend = (struct trend){0};
}
