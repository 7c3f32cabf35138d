/* forecast_table.c: predictions for people: one table for each workload and type, under each card
 * its sizes. */
#include <math.h>
#include <string.h>

#include "bench/buyer/forecast.h"
#include "bench/matrix/dtype.h"
#include "bench/report/grid.h"
#include "bench/report/notes.h"

static void time_cell(struct duel_grid *grid, const struct duel_console *console, double seconds)
{
    char text[40] = "-";
    if (seconds > 0)
        format_seconds(console, seconds, text, sizeof text);
    grid_cell(grid, "%s", text);
}

static void span_cell(struct duel_grid *grid, const struct duel_console *console, double lo, double hi)
{
    char text[80];
    format_span(console, lo, hi, text, sizeof text);
    grid_cell(grid, "%s", text);
}

static void head(struct duel_grid *grid)
{
    static const char *const names[] = {"",       "bound",    "limit",      "copies",  "note",
                                        "kernel", "95 % bar", "end to end", "95 % bar"};
    grid_row(grid, SHADE_BOLD);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        grid_cell(grid, "%s", names[i]);
    grid->left = 1u << 0 | 1u << 2;
}

static void put_row(struct duel_grid *grid, const struct duel_console *console, struct duel_notes *notes,
                    const struct duel_forecast *row)
{
    const int note = *row->implementation ? notes_add(notes, "%s: %s", row->implementation, row->calibrated)
                                          : notes_add(notes, "%s", row->calibrated);
    grid_row(grid, SHADE_PLAIN);
    grid_cell(grid, "%s", row->size);
    time_cell(grid, console, row->bound_s);
    grid_cell(grid, "%s", strcmp(row->limit, "arithmetic") == 0 ? "flops" : row->limit);
    time_cell(grid, console, row->bound_link_s);
    grid_cell(grid, "[%d]", note);
    time_cell(grid, console, row->kernel_s);
    span_cell(grid, console, row->kernel_lo_s, row->kernel_hi_s);
    time_cell(grid, console, row->end_to_end_s);
    span_cell(grid, console, row->end_to_end_lo_s, row->end_to_end_hi_s);
}

static bool same_table(const struct duel_forecast *a, const struct duel_forecast *b)
{
    return strcmp(a->workload, b->workload) == 0 && a->problem.types.in == b->problem.types.in;
}

/* Is this the first row of its table, or, with `card`, of its card there? */
static bool first_of(const struct duel_forecasts *forecasts, size_t row, bool card)
{
    for (size_t i = 0; i < row; i++)
        if (same_table(&forecasts->row[i], &forecasts->row[row]) &&
            (!card || strcmp(forecasts->row[i].card, forecasts->row[row].card) == 0))
            return false;
    return true;
}

/* One workload in one type: the cards, and under each the sizes. */
static void print_table(FILE *stream, const struct duel_console *console, struct duel_notes *notes,
                        const struct duel_forecasts *forecasts, size_t from)
{
    const struct duel_forecast *row = forecasts->row, *first = &row[from];
    struct duel_grid grid = {0};
    fprintf(stream, "%s  %s   predicted, not measured\n", first->workload, dtype_name(first->problem.types.in));
    head(&grid);
    for (size_t i = from; i < forecasts->count; i++) {
        if (!same_table(&row[i], first) || !first_of(forecasts, i, true))
            continue;
        grid_heading(&grid, row[i].card);
        for (size_t j = i; j < forecasts->count; j++)
            if (same_table(&row[j], first) && strcmp(row[j].card, row[i].card) == 0)
                put_row(&grid, console, notes, &row[j]);
    }
    grid_print(&grid, stream, console);
    grid_free(&grid);
    fputc('\n', stream);
}

void forecasts_print(FILE *stream, const struct duel_forecasts *forecasts, const struct duel_evidence *evidence)
{
    struct duel_console console = console_of(stream);
    struct duel_notes notes = {.count = 0};
    for (size_t i = 0; i < forecasts->count; i++)
        if (first_of(forecasts, i, false))
            print_table(stream, &console, &notes, forecasts, i);
    notes_print(&notes, stream, &console);
    fputc('\n', stream);
    console_wrap(
        stream, &console, 0, SHADE_PLAIN,
        "Bounds (kernel, and copies in and out) are what the published figures of a card allow: no program is "
        "faster. Kernels are slower by the share of "
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
