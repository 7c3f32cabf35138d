/* plot_lines.c: speed-up and rate against size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/report/chart.h"
#include "bench/report/console.h"
#include "bench/report/rate.h"
#include "bench/report/words.h"
#include "bench/workload/shape.h"

static enum duel_status no_memory(struct duel_why *why)
{
    return duel_fail(why, DUEL_ENOMEM, "this picture is not drawn", "free some memory", "out of memory for a picture");
}

/* ---- speed-up ------------------------------------------------------------------------------------------------------
 */

static bool same_problem(const struct duel_result *a, const struct duel_result *b)
{
    const struct duel_problem *p = &a->problem, *q = &b->problem;
    return strcmp(a->workload, b->workload) == 0 && shape_same(p, q) && p->alpha == q->alpha && p->beta == q->beta;
}

static bool read_ratio(const struct duel_ratio *ratio, struct duel_reading *reading)
{
    reading->y = ratio->value;
    reading->lo = ratio->lo;
    reading->hi = ratio->hi;
    return isfinite(reading->y);
}

static bool read_kernel(const struct duel_album *album, const struct duel_result *row, struct duel_reading *reading)
{
    (void)album;
    return read_ratio(&row->speedup_kernel, reading);
}

static bool read_end_to_end(const struct duel_album *album, const struct duel_result *row, struct duel_reading *reading)
{
    (void)album;
    return read_ratio(&row->speedup_end_to_end, reading);
}

static bool is_serial(const struct duel_result *row)
{
    const char *last = strrchr(row->implementation, '/');
    return result_on_cpu(row) && last && strcmp(last, "/serial") == 0;
}

static bool read_serial(const struct duel_album *album, const struct duel_result *row, struct duel_reading *reading)
{
    const struct duel_result *serial = NULL;
    for (size_t i = 0; i < album->count && !serial; i++)
        if (result_timed(&album->results[i]) && is_serial(&album->results[i]) &&
            same_problem(&album->results[i], row) && album->results[i].problem.types.in == row->problem.types.in)
            serial = &album->results[i];
    reading->y = row->speedup_serial;
    if (serial && serial != row) { /* two medians, each known within an interval: at least 90 % sure */
        reading->lo = serial->kernel.ci_lo / row->kernel.ci_hi;
        reading->hi = serial->kernel.ci_hi / row->kernel.ci_lo;
    }
    return isfinite(reading->y);
}

static void name_times(double times, char *out, size_t room)
{
    char number[24];
    format_number(times, number, sizeof number);
    snprintf(out, room, "%s%s", number, *number ? WORDS_TIMES : "");
}

/* The one baseline of all rows that will be drawn, or words for several. */
static const char *baseline(const struct duel_album *album, bool gpu)
{
    const char *base = NULL;
    for (size_t i = 0; i < album->set->count; i++) {
        const struct duel_series *series = &album->set->series[i];
        for (size_t j = 0; j < series->count && series->cpu != gpu; j++) {
            if (!*series->row[j]->base)
                continue;
            if (base && strcmp(base, series->row[j]->base) != 0)
                return WORDS_SEVERAL;
            base = series->row[j]->base;
        }
    }
    return base ? base : WORDS_SEVERAL;
}

/* The serial row that others are compared with; NULL when there is none. */
static const struct duel_result *first_serial(const struct duel_album *album)
{
    for (size_t i = 0; i < album->count; i++)
        if (strcmp(album->results[i].workload, album->workload) == 0 && result_timed(&album->results[i]) &&
            is_serial(&album->results[i]))
            return &album->results[i];
    return NULL;
}

/* With a GPU: its rows against the best CPU row, kernel alone and end to end. Without one: what each rung of the CPU
 * ladder gains over the serial loop. */
