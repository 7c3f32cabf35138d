/* plot_transfer.c: rate against size, a line per way of copying. */
#include <math.h>
#include <string.h>

#include "bench/report/chart.h"
#include "bench/report/console.h"
#include "bench/report/layout.h"
#include "bench/report/picture.h"
#include "bench/report/transfer.h"
#include "bench/report/words_limits.h"

/* One hue per direction, the paler one for memory that has to be copied twice; colours of style.c. */
static const struct {
    const char *memory, *words;
    enum duel_way way;
    struct duel_style style;
} looks[] = {
    {"pinned", "to device, pinned", WAY_H2D, {0x0A52D6, 0x0A52D6, 9}},
    {"pageable", "to device, pageable", WAY_H2D, {0x6BB6EE, 0x3A7396, 8}},
    {"pinned", "from device, pinned", WAY_D2H, {0xB0127F, 0xB0127F, 11}},
    {"pageable", "from device, pageable", WAY_D2H, {0xDB6428, 0xB4521F, 10}},
    {"pinned", "both ways at once", WAY_BOTH, {0x129B7C, 0x0E7D64, 5}},
    {"pinned", "there and back, in pieces", WAY_OVERLAPPED, {0x7A5A08, 0x7A5A08, 4}},
    {"pageable", "host copy, 1 thread", WAY_HOST, {0x4A4E52, 0x4A4E52, 7}},
};
#define LOOKS (sizeof looks / sizeof *looks)

struct drawing {
    const struct duel_transfer_report *report;
    const char *machine;
};

static size_t look_of(const struct duel_transfer_curve *curve)
{
    size_t i = 0;
    while (i + 1 < LOOKS && (looks[i].way != curve->way || strcmp(looks[i].memory, curve->memory) != 0))
        i++;
    return i;
}

static void put_curve(struct duel_chart *chart, const struct duel_transfer_report *report,
                      const struct duel_transfer_curve *curve)
{
    const size_t look = look_of(curve);
    char name[128], rate[32] = "";
    double last = NAN;
    bool gap = false;
    chart_begin(chart, looks[look].words, looks[look].style);
    for (size_t i = 0; i < report->count; i++) {
        const struct duel_transfer *row = &report->rows[i];
        if (row->way != curve->way || strcmp(row->memory, curve->memory) != 0)
            continue;
        gap = gap || row->status != ROW_OK;
        if (row->status != ROW_OK)
            continue;
        if (gap && isfinite(last))
            fputc('\n', chart->script->data); /* the line is broken where a size has no time */
        gap = false;
        struct duel_reading reading = {row->gbps, row->gbps_lo, row->gbps_hi};
        chart_point(chart, (double)row->bytes, &reading);
        last = row->gbps;
    }
    format_number(last, rate, sizeof rate);
    snprintf(name, sizeof name, "%s  %s", looks[look].words, rate);
    chart_end(chart, name);
}

/* The fastest single direction: its numbers are told in words, the others' are in the table. */
static const struct duel_transfer_curve *told_curve(const struct duel_transfer_report *report)
{
    const struct duel_transfer_curve *told = NULL;
    for (size_t c = 0; c < report->curve_count; c++) {
        const struct duel_transfer_curve *curve = &report->curves[c];
        if (way_directions(curve->way) == 1 && isfinite(curve->half_bandwidth_bytes) &&
            (!told || curve->best_gbps > told->best_gbps))
            told = curve;
    }
    return told;
}

static void put_notes(struct duel_script *script, const struct duel_transfer_curve *told)
{
    const struct duel_console plain = {.utf8 = true};
    char text[32], line[160];
    size_t notes = 0;
    script_array(script, "note", 3);
    script_number(script, "note_colour", told ? looks[look_of(told)].style.text : 0);
    if (told) {
        snprintf(line, sizeof line, "%s:", looks[look_of(told)].words);
        script_text_element(script, "note", ++notes, line);
        format_bytes(told->half_bandwidth_bytes, text, sizeof text);
        snprintf(line, sizeof line, WORDS_COPY_NOTE_HALF, text);
        script_text_element(script, "note", ++notes, line);
        format_seconds(&plain, told->fixed_cost_s, text, sizeof text);
        snprintf(line, sizeof line, WORDS_COPY_NOTE_FIXED, text);
        if (*text)
            script_text_element(script, "note", ++notes, line);
    }
    script_number(script, "notes", (double)notes);
}

