/* plot_precision.c: speed against error: what each type costs and gives, at one size. */
#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/report/chart.h"
#include "bench/report/console.h"
#include "bench/report/rate.h"
#include "bench/report/words.h"
#include "bench/workload/shape.h"

#define MOST_POINTS 32
#define LEAST_ERROR 1e-16 /* the reference is FP64 itself: less than its own rounding shows as no error at all */
#define EACH 2            /* of one side and one type: the fastest, and the next */

struct points {
    const struct duel_result *row[MOST_POINTS];
    size_t count;
    double size;
};

static bool has_point(const struct duel_album *album, const struct duel_result *row, double size)
{
    return strcmp(row->workload, album->workload) == 0 && result_timed(row) && rate_of(row).value > 0 &&
           row->verdict.relative_frobenius >= 0 && shape_size(row->workload, &row->problem) == size;
}

static bool same_kind(const struct duel_result *a, const struct duel_result *b)
{
    return result_on_cpu(a) == result_on_cpu(b) && a->problem.types.in == b->problem.types.in;
}

/* The fastest rows of each side and type at `size`. */
static void collect(const struct duel_album *album, double size, struct points *points)
{
    *points = (struct points){.size = size};
    for (size_t i = 0; i < album->count && points->count < MOST_POINTS; i++) {
        const struct duel_result *row = &album->results[i];
        size_t faster = 0;
        if (!has_point(album, row, size))
            continue;
        for (size_t j = 0; j < album->count; j++)
            faster += has_point(album, &album->results[j], size) && same_kind(&album->results[j], row) &&
                      album->results[j].kernel.median < row->kernel.median;
        if (faster < EACH)
            points->row[points->count++] = row;
    }
}

static int kinds(const struct points *points)
{
    int count = 0;
    for (size_t i = 0; i < points->count; i++) {
        bool first = true;
        for (size_t j = 0; j < i; j++)
            first &= points->row[j]->problem.types.in != points->row[i]->problem.types.in;
        count += first;
    }
    return count;
}

/* The size that shows most types, the largest of those. */
static void find_size(const struct duel_album *album, struct points *best)
{
    *best = (struct points){.count = 0};
    for (size_t i = 0; i < album->set->sizes; i++) {
        struct points points;
        collect(album, album->set->size[i], &points);
        if (points.count > 0 && kinds(&points) >= kinds(best))
            *best = points;
    }
}

static void put_points(struct duel_chart *chart, const struct points *points)
{
    for (size_t i = 0; i < points->count; i++) {
        const struct duel_result *row = points->row[i];
        const struct duel_rate rate = rate_of(row);
        const char *last = strrchr(row->implementation, '/');
        char label[128], words[32];
        rate_words(row, words, sizeof words);
        snprintf(label, sizeof label, "%s %.40s %s  %s", result_on_cpu(row) ? "CPU" : "GPU",
                 last ? last + 1 : row->implementation, dtype_name(row->problem.types.in), words);
        chart_begin(chart, label, style_of(row->implementation));
        chart_point(chart, fmax(row->verdict.relative_frobenius, LEAST_ERROR),
                    &(struct duel_reading){rate.value, rate.lo, rate.hi});
        chart_end(chart, label);
    }
}

/* Whole decades, every third where there are many. */
static void put_decades(FILE *stream, double low, double high)
{
    const int first = (int)floor(log10(low)), last = (int)ceil(log10(high)), step = last - first > 8 ? 3 : 1;
    const char *comma = "";
    for (int decade = first; decade <= last; decade++) {
        const double tick = pow(10, decade);
        if (decade % step != 0 || tick < low || tick > high)
            continue;
        fprintf(stream, "%s'1e%d' %.10g", comma, decade, tick);
        comma = ", ";
    }
}

static void put_axes(struct duel_chart *chart, double y_low, double y_high)
{
    struct duel_script *script = chart->script;
    const double x_low = chart->left / 30, x_high = chart->right * 30;
    script_number(script, "x_low", x_low);
    script_number(script, "x_high", x_high);
    script_number(script, "y_low", y_low);
    script_number(script, "y_high", y_high);
    script_text(script, "x_title", WORDS_ERROR_AXIS);
    fputs("set xtics (", script->code);
    put_decades(script->code, x_low, x_high);
    fputs(")\nset ytics (", script->code);
    const int digits = layout_decades(script->code, y_low, y_high);
    fputs(")\n", script->code);
    chart_tick_margin(chart, digits);
}

enum duel_status plot_precision(const void *context, struct duel_script *script, bool *drawn, struct duel_why *why)
{
    const struct duel_album *album = context;
    struct points points;
    struct duel_chart chart;
    char title[160], at[64];
    find_size(album, &points);
    bool good = chart_open(&chart, script, points.count);
    *drawn = good && points.count > 0;
    if (*drawn) {
        put_points(&chart, &points);
        album_size(album, points.size, at, sizeof at);
        snprintf(title, sizeof title, "%s" WORDS_PRECISION, album->lead ? album->lead : "", at);
        script_titles(script, title, album->machine, album->moral ? album->moral : WORDS_HIGHER);
        put_axes(&chart, chart.low / 1.5, chart.high * 1.5);
        good = chart_names(&chart, chart.low / 1.5, chart.high * 1.5);
    }
    chart_free(&chart);
    return good ? DUEL_OK
                : duel_fail(why, DUEL_ENOMEM, "this picture is not drawn", "free some memory", "out of memory for it");
}