enum duel_status plot_speedup(const void *context, struct duel_script *script, bool *drawn, struct duel_why *why)
{
    const struct duel_album *album = context;
    bool gpu = album->set->gpu;
    const struct duel_result *serial = gpu ? NULL : first_serial(album);
    char remark[400], label[128];
    const char *base = serial ? result_label(serial, label, sizeof label) : baseline(album, gpu);
    struct duel_chart chart;
    if (!chart_init(&chart, album, script))
        return no_memory(why);
    snprintf(remark, sizeof remark, WORDS_BASELINE PLOT_DOT "%s%s", base, gpu ? WORDS_LINES : WORDS_HIGHER,
             album->other);
    for (size_t i = 0; i < album->set->count; i++) {
        const struct duel_series *series = &album->set->series[i];
        if (series->cpu == gpu)
            continue;
        chart_curve(&chart, series, false, series->name, name_times, serial ? read_serial : read_kernel);
        snprintf(label, sizeof label, WORDS_END_TO_END, series->name);
        if (gpu)
            chart_curve(&chart, series, true, label, name_times, read_end_to_end);
    }
    *drawn = chart.curves > 0;
    if (!serial)
        chart_level(&chart, WORDS_LEVEL_BASE, 1);
    bool good = !*drawn || chart_finish(&chart, serial ? WORDS_SPEEDUP_SERIAL : WORDS_SPEEDUP_BASE, remark);
    chart_free(&chart);
    return good ? DUEL_OK : no_memory(why);
}

/* ---- rate ------------------------------------------------------------------------------------------------------- */

/* The unit stands in the title: only another one is told. */
static void name_rate(double gflops, char *out, size_t room)
{
    format_rate(gflops, out, room);
    char *unit = strstr(out, WORDS_TITLE_UNIT);
    if (unit)
        *unit = '\0';
}

static void name_bandwidth(double gbps, char *out, size_t room)
{
    format_bandwidth(gbps, out, room);
    char *unit = strstr(out, WORDS_TITLE_BYTES);
    if (unit)
        *unit = '\0';
}

static void name_tick(double giga, char *out, size_t room)
{
    if (giga < 9999.5)
        snprintf(out, room, "%.10g", giga);
    else
        snprintf(out, room, "%.10g " WORDS_TERA, giga / 1000);
}

static bool read_rate(const struct duel_album *album, const struct duel_result *row, struct duel_reading *reading)
{
    (void)album;
    const struct duel_rate rate = rate_of(row);
    *reading = (struct duel_reading){rate.value, rate.lo, rate.hi};
    return isfinite(reading->y);
}

/* A ceiling belongs in the picture when a line runs under it. */
static bool is_over_a_line(const struct duel_album *album, const struct duel_ceiling *ceiling)
{
    for (size_t i = 0; i < album->set->count; i++) {
        const struct duel_result *row = album->set->series[i].row[0];
        if (strcmp(row->device, ceiling->device) == 0 && row->problem.types.in == ceiling->in &&
            row->threads == ceiling->threads)
            return true;
    }
    return false;
}

static void add_ceilings(struct duel_chart *chart)
{
    const struct duel_album *album = chart->album;
    for (size_t i = 0; i < album->ceiling_count; i++) {
        const struct duel_ceiling *ceiling = &album->ceilings[i];
        bool cpu = strncmp(ceiling->device, "cpu", 3) == 0;
        char label[128], rate[32], threads[24] = "";
        if (!is_over_a_line(album, ceiling) || !isfinite(ceiling->gflops))
            continue;
        name_rate(ceiling->gflops, rate, sizeof rate);
        if (ceiling->threads > 0)
            snprintf(threads, sizeof threads, " %dT", ceiling->threads);
        snprintf(label, sizeof label, WORDS_CEILING, album->set->gpu ? cpu ? "CPU " : "GPU " : "",
                 dtype_name(ceiling->in), threads, rate);
        chart_level(chart, label, ceiling->gflops);
    }
}

enum duel_status plot_rate(const void *context, struct duel_script *script, bool *drawn, struct duel_why *why)
{
    const struct duel_album *album = context;
    const bool bytes = rate_is_bytes(album->workload);
    char remark[400];
    struct duel_chart chart;
    if (!chart_init(&chart, album, script))
        return no_memory(why);
    for (size_t i = 0; i < album->set->count; i++)
        chart_curve(&chart, &album->set->series[i], false,
                    album->set->gpu ? album->set->series[i].label : album->set->series[i].name,
                    bytes ? name_bandwidth : name_rate, read_rate);
    *drawn = chart.curves > 0;
    if (!bytes) /* peaks are of arithmetic */
        add_ceilings(&chart);
    snprintf(remark, sizeof remark, "%s%s%s", album->subject,
             bytes              ? WORDS_TRAFFIC
             : chart.levels > 0 ? WORDS_HIGHER_PEAK
                                : WORDS_HIGHER,
             album->other);
    chart.dashed_levels = true;
    chart.tick = name_tick;
    bool good = !*drawn || chart_finish(&chart, bytes ? WORDS_GBPS : WORDS_GFLOPS, remark);
    chart_free(&chart);
    return good ? DUEL_OK : no_memory(why);
}
