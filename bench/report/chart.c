/* chart.c: data blocks, axes and names of a picture of lines. */
#include "bench/report/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report/console.h"
#include "bench/report/words.h"
#include "bench/workload/shape.h"

/* The page is 1600 x 900; see reports/begin.gp for the margins. */
#define PAGE_WIDTH 1600.0
#define PLOT_HEIGHT (900.0 * (0.79 - 0.165))
#define LABEL_SIZE 25.0   /* points; smaller when there are many names */
#define LINE_HEIGHT 1.62  /* of the label size */
#define LETTER_WIDTH 0.74 /* of the label size, for the mean letter of DejaVu Sans and some air */
#define MARKER_WIDTH 120.0
#define DIGIT_WIDTH 0.85 /* digits are wider than the mean letter */
#define TICK_WIDTH 45.0

bool chart_open(struct duel_chart *chart, struct duel_script *script, size_t curves)
{
    *chart = (struct duel_chart){.script = script, .low = INFINITY, .high = 0, .left = INFINITY, .right = 0};
    chart->curve = calloc(curves + 1, sizeof *chart->curve);
    return chart->curve != NULL;
}

bool chart_init(struct duel_chart *chart, const struct duel_album *album, struct duel_script *script)
{
    bool good = chart_open(chart, script, 2 * album->set->count);
    chart->album = album;
    return good;
}

void chart_free(struct duel_chart *chart)
{
    free(chart->curve);
    chart->curve = NULL;
}

/* NaN changes nothing, nor what has no place on a logarithmic axis: the interval of a time that reaches down to 0 gives
 * a rate without an upper end. */
static void include_y(struct duel_chart *chart, double y)
{
    if (!isfinite(y) || y <= 0)
        return;
    chart->low = fmin(chart->low, y);
    chart->high = fmax(chart->high, y);
}

/* Is there a size of the run between the two that this line has nothing for? Then the line is broken. */
static bool gap_between(const struct duel_series_set *set, double before, double after)
{
    for (size_t i = 0; i < set->sizes; i++)
        if (set->size[i] > before && set->size[i] < after)
            return true;
    return false;
}

void chart_begin(struct duel_chart *chart, const char *label, struct duel_style style)
{
    struct duel_curve *curve = &chart->curve[chart->curves];
    *curve = (struct duel_curve){.style = style, .end_x = NAN, .end_y = NAN};
    snprintf(curve->label, sizeof curve->label, "%s", label);
}

void chart_point(struct duel_chart *chart, double x, const struct duel_reading *reading)
{
    struct duel_script *script = chart->script;
    struct duel_curve *curve = &chart->curve[chart->curves];
    if (isnan(curve->end_x))
        fprintf(script->data, "# %s\n", curve->label);
    script_value(script, x);
    script_value(script, reading->y);
    script_value(script, reading->lo);
    script_value(script, reading->hi);
    fputc('\n', script->data);
    include_y(chart, reading->y);
    include_y(chart, reading->lo);
    include_y(chart, reading->hi);
    chart->left = fmin(chart->left, x);
    chart->right = fmax(chart->right, x);
    curve->end_x = x;
    curve->end_y = reading->y;
}

void chart_end(struct duel_chart *chart, const char *label)
{
    struct duel_curve *curve = &chart->curve[chart->curves];
    if (isnan(curve->end_x))
        return;
    snprintf(curve->label, sizeof curve->label, "%s", label);
    fputs("\n\n", chart->script->data);
    chart->curves++;
}

void chart_curve(struct duel_chart *chart, const struct duel_series *series, bool dashed, const char *label,
                 layout_name *ending, duel_chart_reader *read)
{
    struct duel_curve *curve = &chart->curve[chart->curves];
    chart_begin(chart, label, series->style);
    curve->dashed = dashed;
    curve->thin = series->thin;
    for (size_t i = 0; i < series->count; i++) {
        struct duel_reading reading = {NAN, NAN, NAN};
        double x = series_size(series->row[i]);
        if (!read(chart->album, series->row[i], &reading) || !(reading.y > 0))
            continue;
        if (!isnan(curve->end_x) && gap_between(chart->album->set, curve->end_x, x))
            fputc('\n', chart->script->data);
        chart_point(chart, x, &reading);
    }
    char last[32] = "", name[128];
    ending(curve->end_y, last, sizeof last);
    snprintf(name, sizeof name, "%.80s%s%s", label, *last ? "  " : "", last);
    chart_end(chart, name);
}

void chart_level(struct duel_chart *chart, const char *label, double y)
{
    if (chart->levels == sizeof chart->level / sizeof *chart->level || !(y > 0))
        return;
    struct duel_level *level = &chart->level[chart->levels++];
    snprintf(level->label, sizeof level->label, "%s", label);
    level->y = y;
    include_y(chart, y);
}

void chart_tick_margin(const struct duel_chart *chart, int digits)
{
    script_number(chart->script, "tick_x", (digits * DIGIT_WIDTH * LABEL_SIZE + TICK_WIDTH) / PAGE_WIDTH);
}