/* Rings where half of the best rate is reached. */
static void put_marks(struct duel_script *script, const struct duel_transfer_report *report)
{
    static const char *const names[] = {"mark_x", "mark_y", "mark_colour"};
    size_t marks = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        script_array(script, names[i], report->curve_count);
    for (size_t c = 0; c < report->curve_count; c++) {
        const struct duel_transfer_curve *curve = &report->curves[c];
        if (!isfinite(curve->half_bandwidth_bytes))
            continue;
        script_element(script, "mark_x", ++marks, curve->half_bandwidth_bytes);
        script_element(script, "mark_y", marks, curve->best_gbps / 2);
        script_element(script, "mark_colour", marks, looks[look_of(curve)].style.text);
    }
    script_number(script, "marks", (double)marks);
    put_notes(script, told_curve(report));
}

#define MOST_SIZES 256

static void put_axes(const struct duel_chart *chart, const struct duel_transfer_report *report, double y_low,
                     double y_high)
{
    struct duel_script *script = chart->script;
    double size[MOST_SIZES] = {0};
    size_t sizes = 0;
    for (size_t i = 0; i < report->count && sizes < MOST_SIZES; i++)
        if (report->rows[i].status == ROW_OK && (sizes == 0 || size[sizes - 1] != (double)report->rows[i].bytes))
            size[sizes++] = (double)report->rows[i].bytes;
    double air = sizes > 1 ? pow(size[sizes - 1] / size[0], 0.03) : 1.5;
    double low = size[0] / air, high = size[sizes - 1] * air;
    script_number(script, "x_low", low);
    script_number(script, "x_high", high);
    script_number(script, "y_low", y_low);
    script_number(script, "y_high", y_high);
    script_text(script, "x_title", WORDS_COPY_AXIS);
    fputs("set xtics (", script->code);
    layout_named(script->code, size, sizes, low, high, format_bytes);
    fputs(")\nset ytics (", script->code);
    int digits = layout_decades(script->code, y_low, y_high);
    fputs(")\n", script->code);
    chart_tick_margin(chart, digits);
}

static enum duel_status draw(const void *context, struct duel_script *script, bool *drawn, struct duel_why *why)
{
    const struct drawing *drawing = context;
    const struct duel_transfer_report *report = drawing->report;
    const bool stand_in = report->curve_count > 0 && report->curves[0].way == WAY_HOST;
    struct duel_chart chart;
    char label[160];
    bool good = chart_open(&chart, script, report->curve_count);
    for (size_t c = 0; c < report->curve_count && good; c++)
        put_curve(&chart, report, &report->curves[c]);
    *drawn = good && chart.curves > 0;
    if (*drawn) {
        snprintf(label, sizeof label, "%s  %.1f", report->link->text, report->link->gbps);
        chart.dashed_levels = true;
        if (isfinite(report->link->gbps))
            chart_level(&chart, label, report->link->gbps);
        double air = fmax(pow(chart.high / chart.low, 0.05), 1.15);
        script_titles(script, WORDS_COPY_TITLE, drawing->machine, stand_in ? TRANSFER_STAND_IN : WORDS_COPY_REMARK);
        put_axes(&chart, report, chart.low / air, chart.high * air);
        put_marks(script, report);
        good = chart_names(&chart, chart.low / air, chart.high * air);
    }
    chart_free(&chart);
    return good ? DUEL_OK
                : duel_fail(why, DUEL_ENOMEM, "this picture is not drawn", "free some memory", "out of memory for it");
}

enum duel_status plot_transfer(const struct duel_plot_request *request, const struct duel_transfer_report *report,
                               struct duel_why *why)
{
    char machine[300];
    bool host = strcmp(report->device, "cpu") == 0;
    snprintf(machine, sizeof machine, "%s%s%s", request->machine, host ? "" : " + ", host ? "" : report->device_name);
    struct drawing drawing = {report, machine};
    struct duel_picture picture = {report->picture, "names curves", draw, &drawing};
    return pictures_write(request, &picture, 1, why);
}
