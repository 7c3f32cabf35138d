/* table_transfer.c: copies by size on the terminal. */
#include <math.h>
#include <string.h>

#include "bench/report/grid.h"
#include "bench/report/transfer.h"
#include "bench/report/words_limits.h"

static const struct duel_transfer *row_of(const struct duel_transfer_report *report, int64_t bytes,
                                          const struct duel_transfer_curve *curve)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct duel_transfer *row = &report->rows[i];
        if (row->bytes == bytes && row->way == curve->way && strcmp(row->memory, curve->memory) == 0)
            return row;
    }
    return NULL;
}

static bool timed(const struct duel_transfer *row)
{
    return row && row->status == ROW_OK;
}

/* "55.3 +-0.2 %": the rate and half of its interval. */
static void rate_text(const struct duel_console *console, const struct duel_transfer *row, char *out, size_t size)
{
    char rate[24], spread[24];
    double half = 50 * (row->gbps_hi - row->gbps_lo) / row->gbps;
    format_number(row->gbps, rate, sizeof rate);
    snprintf(spread, sizeof spread, "%.1f", half);
    if (isfinite(half))
        snprintf(out, size, "%s %s%s %%", rate, console->utf8 ? "\302\261" : "+-", spread);
    else
        snprintf(out, size, "%s", rate);
}

static void put_size(struct duel_grid *grid, const struct duel_console *console,
                     const struct duel_transfer_report *report, int64_t bytes)
{
    char text[64];
    grid_row(grid, SHADE_PLAIN);
    format_bytes((double)bytes, text, sizeof text);
    grid_cell(grid, "%s", text);
    for (size_t c = 0; c < report->curve_count; c++) {
        const struct duel_transfer *row = row_of(report, bytes, &report->curves[c]);
        *text = '\0';
        if (timed(row))
            rate_text(console, row, text, sizeof text);
        else if (row && row->status == ROW_FAILED)
            snprintf(text, sizeof text, WORDS_FAILED);
        grid_cell(grid, "%s", text);
        if (report->curve_count > 1)
            continue;
        *text = '\0';
        if (timed(row))
            format_seconds(console, row->time.median, text, sizeof text);
        grid_cell(grid, "%s", text);
    }
}

static void put_sizes(FILE *stream, const struct duel_console *console, const struct duel_transfer_report *report)
{
    struct duel_grid grid = {0};
    int64_t last = -1;
    grid_row(&grid, SHADE_DIM);
    grid_cell(&grid, "size");
    for (size_t c = 0; c < report->curve_count; c++)
        grid_cell(&grid, "%s %s", report->curves[c].way_text, report->curves[c].memory);
    if (report->curve_count == 1)
        grid_cell(&grid, "time");
    for (size_t i = 0; i < report->count; i++) {
        if (report->rows[i].bytes != last)
            put_size(&grid, console, report, report->rows[i].bytes);
        last = report->rows[i].bytes;
    }
    grid_print(&grid, stream, console);
    grid_free(&grid);
}

/* ---- what all sizes say together ----------------------------------------------------------------------------------
 */

static double hidden(const struct duel_transfer_report *report, const struct duel_transfer_curve *curve)
{
    double ratio = NAN;
    for (size_t i = 0; i < report->count; i++)
        if (report->rows[i].way == curve->way && isfinite(report->rows[i].overlap_ratio))
            ratio = report->rows[i].overlap_ratio; /* of the largest size */
    return ratio;
}

static void put_percent(struct duel_grid *grid, double percent)
{
    if (isfinite(percent))
        grid_cell(grid, "%.1f %%", percent);
    else
        grid_cell(grid, "%s", "");
}