static void put_axes(const struct duel_chart *chart, double x_low, double x_high, double y_low, double y_high)
{
    const struct duel_series_set *set = chart->album->set;
    struct duel_script *script = chart->script;
    char letters[48], title[96];
    script_number(script, "x_low", x_low);
    script_number(script, "x_high", x_high);
    script_number(script, "y_low", y_low);
    script_number(script, "y_high", y_high);
    shape_axis(chart->album->workload, set->square, letters, sizeof letters);
    snprintf(title, sizeof title, set->square ? WORDS_N : WORDS_SIZE, letters);
    script_text(script, "x_title", title);
    fputs("set xtics (", script->code);
    layout_sizes(script->code, set->size, set->sizes, x_low, x_high);
    fputs(")\nset ytics (", script->code);
    int digits = chart->tick ? layout_decades_named(script->code, y_low, y_high, chart->tick)
                             : layout_decades(script->code, y_low, y_high);
    fputs(")\n", script->code);
    chart_tick_margin(chart, digits);
}

/* Names move apart together with those of the levels; place[] holds first the curves, then the levels. */
static bool put_labels(const struct duel_chart *chart, double y_low, double y_high)
{
    struct duel_script *script = chart->script;
    size_t names = chart->curves + chart->levels;
    double *place = calloc(names + 1, sizeof *place), span = log(y_high / y_low);
    int longest = 0;
    if (!place)
        return false;
    for (size_t i = 0; i < names; i++) {
        bool curve = i < chart->curves;
        const char *label = curve ? chart->curve[i].label : chart->level[i - chart->curves].label;
        double y = curve ? chart->curve[i].end_y : chart->level[i - chart->curves].y;
        place[i] = log(y / y_low) / span;
        longest = format_width(label) > longest ? format_width(label) : longest;
    }
    double room = PLOT_HEIGHT / (double)(names + 1) / LINE_HEIGHT, size = floor(fmin(LABEL_SIZE, room));
    layout_spread(place, names, size * LINE_HEIGHT / PLOT_HEIGHT, 0.01, 0.99);
    script_number(script, "label_size", size);
    script_number(script, "label_x", 1 - (longest * LETTER_WIDTH * size + MARKER_WIDTH) / PAGE_WIDTH);
    script_number(script, "label_columns", longest + 4);
    script_array(script, "label_y", chart->curves);
    for (size_t i = 0; i < chart->curves; i++)
        script_element(script, "label_y", i + 1, place[i]);
    script_array(script, "level_label_y", chart->levels);
    for (size_t i = 0; i < chart->levels; i++)
        script_element(script, "level_label_y", i + 1, place[chart->curves + i]);
    free(place);
    return true;
}

static void put_curves(const struct duel_chart *chart)
{
    static const char *const names[] = {"label", "colour", "text_colour", "marker", "dash", "width", "end_x", "end_y"};
    struct duel_script *script = chart->script;
    script_number(script, "curves", (double)chart->curves);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        script_array(script, names[i], chart->curves);
    for (size_t i = 0; i < chart->curves; i++) {
        const struct duel_curve *curve = &chart->curve[i];
        script_text_element(script, "label", i + 1, curve->label);
        script_element(script, "colour", i + 1, curve->style.colour);
        script_element(script, "text_colour", i + 1, curve->style.text);
        script_element(script, "marker", i + 1, curve->style.marker);
        script_element(script, "dash", i + 1, curve->dashed ? 2 : 1);
        script_element(script, "width", i + 1, curve->thin ? 2 : 4.5);
        script_element(script, "end_x", i + 1, curve->end_x);
        script_element(script, "end_y", i + 1, curve->end_y);
    }
    script_number(script, "levels", (double)chart->levels);
    script_number(script, "level_dash", chart->dashed_levels ? 2 : 1);
    script_array(script, "level_label", chart->levels);
    script_array(script, "level_y", chart->levels);
    for (size_t i = 0; i < chart->levels; i++) {
        script_text_element(script, "level_label", i + 1, chart->level[i].label);
        script_element(script, "level_y", i + 1, chart->level[i].y);
    }
}

bool chart_names(const struct duel_chart *chart, double y_low, double y_high)
{
    put_curves(chart);
    return put_labels(chart, y_low, y_high);
}

bool chart_finish(struct duel_chart *chart, const char *title, const char *remark)
{
    double x_air = chart->right > chart->left ? pow(chart->right / chart->left, 0.03) : 1.5;
    double y_air = fmax(pow(chart->high / chart->low, 0.05), 1.15);
    double y_low = chart->low / y_air, y_high = chart->high * y_air;
    const struct duel_album *album = chart->album;
    char whole[160], moral[400];
    snprintf(whole, sizeof whole, "%s%s", album->lead ? album->lead : "", title);
    snprintf(moral, sizeof moral, "%s%s%s", album->subject, album->moral ? album->moral : "", album->other);
    script_titles(chart->script, whole, album->machine, album->moral ? moral : remark);
    put_axes(chart, chart->left / x_air, chart->right * x_air, y_low, y_high); /* sizes without a point are left out */
    return chart_names(chart, y_low, y_high);
}
