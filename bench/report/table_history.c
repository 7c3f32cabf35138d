/* table_history.c: the trend of a series on the terminal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/history/environment.h"
#include "bench/report/grid.h"
#include "bench/report/history.h"
#include "bench/report/words_history.h"

#define MOST_ROWS 40

void trend_time_words(int64_t seconds, bool clock, char *out, size_t size)
{
    const time_t when = (time_t)seconds;
    struct tm utc;
    if (!gmtime_r(&when, &utc) || strftime(out, size, clock ? "%Y-%m-%d %H:%M" : "%Y-%m-%d", &utc) == 0)
        snprintf(out, size, "?");
}

void trend_ratio_words(double ratio, char *out, size_t size)
{
    if (!isfinite(ratio))
        snprintf(out, size, "%s", "");
    else if (ratio >= 2)
        snprintf(out, size, WORDS_TREND_TIMES_SLOWER, ratio);
    else if (ratio <= 0.5)
        snprintf(out, size, WORDS_TREND_TIMES_FASTER, 1 / ratio);
    else
        snprintf(out, size, ratio > 1 ? WORDS_TREND_SLOWER : WORDS_TREND_FASTER, 100 * fabs(ratio - 1));
}

void trend_title(const struct history_series *series, char *out, size_t size)
{
    char threads[32] = "", count[32] = "";
    if (series->threads > 0)
        snprintf(threads, sizeof threads, ", %d %s", series->threads, series->threads == 1 ? "thread" : "threads");
    if (series->count > 1)
        snprintf(count, sizeof count, " x %lld", (long long)series->count);
    snprintf(out, size, "%s %s %lld x %lld x %lld%s%s%s%s", series->implementation, series->precision,
             (long long)series->m, (long long)series->n, (long long)series->k, count, threads,
             *series->details ? ", " : "", series->details);
}

/* Environments count in the order in which they appear. */
static int number_of(const struct trend *trend, size_t row, bool *first)
{
    int number = 1;
    *first = true;
    for (size_t i = 0; i < row; i++) {
        bool known = false;
        for (size_t j = 0; j < i && !known; j++)
            known = trend->row[j].environment == trend->row[i].environment;
        if (trend->row[i].environment == trend->row[row].environment) {
            *first = false;
            return number;
        }
        number += !known;
    }
    return number;
}

static void put_row(struct duel_grid *grid, const struct duel_console *console, const struct duel_trend_view *view,
                    size_t i)
{
    const struct trend_row *row = &view->trend->row[i];
    char text[64];
    bool first;
    grid_row(grid, row->level_changed ? row->ratio > 1 ? SHADE_RED : SHADE_GREEN : SHADE_PLAIN);
    trend_time_words(view->points->point[row->begin].time, true, text, sizeof text);
    grid_cell(grid, "%s", text);
    grid_cell(grid, "%zu", row->count);
    format_seconds(console, row->median, text, sizeof text);
    grid_cell(grid, "%s", text);
    *text = '\0';
    if (isfinite(row->lo) && isfinite(row->hi))
        snprintf(text, sizeof text, "%s%.1f %%", console->utf8 ? "\302\261" : "+-",
                 50 * (row->hi - row->lo) / row->median);
    grid_cell(grid, "%s", text);
    *text = '\0';
    if (row->failed > 0)
        snprintf(text, sizeof text, "%zu", row->failed);
    grid_cell(grid, "%s", text);
    grid_cell(grid, "%d", number_of(view->trend, i, &first));
    trend_ratio_words(row->ratio, text, sizeof text);
    grid_cell(grid, "%s%s%s", text, *text && row->output_changed ? ", " : "",
              row->output_changed ? WORDS_TREND_OUTPUT : "");
}

static void put_rows(FILE *stream, const struct duel_console *console, const struct duel_trend_view *view, size_t begin)
{
    static const char *const heads[] = {"from (UTC)", "sessions",    "median", "interval",
                                        "FAILED",     "environment", "change"};
    struct duel_grid grid = {.left = 1 | 1 << 6};
    grid_row(&grid, SHADE_DIM);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        grid_cell(&grid, "%s", heads[i]);
    for (size_t i = begin; i < view->trend->rows; i++)
        put_row(&grid, console, view, i);
    grid_print(&grid, stream, console);
    grid_free(&grid);
}

static void put_environments(FILE *stream, const struct duel_console *console, const struct duel_trend_view *view,
                             size_t begin)
{
    for (size_t i = begin; i < view->trend->rows; i++) {
        char words[2000], line[2100];
        bool first;
        const int number = number_of(view->trend, i, &first);
        if (!first && i > begin)
            continue;
        if (i == begin && i > 0)
            continue; /* what it is was told in a row that is left out */
        environment_difference(i > 0 ? view->facts[i - 1] : NULL, view->facts[i], words, sizeof words);
        if (i == 0)
            snprintf(line, sizeof line, WORDS_TREND_FIRST, *words ? words : WORDS_TREND_UNNAMED);
        else
            snprintf(line, sizeof line, WORDS_TREND_NEXT, number, words);
        console_wrap(stream, console, 2, SHADE_DIM, line);
    }
}

static void put_sentence(FILE *stream, const struct duel_console *console, const struct duel_trend_view *view)
{
    char from[24], to[24], ratio[48], words[2000] = "", line[2300];
    const struct trend *trend = view->trend;
    size_t last = trend->rows;
    while (last > 0 && !trend->row[last - 1].level_changed)
        last--;
    if (last == 0) {
        trend_time_words(view->points->point[0].time, false, from, sizeof from);
        trend_time_words(view->points->point[view->points->count - 1].time, false, to, sizeof to);
        snprintf(line, sizeof line, WORDS_TREND_NONE, view->points->count, view->points->count == 1 ? "" : "s", from,
                 to);
    } else {
        const struct trend_row *row = &trend->row[last - 1];
        if (row->environment_changed)
            environment_difference(view->facts[last - 2], view->facts[last - 1], words, sizeof words);
        trend_time_words(view->points->point[row->begin].time, false, from, sizeof from);
        trend_ratio_words(row->ratio, ratio, sizeof ratio);
        snprintf(line, sizeof line, WORDS_TREND_LAST, ratio, from, *words ? WORDS_TREND_WITH : WORDS_TREND_ALONE,
                 words);
    }
    console_wrap(stream, console, 2, SHADE_PLAIN, line);
}

void table_trend(FILE *stream, const struct duel_trend_view *view)
{
    const struct duel_console console = console_of(stream);
    const struct history_series *series = view->series;
    const size_t rows = view->trend->rows, begin = rows > MOST_ROWS ? rows - MOST_ROWS : 0;
    char title[400];
    trend_title(series, title, sizeof title);
    fprintf(stream, "\n%s%s%s  %s%s%s, %s\n", console_shade(&console, SHADE_BOLD), title, console_end(&console),
            strcmp(series->device, "cpu") == 0 ? "" : series->device_name,
            strcmp(series->device, "cpu") == 0 ? "" : " in ", series->device, series->host);
    if (rows == 0) {
        fprintf(stream, "  %s\n", WORDS_TREND_NOTHING);
        return;
    }
    if (begin > 0)
        fprintf(stream, "  " WORDS_TREND_EARLIER "\n", begin);
    put_rows(stream, &console, view, begin);
    put_environments(stream, &console, view, begin);
    put_sentence(stream, &console, view);
}
