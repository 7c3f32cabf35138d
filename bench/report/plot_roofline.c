/* plot_roofline.c: every implementation under the ceilings of its device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/report/chart.h"
#include "bench/report/console.h"
#include "bench/report/layout.h"
#include "bench/report/picture.h"
#include "bench/report/roofline.h"
#include "bench/report/words_limits.h"

#define MOST_LEVELS 8

struct drawing {
    const struct duel_roofline_report *report;
    const char *machine;
};

static bool is_drawn(const struct duel_roofline_report *report, const struct duel_placement *row)
{
    return strcmp(row->device, report->device) == 0 && row->status == ROW_OK && row->gflops > 0;
}

/* The last part of the name, and whatever tells it from another point of the same name. */
static void name_point(const struct duel_roofline_report *report, const struct duel_placement *row, char *out,
                       size_t size)
{
    bool precision = false, threads = false, workload = false;
    const char *last = strrchr(row->implementation, '/');
    char rate[24], part[24] = "", type[16] = "", team[16] = "";
    for (size_t i = 0; i < report->placement_count; i++) {
        const struct duel_placement *other = &report->placements[i];
        bool same = strcmp(other->implementation, row->implementation) == 0;
        if (!is_drawn(report, other))
            continue;
        precision |= same && other->problem.types.in != row->problem.types.in;
        threads |= same && other->threads != row->threads;
        const char *middle = strrchr(other->implementation, '/');
        workload |= last && middle && !same && strcmp(middle, last) == 0;
    }
    format_number(row->gflops, rate, sizeof rate);
    if (isfinite(row->roof_percent))
        snprintf(part, sizeof part, row->roof_percent < 9.95 ? " (%.1f %%)" : " (%.0f %%)", row->roof_percent);
    if (precision)
        snprintf(type, sizeof type, " %s", dtype_name(row->problem.types.in));
    if (threads)
        snprintf(team, sizeof team, " %dT", row->threads);
    snprintf(out, size, "%.40s%s%s  %s%s", workload || !last ? row->implementation : last + 1, type, team, rate, part);
}

/* One block of data for each point. span_x: where it would lie without any reuse; model_x: at the
 * traffic of its model, 0 when it has none. */
static void put_points(struct duel_chart *chart, const struct duel_roofline_report *report)
{
    struct duel_script *script = chart->script;
    script_array(script, "span_x", report->placement_count);
    script_array(script, "model_x", report->placement_count);
    for (size_t i = 0; i < report->placement_count; i++) {
        const struct duel_placement *row = &report->placements[i];
        char name[128];
        if (!is_drawn(report, row))
            continue;
        struct duel_reading reading = {row->gflops, row->gflops_lo, row->gflops_hi};
        name_point(report, row, name, sizeof name);
        chart_begin(chart, row->implementation, style_of(row->implementation));
        chart_point(chart, row->intensity, &reading);
        script_element(script, "span_x", chart->curves + 1, row->no_reuse_intensity);
        script_element(script, "model_x", chart->curves + 1,
                       isfinite(row->modelled_intensity) ? row->modelled_intensity : 0);
        chart_end(chart, name);
    }
}

/* A peak belongs in the picture when a point stands under it. */
static bool is_used(const struct duel_roofline_report *report, const struct duel_roof *roof)
{
    for (size_t i = 0; i < report->placement_count; i++) {
        const struct duel_placement *row = &report->placements[i];
        if (is_drawn(report, row) && row->problem.types.in == roof->in && row->threads == roof->threads)
            return true;
    }
    return false;
}

static void put_peaks(struct duel_chart *chart, const struct duel_roofline_report *report)
{
    struct duel_script *script = chart->script;
    script_array(script, "level_dashed", report->roof_count);
    for (size_t i = 0; i < report->roof_count; i++) {
        const struct duel_roof *roof = &report->roofs[i];
        char label[128], rate[32], team[24] = "";
        if (strcmp(roof->device, report->device) != 0 || *roof->level || !(roof->gflops > 0) || !is_used(report, roof))
            continue;
        format_number(roof->gflops, rate, sizeof rate);
        if (roof->threads > 0)
            snprintf(team, sizeof team, " %dT", roof->threads);
        snprintf(label, sizeof label, WORDS_CEILING, "", dtype_name(roof->in), team, rate);
        size_t before = chart->levels;
        chart_level(chart, label, roof->gflops);
        if (chart->levels > before)
            script_element(script, "level_dashed", chart->levels, roof->threads != report->threads);
    }
}

