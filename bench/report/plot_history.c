/* plot_history.c: the time of each session, its levels, and where the environment changed. */
#include <math.h>
#include <string.h>

#include "bench/history/environment.h"
#include "bench/report/console.h"
#include "bench/report/history.h"
#include "bench/report/picture.h"
#include "bench/report/style.h"
#include "bench/report/words_history.h"

#define MOST_EVENTS 12 /* more names do not fit; the first ones are dropped */
#define TICKS 6
enum { GREEN = 0x0E7D64, RED = 0xB0127F, BLACK = 0x202124 };

/* The unit in which most times are written with few digits. */
static const struct {
    double seconds;
    const char *name;
} units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "\302\265s"}, {1e-9, "ns"}};

static size_t unit_of(double seconds)
{
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof *units && seconds < units[i].seconds)
        i++;
    return i;
}

struct range {
    double low, high;
};

/* Intervals are shown, but do not stretch the picture: one bad session would flatten all others. */
static struct range put_points(struct duel_script *script, const struct history_points *points, double unit)
{
    struct range range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < points->count; i++) {
        const struct history_point *point = &points->point[i];
        if (!isfinite(point->median))
            continue;
        script_value(script, (double)(i + 1));
        script_value(script, point->median / unit);
        script_value(script, point->lo / unit);
        script_value(script, point->hi / unit);
        fputc('\n', script->data);
        range.low = fmin(range.low, point->median / unit);
        range.high = fmax(range.high, point->median / unit);
    }
    return range;
}

/* Rows between two changes make one level together. */
static void put_levels(struct duel_script *script, const struct duel_trend_view *view, double unit)
{
    static const char *const arrays[] = {"level_from", "level_to", "level_y", "level_colour", "level_label"};
    const struct trend *trend = view->trend;
    size_t levels = 0;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        script_array(script, arrays[i], trend->rows);
    for (size_t i = 0; i < trend->rows; i++) {
        const struct trend_row *row = &trend->row[i];
        char words[64];
        if (!isfinite(row->median))
            continue;
        levels++;
        script_element(script, "level_from", levels, (double)row->begin + 0.6);
        script_element(script, "level_to", levels, (double)(row->begin + row->count) + 0.4);
        script_element(script, "level_y", levels, row->median / unit);
        script_element(script, "level_colour", levels, !row->level_changed ? BLACK : row->ratio > 1 ? RED : GREEN);
        trend_ratio_words(row->ratio, words, sizeof words);
        script_text_element(script, "level_label", levels, row->level_changed ? words : "");
    }
    script_number(script, "levels", (double)levels);
}

/* The most suspect difference alone: all of them stand in the table. */
static void put_events(struct duel_script *script, const struct duel_trend_view *view)
{
    const struct trend *trend = view->trend;
    size_t changed = 0, events = 0;
    for (size_t i = 1; i < trend->rows; i++)
        changed += trend->row[i].environment_changed;
    script_array(script, "event_x", changed);
    script_array(script, "event_label", changed);
    for (size_t i = 1, seen = 0; i < trend->rows; i++) {
        char words[400], label[64];
        if (!trend->row[i].environment_changed || changed - seen++ > MOST_EVENTS)
            continue;
        const int differences = environment_difference(view->facts[i - 1], view->facts[i], words, sizeof words);
        char *comma = strstr(words, ", ");
        if (comma)
            *comma = '\0';
        snprintf(label, sizeof label, "%.44s%s", words, differences > 1 ? ", ..." : "");
        events++;
        script_element(script, "event_x", events, (double)trend->row[i].begin + 0.5);
        script_text_element(script, "event_label", events, label);
    }
    script_number(script, "events", (double)events);
}

static void put_days(struct duel_script *script, const struct history_points *points)
{
    const size_t ticks = points->count < TICKS ? points->count : TICKS;
    fputs("set xtics (", script->code);
    for (size_t t = 0; t < ticks; t++) {
        const size_t at = ticks > 1 ? t * (points->count - 1) / (ticks - 1) : 0;
        char day[24];
        trend_time_words(points->point[at].time, false, day, sizeof day);
        fprintf(script->code, "%s'%s' %zu", t ? ", " : "", day, at + 1);
    }
    fputs(")\n", script->code);
}

static enum duel_status draw(const void *context, struct duel_script *script, bool *drawn, struct duel_why *why)
{
    const struct duel_trend_view *view = context;
    const struct history_series *series = view->series;
    char title[400], machine[600], question[64];
    double median = NAN;
    (void)why;
    for (size_t i = 0; i < view->trend->rows && isnan(median); i++)
        median = view->trend->row[i].median;
    if (isnan(median))
        return DUEL_OK;
    const size_t unit = unit_of(median);
    trend_title(series, title, sizeof title);
    snprintf(machine, sizeof machine, "%s on %s", title,
             strcmp(series->device, "cpu") == 0 ? series->host : series->device_name);
    snprintf(question, sizeof question, WORDS_TREND_TITLE, units[unit].name);
    script_titles(script, question, machine, WORDS_TREND_REMARK);
    script_text(script, "x_title", WORDS_TREND_AXIS);
    const struct range range = put_points(script, view->points, units[unit].seconds);
    const double air = fmax(0.12 * (range.high - range.low), 0.01 * range.high);
    script_number(script, "points", (double)view->points->count);
    script_number(script, "y_low", fmax(0, range.low - 2.5 * air));
    script_number(script, "y_high", range.high + 1.5 * air);
    script_number(script, "point_size", view->points->count > 200 ? 0.8 : 1.8);
    script_number(script, "point_colour", style_of(series->implementation).colour);
    put_days(script, view->points);
    put_levels(script, view, units[unit].seconds);
    put_events(script, view);
    *drawn = true;
    return DUEL_OK;
}

enum duel_status plot_trend(const struct duel_plot_request *request, const struct duel_trend_view *view,
                            struct duel_why *why)
{
    const struct duel_picture picture = {view->picture, "trend", draw, view};
    return pictures_write(request, &picture, 1, why);
}