static void put_curve(struct duel_grid *grid, const struct duel_console *console,
                      const struct duel_transfer_report *report, const struct duel_transfer_curve *curve)
{
    char text[64];
    grid_row(grid, SHADE_PLAIN);
    grid_cell(grid, "%s %s", curve->way_text, curve->memory);
    format_number(curve->best_gbps, text, sizeof text);
    grid_cell(grid, "%s GB/s", text);
    format_bytes(curve->best_bytes, text, sizeof text);
    grid_cell(grid, "%s", text);
    format_seconds(console, curve->fixed_cost_s, text, sizeof text);
    grid_cell(grid, "%s", *text ? text : "-");
    if (isfinite(curve->half_bandwidth_bytes))
        format_bytes(curve->half_bandwidth_bytes, text, sizeof text);
    grid_cell(grid, "%s", isfinite(curve->half_bandwidth_bytes) ? text : "-");
    put_percent(grid, curve->link_percent);
    put_percent(grid, 100 * hidden(report, curve));
}

static void put_curves(FILE *stream, const struct duel_console *console, const struct duel_transfer_report *report)
{
    static const char *const heads[] = {WORDS_COPY_WAY,  WORDS_COPY_BEST, WORDS_COPY_AT,    WORDS_COPY_FIXED,
                                        WORDS_COPY_HALF, WORDS_COPY_LINK, WORDS_COPY_HIDDEN};
    struct duel_grid grid = {.left = 1};
    grid_row(&grid, SHADE_DIM);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        grid_cell(&grid, "%s", heads[i]);
    for (size_t c = 0; c < report->curve_count; c++)
        if (report->curves[c].points > 0)
            put_curve(&grid, console, report, &report->curves[c]);
    if (grid.rows > 1) {
        fputc('\n', stream);
        grid_print(&grid, stream, console);
    }
    grid_free(&grid);
}

/* A reason that holds for many rows is told once. */
static void put_reasons(FILE *stream, const struct duel_console *console, const struct duel_transfer_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct duel_transfer *row = &report->rows[i];
        char text[600], size[32];
        bool told = row->status == ROW_OK;
        for (size_t j = 0; j < i && !told; j++)
            told = row->way == report->rows[j].way && strcmp(row->memory, report->rows[j].memory) == 0 &&
                   strcmp(row->reason, report->rows[j].reason) == 0;
        if (told)
            continue;
        format_bytes((double)row->bytes, size, sizeof size);
        snprintf(text, sizeof text, WORDS_COPY_REASON, row->way_text, row->memory, size, row->status_text, row->reason);
        console_wrap(stream, console, 2, row->status == ROW_FAILED ? SHADE_RED : SHADE_DIM, text);
    }
    for (size_t c = 0; c < report->curve_count; c++) {
        const struct duel_transfer_curve *curve = &report->curves[c];
        char text[400];
        snprintf(text, sizeof text, WORDS_COPY_UNKNOWN, curve->way_text, curve->memory, WORDS_COPY_FIXED,
                 curve->fixed_cost_why);
        if (curve->points > 0 && *curve->fixed_cost_why)
            console_wrap(stream, console, 2, SHADE_DIM, text);
        snprintf(text, sizeof text, WORDS_COPY_UNKNOWN, curve->way_text, curve->memory, WORDS_COPY_HALF_SIZE,
                 curve->half_why);
        if (curve->points > 0 && *curve->half_why)
            console_wrap(stream, console, 2, SHADE_DIM, text);
    }
    if (isnan(report->link->gbps) && report->curve_count > 1 && *report->link->why)
        fprintf(stream, "  " WORDS_COPY_NO_LINK "\n", report->link->why);
}

void table_transfer(FILE *stream, const struct duel_transfer_report *report)
{
    struct duel_console console = console_of(stream);
    bool stand_in = report->curve_count > 0 && report->curves[0].way == WAY_HOST;
    char link[120] = "";
    if (isfinite(report->link->gbps))
        snprintf(link, sizeof link, WORDS_COPY_CARRIES, report->link->text, report->link->gbps);
    fprintf(stream, "\n%s%s  %s%s%s\n", console_shade(&console, SHADE_BOLD), report->device, report->device_name,
            console_end(&console), link);
    fprintf(stream, "  %s\n", stand_in ? TRANSFER_STAND_IN : WORDS_COPY_READING);
    put_sizes(stream, &console, report);
    put_curves(stream, &console, report);
    put_reasons(stream, &console, report);
}