/* The fastest loop of each level. What one thread did, all can do too. */
static size_t find_levels(const struct duel_roofline_report *report, const struct duel_roof **level)
{
    size_t levels = 0;
    for (size_t i = 0; i < report->roof_count; i++) {
        const struct duel_roof *roof = &report->roofs[i];
        if (strcmp(roof->device, report->device) != 0 || !*roof->level || !(roof->gbps > 0))
            continue;
        size_t at = 0;
        while (at < levels && level[at]->rank != roof->rank)
            at++;
        if (at == MOST_LEVELS)
            continue;
        if (at == levels || roof->gbps > level[at]->gbps)
            level[at] = roof;
        levels += at == levels;
    }
    for (size_t i = 1; i < levels; i++) /* the fastest first */
        for (size_t j = i; j > 0 && level[j]->gbps > level[j - 1]->gbps; j--) {
            const struct duel_roof *slower = level[j - 1];
            level[j - 1] = level[j];
            level[j] = slower;
        }
    return levels;
}

static void put_diagonals(struct duel_script *script, const struct duel_roof *const *level, size_t levels)
{
    script_number(script, "diagonals", (double)levels);
    script_array(script, "diagonal", levels);
    script_array(script, "diagonal_label", levels);
    for (size_t i = 0; i < levels; i++) {
        char label[96], rate[32];
        format_number(level[i]->gbps, rate, sizeof rate);
        snprintf(label, sizeof label, WORDS_ROOF_DIAGONAL, level[i]->level, rate);
        script_element(script, "diagonal", i + 1, level[i]->gbps);
        script_text_element(script, "diagonal_label", i + 1, label);
    }
}

/* Room to the left of the points for the names of the diagonals. */
static void put_axes(struct duel_chart *chart, const struct duel_roofline_report *report, double *y_low, double *y_high)
{
    struct duel_script *script = chart->script;
    double left = INFINITY, right = 0;
    for (size_t i = 0; i < report->placement_count; i++) {
        if (!is_drawn(report, &report->placements[i]))
            continue;
        left = fmin(left, report->placements[i].no_reuse_intensity);
        right = fmax(right, report->placements[i].intensity);
    }
    double x_low = left / 12, x_high = right * 2.5;
    *y_low = chart->low / 2;
    *y_high = chart->high * 1.8;
    script_number(script, "x_low", x_low);
    script_number(script, "x_high", x_high);
    script_number(script, "y_low", *y_low);
    script_number(script, "y_high", *y_high);
    script_text(script, "x_title", WORDS_ROOF_AXIS);
    fputs("set xtics (", script->code);
    layout_decades(script->code, x_low, x_high);
    fputs(")\nset ytics (", script->code);
    int digits = layout_decades(script->code, *y_low, *y_high);
    fputs(")\n", script->code);
    chart_tick_margin(chart, digits);
}

static enum duel_status draw(const void *context, struct duel_script *script, bool *drawn, struct duel_why *why)
{
    const struct drawing *drawing = context;
    const struct duel_roofline_report *report = drawing->report;
    const struct duel_roof *level[MOST_LEVELS] = {NULL};
    struct duel_chart chart;
    double y_low, y_high;
    bool good = chart_open(&chart, script, report->placement_count);
    if (good)
        put_points(&chart, report);
    *drawn = good && chart.curves > 0;
    if (*drawn) {
        put_peaks(&chart, report);
        size_t levels = find_levels(report, level);
        put_diagonals(script, level, levels);
        script_titles(script, WORDS_ROOF_TITLE, drawing->machine, WORDS_ROOF_REMARK);
        put_axes(&chart, report, &y_low, &y_high);
        good = chart_names(&chart, y_low, y_high);
    }
    chart_free(&chart);
    return good ? DUEL_OK
                : duel_fail(why, DUEL_ENOMEM, "this picture is not drawn", "free some memory", "out of memory for it");
}

enum duel_status plot_roofline(const struct duel_plot_request *request, const struct duel_roofline_report *report,
                               struct duel_why *why)
{
    char machine[300];
    snprintf(machine, sizeof machine, "%s",
             strcmp(report->device, "cpu") == 0 ? request->machine : report->device_name);
    struct drawing drawing = {report, machine};
    struct duel_picture picture = {report->picture, "names roofline", draw, &drawing};
    return pictures_write(request, &picture, 1, why);
}
