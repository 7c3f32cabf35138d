/* forecast_table.c: predictions for people: one block for each problem, one line for each card and implementation. */
#include <math.h>
#include <string.h>

#include "bench/buyer/forecast.h"
#include "bench/matrix/dtype.h"
#include "bench/report/grid.h"

static void time_cell(struct duel_grid *grid, const struct duel_console *console, double seconds)
{
    char text[40] = "-";
    if (seconds > 0)
        format_seconds(console, seconds, text, sizeof text);
    grid_cell(grid, "%s", text);
}

static void interval_cell(struct duel_grid *grid, const struct duel_console *console, double lo, double hi)
{
    char from[40], to[40];
    if (!(lo > 0 && hi > 0)) {
        grid_cell(grid, "%s", "");
        return;
    }
    format_seconds(console, lo, from, sizeof from);
    format_seconds(console, hi, to, sizeof to);
    grid_cell(grid, "%s .. %s", from, to);
}

static void head(struct duel_grid *grid)
{
    static const char *const names[] = {"card",   "kernel bound",   "limit",      "copies bound", "implementation",
                                        "kernel", "95 % error bar", "end to end", "error bar",    "calibrated on"};
    grid_row(grid, SHADE_BOLD);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        grid_cell(grid, "%s", names[i]);
    grid->left = 1u << 0 | 1u << 2 | 1u << 4 | 1u << 9;
}

static void put_row(struct duel_grid *grid, const struct duel_console *console, const struct duel_forecast *row)
{
    grid_row(grid, SHADE_PLAIN);
    grid_cell(grid, "%s", row->card);
    time_cell(grid, console, row->bound_s);
    grid_cell(grid, "%s", row->limit);
    time_cell(grid, console, row->bound_link_s);
    grid_cell(grid, "%s", *row->implementation ? row->implementation : "-");
    time_cell(grid, console, row->kernel_s);
    interval_cell(grid, console, row->kernel_lo_s, row->kernel_hi_s);
    time_cell(grid, console, row->end_to_end_s);
    interval_cell(grid, console, row->end_to_end_lo_s, row->end_to_end_hi_s);
    grid_cell(grid, "%s", row->calibrated);
}

static bool same_problem(const struct duel_forecast *a, const struct duel_forecast *b)
{
    return strcmp(a->workload, b->workload) == 0 && strcmp(a->size, b->size) == 0 &&
           a->problem.types.in == b->problem.types.in;
}

void forecasts_print(FILE *stream, const struct duel_forecasts *forecasts, const struct duel_evidence *evidence)
{
    struct duel_console console = console_of(stream);
    for (size_t i = 0; i < forecasts->count; i++) {
        const struct duel_forecast *first = &forecasts->row[i];
        struct duel_grid grid = {0};
        bool told = false;
        for (size_t j = 0; j < i && !told; j++)
            told = same_problem(&forecasts->row[j], first);
        if (told)
            continue;
        fprintf(stream, "%s  %s  %s   predicted, not measured\n", first->workload, first->size,
                dtype_name(first->problem.types.in));
        head(&grid);
        for (size_t j = i; j < forecasts->count; j++)
            if (same_problem(&forecasts->row[j], first))
                put_row(&grid, &console, &forecasts->row[j]);
        grid_print(&grid, stream, &console);
        grid_free(&grid);
        fputc('\n', stream);
    }
    console_wrap(
        stream, &console, 0, SHADE_PLAIN,
        "Bounds are what the published figures of a card allow: no program is faster. Below them, the share of "
        "the bound that the same implementation reached elsewhere, and its spread as error bar (95 % of "
        "further measurements would lie inside it). End to end is one copy in, one kernel and one copy out "
        "over the card's own link, from pinned memory, with 4 to 86 us for starting them. Nothing here was measured on "
        "these cards.");
    fprintf(stream, "%zu run file%s read", evidence->files, evidence->files == 1 ? "" : "s");
    if (evidence->unplaced > 0)
        fprintf(stream, "; %zu row%s of GPUs that are no card of the table, or not told apart, calibrate nothing",
                evidence->unplaced, evidence->unplaced == 1 ? "" : "s");
    fprintf(stream, ".\n");
}
