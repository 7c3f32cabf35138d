/* plot_pareto.c: cost against speed. Candidates that nothing beats in both are joined by a line; the rest lies below
 * it. Full rings are expected or measured speeds, open ones only bounds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/buyer/advice.h"
#include "bench/report/chart.h"
#include "bench/report/picture.h"

struct drawing {
    const struct duel_advices *advices;
    const struct duel_choice *choice;
};

#define COLOUR_BEST 0x1A73E8
#define COLOUR_REST 0x80868B
#define COLOUR_CPU 0xE37400
enum { FULL_CIRCLE = 7, OPEN_CIRCLE = 6 };

static double burden(const struct drawing *drawing, const struct duel_advice *row)
{
    return drawing->choice->prices.count > 0 ? fmin(row->own_cost, row->rent_cost) : row->energy_j;
}

static double speed_of(const struct duel_advice *row)
{
    return row->speed > 0 ? row->speed : row->bound;
}

static bool is_drawn(const struct drawing *drawing, const struct duel_advice *row)
{
    return row->cards > 0 && burden(drawing, row) > 0 && speed_of(row) > 0;
}

static void put_points(struct duel_chart *chart, const struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->advices->count; i++) {
        const struct duel_advice *row = &drawing->advices->row[i];
        const unsigned colour = !row->card ? COLOUR_CPU : row->best ? COLOUR_BEST : COLOUR_REST;
        const struct duel_style style = {colour, row->best || !row->card ? colour : 0x5F6368,
                                         row->speed > 0 ? FULL_CIRCLE : OPEN_CIRCLE};
        struct duel_reading reading = {speed_of(row), row->speed > 0 ? row->speed_lo : NAN,
                                       row->speed > 0 ? row->speed_hi : NAN};
        char label[128];
        if (!is_drawn(drawing, row))
            continue;
        chart_begin(chart, row->name, style);
        chart_point(chart, burden(drawing, row), &reading);
        snprintf(label, sizeof label, "%.60s%s", row->name,
                 !(row->speed > 0)                    ? " (bound)"
                 : strcmp(row->kind, "measured") == 0 ? " (measured)"
                                                      : "");
        chart_end(chart, label);
    }
}

static int by_burden(const void *a, const void *b)
{
    const double *left = a, *right = b;
    return (left[0] > right[0]) - (left[0] < right[0]);
}

/* The steps of the line that nothing lies above. */
static bool put_frontier(struct duel_script *script, const struct drawing *drawing)
{
    const size_t rows = drawing->advices->count;
    double(*point)[2] = calloc(rows + 1, sizeof *point);
    size_t count = 0;
    if (!point)
        return false;
    for (size_t i = 0; i < rows; i++) {
        const struct duel_advice *row = &drawing->advices->row[i];
        if (!is_drawn(drawing, row) || !row->best)
            continue;
        point[count][0] = burden(drawing, row);
        point[count++][1] = speed_of(row);
    }
    qsort(point, count, sizeof *point, by_burden);
    script_number(script, "front", (double)count);
    script_array(script, "front_x", count);
    script_array(script, "front_y", count);
    for (size_t i = 0; i < count; i++) {
        script_element(script, "front_x", i + 1, point[i][0]);
        script_element(script, "front_y", i + 1, point[i][1]);
    }
    free(point);
    return true;
}

static bool put_axes(struct duel_chart *chart, const struct drawing *drawing)
{
    struct duel_script *script = chart->script;
    const double x_low = chart->left / 1.3, x_high = chart->right * 1.3, y_low = chart->low / 1.3,
                 y_high = chart->high * 1.3;
    char x_title[120];
    if (drawing->choice->prices.count > 0)
        snprintf(x_title, sizeof x_title, "%s for %s (bought or rented, whichever costs less)",
                 drawing->choice->prices.currency,
                 drawing->advices->results == ADVICE_TOKENS ? "a million tokens" : "1000 runs");
    else
        snprintf(x_title, sizeof x_title, "J for one %s at the power limit", drawing->advices->result);
    script_number(script, "x_low", x_low);
    script_number(script, "x_high", x_high);
    script_number(script, "y_low", y_low);
    script_number(script, "y_high", y_high);
    script_text(script, "x_title", x_title);
    fputs("set xtics (", script->code);
    layout_decades(script->code, x_low, x_high);
    fputs(")\nset ytics (", script->code);
    const int digits = layout_decades(script->code, y_low, y_high);
    fputs(")\n", script->code);
    chart_tick_margin(chart, digits);
    return chart_names(chart, y_low, y_high) && put_frontier(script, drawing);
}

static enum duel_status draw(const void *context, struct duel_script *script, bool *drawn, struct duel_why *why)
{
    const struct drawing *drawing = context;
    struct duel_chart chart;
    bool good = chart_open(&chart, script, drawing->advices->count);
    if (good)
        put_points(&chart, drawing);
    *drawn = good && chart.curves > 0;
    if (*drawn) {
        char title[80];
        snprintf(title, sizeof title, "Which card: %ss per second against %s", drawing->advices->result,
                 drawing->choice->prices.count > 0 ? "cost" : "energy");
        script_titles(script, title, drawing->advices->work,
                      "predicted, unless it says measured \302\267 up and to the left is better \302\267 full: "
                      "expected, with 95 % "
                      "error bar; open: a bound alone \302\267 line: nothing beats these");
        good = put_axes(&chart, drawing);
    }
    chart_free(&chart);
    return good ? DUEL_OK
                : duel_fail(why, DUEL_ENOMEM, "this picture is not drawn", "free some memory", "out of memory for it");
}

enum duel_status plot_pareto(const struct duel_plot_request *request, const struct duel_advices *advices,
                             const struct duel_choice *choice, struct duel_why *why)
{
    const struct drawing drawing = {advices, choice};
    const struct duel_picture picture = {"pareto", "names pareto", draw, &drawing};
    return pictures_write(request, &picture, 1, why);
}
