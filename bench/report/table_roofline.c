/* table_roofline.c: ceilings, and what stands under them, on the terminal. */
#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/report/grid.h"
#include "bench/report/roofline.h"
#include "bench/report/words_limits.h"

static void put_number(struct duel_grid *grid, double value)
{
    char text[32] = "";
    if (isfinite(value))
        format_number(value, text, sizeof text);
    grid_cell(grid, "%s", text);
}

static void put_threads(struct duel_grid *grid, int threads)
{
    if (threads > 0)
        grid_cell(grid, "%d", threads);
    else
        grid_cell(grid, "%s", "");
}

/* ---- ceilings ------------------------------------------------------------------------------------------------------
 */

static const struct duel_roof *loop_of(const struct duel_roofline_report *report, const struct duel_roof *like,
                                       enum duel_stream stream)
{
    for (size_t i = 0; i < report->roof_count; i++) {
        const struct duel_roof *roof = &report->roofs[i];
        if (roof->stream == stream && roof->threads == like->threads && strcmp(roof->level, like->level) == 0 &&
            strcmp(roof->device, like->device) == 0)
            return roof;
    }
    return NULL;
}

static bool is_own(const struct duel_roofline_report *report, const struct duel_roof *roof)
{
    return strcmp(roof->device, report->device) == 0;
}

static void put_peaks(FILE *stream, const struct duel_console *console, const struct duel_roofline_report *report)
{
    struct duel_grid grid = {.left = 1};
    grid_row(&grid, SHADE_DIM);
    grid_cell(&grid, WORDS_ROOF_ARITHMETIC);
    grid_cell(&grid, "thr");
    grid_cell(&grid, "GFLOP/s");
    for (size_t i = 0; i < report->roof_count; i++) {
        const struct duel_roof *roof = &report->roofs[i];
        if (!is_own(report, roof) || *roof->level || roof->tries == 0)
            continue;
        grid_row(&grid, SHADE_PLAIN);
        grid_cell(&grid, "%s", dtype_name(roof->in));
        put_threads(&grid, roof->threads);
        put_number(&grid, roof->gflops);
    }
    grid_print(&grid, stream, console);
    grid_free(&grid);
}

static void put_levels(FILE *stream, const struct duel_console *console, const struct duel_roofline_report *report)
{
    static const enum duel_stream loops[] = {DUEL_READ, DUEL_COPY, DUEL_TRIAD};
    static const char *const heads[] = {WORDS_ROOF_LEVEL, "thr", WORDS_ROOF_ARRAYS, WORDS_ROOF_READ, "copy", "triad"};
    struct duel_grid grid = {.left = 1};
    char text[32];
    grid_row(&grid, SHADE_DIM);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        grid_cell(&grid, "%s", heads[i]);
    for (size_t i = 0; i < report->roof_count; i++) {
        const struct duel_roof *roof = &report->roofs[i];
        if (!is_own(report, roof) || roof->stream != DUEL_COPY || !*roof->level || roof->working_set_bytes == 0)
            continue;
        grid_row(&grid, SHADE_PLAIN);
        grid_cell(&grid, "%s", roof->level);
        put_threads(&grid, roof->threads);
        format_bytes((double)roof->working_set_bytes, text, sizeof text);
        grid_cell(&grid, "%s", text);
        for (size_t loop = 0; loop < sizeof loops / sizeof *loops; loop++) {
            const struct duel_roof *own = loop_of(report, roof, loops[loop]);
            put_number(&grid, own ? own->gbps : NAN);
        }
    }
    if (grid.rows > 1)
        fputc('\n', stream);
    if (grid.rows > 1)
        grid_print(&grid, stream, console);
    grid_free(&grid);
}

static bool same_unknown(const struct duel_roofline_report *report, const struct duel_roof *a,
                         const struct duel_roof *b)
{
    return is_own(report, a) && is_own(report, b) && a->tries == 0 && b->tries == 0 && strcmp(a->why, b->why) == 0;
}

/* "fp64", "L2 copy", each once: a ceiling of one thread and of all are one word. */
static void add_name(char *names, size_t size, const struct duel_roof *roof)
{
    char name[48];
    size_t used = strlen(names);
    snprintf(name, sizeof name, "%s%s%s", *roof->level ? roof->level : dtype_name(roof->in), *roof->loop ? " " : "",
             roof->loop);
    const char *found = strstr(names, name);
    if (!found || (found[strlen(name)] != '\0' && found[strlen(name)] != ','))
        snprintf(names + used, size - used, "%s%s", used ? ", " : "", name);
}

/* A reason that holds for several ceilings is told once. */
static void put_unknown(FILE *stream, const struct duel_console *console, const struct duel_roofline_report *report)
{
    for (size_t i = 0; i < report->roof_count; i++) {
        const struct duel_roof *roof = &report->roofs[i];
        bool told = !same_unknown(report, roof, roof);
        for (size_t j = 0; j < i && !told; j++)
            told = same_unknown(report, &report->roofs[j], roof);
        char names[500] = "", text[1000];
        for (size_t j = i; j < report->roof_count && !told; j++)
            if (same_unknown(report, &report->roofs[j], roof))
                add_name(names, sizeof names, &report->roofs[j]);
        snprintf(text, sizeof text, WORDS_ROOF_UNKNOWN, names, roof->why);
        if (!told)
            console_wrap(stream, console, 2, SHADE_DIM, text);
    }
}

