/* score_table.c: one table for all run files. */
#include <math.h>
#include <string.h>

#include "bench/buyer/score.h"
#include "bench/matrix/dtype.h"
#include "bench/report/grid.h"

static void number_cell(struct duel_grid *grid, double value)
{
    char text[40] = "";
    format_number(value, text, sizeof text);
    grid_cell(grid, "%s", text);
}

static void percent_cell(struct duel_grid *grid, double value)
{
    if (value > 0)
        grid_cell(grid, "%.0f %%", value);
    else
        grid_cell(grid, "%s", "");
}

static void put_row(struct duel_grid *grid, const struct duel_score *score, int file)
{
    char name[100];
    format_plain(*score->card ? score->card : score->device, name, sizeof name);
    grid_row(grid, SHADE_PLAIN);
    grid_cell(grid, "[%d]", file);
    grid_cell(grid, "%.60s", name);
    grid_cell(grid, "%s", dtype_name(score->problem.types.in));
    grid_cell(grid, "%.60s", score->implementation);
    number_cell(grid, score->burst_gflops);
    number_cell(grid, score->sustained_gflops);
    percent_cell(grid, 100 * score->sustained_gflops / score->burst_gflops);
    number_cell(grid, score->sustained_s);
    percent_cell(grid, score->spec_percent);
    number_cell(grid, score->gbps);
    percent_cell(grid, score->spec_gbps_percent);
    number_cell(grid, score->power_w);
    number_cell(grid, score->gflops_per_w);
    number_cell(grid, score->gflops_per_price);
}

/* The number of the row's file among all. */
static int file_of(const struct duel_scores *scores, size_t row, bool *first)
{
    int number = 1;
    for (size_t i = 1; i <= row; i++)
        number += strcmp(scores->row[i].file, scores->row[i - 1].file) != 0;
    *first = row == 0 || strcmp(scores->row[row].file, scores->row[row - 1].file) != 0;
    return number;
}

void scores_print(FILE *stream, const struct duel_scores *scores)
{
    static const char *const names[] = {"",
                                        "device",
                                        "type",
                                        "best implementation",
                                        "burst GFLOP/s",
                                        "sustained",
                                        "kept",
                                        "of s",
                                        "of its spec",
                                        "GB/s",
                                        "of its spec",
                                        "W",
                                        "GFLOP/s/W"};
    struct duel_console console = console_of(stream);
    struct duel_grid grid = {.left = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 3};
    bool first;
    grid_row(&grid, SHADE_BOLD);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        grid_cell(&grid, "%s", names[i]);
    grid_cell(&grid, "GFLOP/s per %s", *scores->currency ? scores->currency : "price");
    for (size_t i = 0; i < scores->count; i++)
        put_row(&grid, &scores->row[i], file_of(scores, i, &first));
    grid_print(&grid, stream, &console);
    grid_free(&grid);
    fputc('\n', stream);
    for (size_t i = 0; i < scores->count; i++) {
        char path[220];
        const int number = file_of(scores, i, &first);
        if (!first)
            continue;
        format_plain(scores->row[i].file, path, sizeof path);
        fprintf(stream, "  [%d] %s\n", number, path);
    }
    console_wrap(
        stream, &console, 2, SHADE_PLAIN,
        "Measured. Burst: the fastest sample; sustained: the median of the last third of the samples, after so "
        "many seconds of load. Heat takes minutes: a run of seconds says little about cooling, `duel soak` more. "
        "Specifications "
        "are dense rates at boost clock; libraries reach 70 to 90 % of them on Tensor Cores (reports/"
        "published.csv). A cell that is empty is not known.");
}