/* More threads that do less than fewer: nothing in the machine makes that, other work on it does. */
static void put_busy(FILE *stream, const struct duel_console *console, const struct duel_roofline_report *report)
{
    for (size_t i = 0; i < report->roof_count; i++)
        for (size_t j = 0; j < report->roof_count; j++) {
            const struct duel_roof *more = &report->roofs[i], *fewer = &report->roofs[j];
            if (!is_own(report, more) || !is_own(report, fewer) || *more->level || *fewer->level ||
                more->in != fewer->in || more->threads <= fewer->threads || !(more->gflops < 0.95 * fewer->gflops))
                continue;
            char text[300];
            snprintf(text, sizeof text, WORDS_ROOF_BUSY, more->threads, dtype_name(more->in), more->gflops,
                     fewer->threads, fewer->gflops);
            console_wrap(stream, console, 2, SHADE_RED, text);
        }
}

/* ---- what stands under them ----------------------------------------------------------------------------------------
 */

static void put_percent(struct duel_grid *grid, double percent)
{
    if (isfinite(percent))
        grid_cell(grid, "%.1f", percent);
    else
        grid_cell(grid, "%s", "");
}

static void put_placement(struct duel_grid *grid, const struct duel_placement *row)
{
    bool failed = row->status == ROW_FAILED;
    grid_row(grid, failed ? SHADE_RED : SHADE_PLAIN);
    grid_cell(grid, "%s", row->implementation);
    grid_cell(grid, "%s", row->problem.types.in == DUEL_NONE ? "" : dtype_name(row->problem.types.in));
    put_threads(grid, row->threads);
    put_number(grid, row->gflops);
    put_number(grid, row->no_reuse_intensity);
    put_number(grid, row->modelled_intensity);
    put_number(grid, row->intensity);
    put_number(grid, row->roof_gflops);
    put_percent(grid, row->roof_percent);
    put_percent(grid, row->modelled_roof_percent);
    grid_cell(grid, "%s", failed ? WORDS_FAILED : row->limit);
    grid_cell(grid, "%s", row->no_reuse);
}

/* What each model assumes, or why there is none; told once for each implementation. */
static void put_models(FILE *stream, const struct duel_console *console, const struct duel_roofline_report *report)
{
    for (size_t i = 0; i < report->placement_count; i++) {
        const struct duel_placement *row = &report->placements[i];
        const char *words = *row->traffic_model ? row->traffic_model : row->modelled_why;
        bool told = strcmp(row->device, report->device) != 0 || !*words;
        for (size_t j = 0; j < i && !told; j++)
            told = strcmp(report->placements[j].implementation, row->implementation) == 0 &&
                   strcmp(report->placements[j].device, row->device) == 0;
        char text[600];
        snprintf(text, sizeof text, WORDS_ROOF_MODELLED, row->implementation, *row->modelled_cache ? " behind " : "",
                 row->modelled_cache, words);
        if (!told)
            console_wrap(stream, console, 2, SHADE_DIM, text);
    }
}

static void put_placements(FILE *stream, const struct duel_console *console, const struct duel_roofline_report *report)
{
    static const char *const heads[] = {
        WORDS_ROOF_WHO,   "type",          "thr",           "GFLOP/s",       WORDS_ROOF_LEAST,
        WORDS_ROOF_MODEL, WORDS_ROOF_MOST, WORDS_ROOF_ROOF, WORDS_ROOF_PART, WORDS_ROOF_MODEL_PART,
        WORDS_ROOF_LIMIT, WORDS_ROOF_FED};
    struct duel_grid grid = {.left = 1 | 1 << 1 | 1 << 10 | 1 << 11};
    grid_row(&grid, SHADE_DIM);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        grid_cell(&grid, "%s", heads[i]);
    for (size_t i = 0; i < report->placement_count; i++) {
        const struct duel_placement *row = &report->placements[i];
        if (strcmp(row->device, report->device) == 0 && row->status != ROW_SKIPPED)
            put_placement(&grid, row);
    }
    if (grid.rows > 1) {
        fputc('\n', stream);
        grid_print(&grid, stream, console);
        console_wrap(stream, console, 2, SHADE_DIM, WORDS_ROOF_READING);
        put_models(stream, console, report);
    }
    grid_free(&grid);
    for (size_t i = 0; i < report->placement_count; i++) {
        const struct duel_placement *row = &report->placements[i];
        char text[600];
        if (strcmp(row->device, report->device) != 0 || row->status != ROW_FAILED)
            continue;
        snprintf(text, sizeof text, "%s: %s", row->implementation, row->reason);
        console_wrap(stream, console, 2, SHADE_RED, text);
    }
}

void table_roofline(FILE *stream, const struct duel_roofline_report *report)
{
    struct duel_console console = console_of(stream);
    fprintf(stream, "\n%s%s  %s%s  %s\n", console_shade(&console, SHADE_BOLD), report->device, report->device_name,
            console_end(&console), WORDS_ROOF_HIGHEST);
    put_peaks(stream, &console, report);
    put_levels(stream, &console, report);
    put_unknown(stream, &console, report);
    put_busy(stream, &console, report);
    put_placements(stream, &console, report);
}
