/* plot_soak.c: what a load did over time, each quantity as a share of its own beginning or highest value. */
#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/report/console.h"
#include "bench/report/picture.h"
#include "bench/report/soak.h"
#include "bench/workload/shape.h"

struct drawing {
    const struct duel_soak_report *report;
    const char *machine;
};

/* What all values are shares of. */
struct scale {
    double run_s, clock_mhz, power_w, hottest_c, lowest, highest;
};

static struct scale scale_of(const struct duel_soak_report *report)
{
    struct scale scale = {NAN, NAN, NAN, NAN, 100, 100};
    struct duel_samples runs = {NULL, 0, 0};
    const size_t burst = soak_burst_points(report->points, report->count);
    for (size_t i = 0; i < report->count; i++) {
        const struct duel_soak_point *point = &report->points[i];
        scale.clock_mhz = fmax(point->clock_mhz, scale.clock_mhz);
        scale.power_w = fmax(point->power_w, scale.power_w);
        scale.hottest_c = fmax(point->temperature_c, scale.hottest_c);
        if (i < burst)
            samples_add(&runs, point->run_s);
    }
    if (runs.count > 0)
        scale.run_s = stats_median(runs.value, runs.count);
    samples_free(&runs);
    for (size_t i = 0; i < report->count; i++) {
        const struct duel_soak_point *point = &report->points[i];
        scale.lowest = fmin(100 * scale.run_s / point->run_s, scale.lowest);
        scale.highest = fmax(100 * scale.run_s / point->run_s, scale.highest);
        scale.lowest = fmin(100 * point->clock_mhz / scale.clock_mhz, scale.lowest);
        scale.lowest = fmin(100 * point->power_w / scale.power_w, scale.lowest);
    }
    return scale;
}

static void put_points(struct duel_script *script, const struct duel_soak_report *report, const struct scale *scale,
                       double unit_s)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct duel_soak_point *point = &report->points[i];
        const double rate = 100 * scale->run_s / point->run_s;
        const double values[] = {point->at_s / unit_s,
                                 rate,
                                 100 * point->clock_mhz / scale->clock_mhz,
                                 100 * point->power_w / scale->power_w,
                                 point->temperature_c,
                                 point->right ? (double)NAN : rate};
        for (size_t v = 0; v < sizeof values / sizeof *values; v++)
            script_value(script, values[v]);
        fputc('\n', script->data);
    }
}

/* Empty: it is not known, and there is no such line. */
static void put_name(struct duel_script *script, const char *variable, const char *what, double full, const char *unit)
{
    char text[80] = "";
    if (isfinite(full))
        snprintf(text, sizeof text, "%s, 100 %% = %s %s", what, number_words(full).text, unit);
    script_text(script, variable, text);
}

static enum duel_status draw(const void *context, struct duel_script *script, bool *drawn, struct duel_why *why)
{
    const struct drawing *drawing = context;
    const struct duel_soak *soak = drawing->report->soak;
    const size_t count = drawing->report->count;
    char subtitle[400], remark[200], shape[100];
    (void)why;
    if (count < 2)
        return DUEL_OK;
    const struct scale scale = scale_of(drawing->report);
    const double unit_s = soak->seconds > 180 ? 60 : 1;
    snprintf(subtitle, sizeof subtitle, "%s %s, %s on %s", soak->implementation, dtype_name(soak->problem.types.in),
             shape_words(soak->workload, &soak->problem, shape, sizeof shape),
             strcmp(soak->device, "cpu") == 0 ? drawing->machine : soak->device_name);
    if (isfinite(soak->kept))
        snprintf(remark, sizeof remark, "sustained: %.1f %% of burst \302\267 %lld answers checked, %lld wrong",
                 100 * soak->kept, (long long)soak->checks, (long long)soak->wrong_checks);
    else
        snprintf(remark, sizeof remark,
                 "too short to tell burst from sustained \302\267 %lld answers checked, %lld wrong",
                 (long long)soak->checks, (long long)soak->wrong_checks);
    script_titles(script, "Does it keep its speed under load?", subtitle, remark);
    script_text(script, "x_title", unit_s > 1 ? "minutes of load" : "seconds of load");
    script_number(script, "x_high", soak->seconds / unit_s);
    script_number(script, "y_low", fmax(0, 10 * floor((scale.lowest - 5) / 10)));
    script_number(script, "y_high", scale.highest + 0.05 * (scale.highest - scale.lowest) + 1);
    script_number(script, "wrong", (double)soak->wrong_checks);
    const bool flops = isfinite(drawing->report->points[0].gflops);
    const struct duel_soak_point *first = &drawing->report->points[0];
    put_name(script, "rate_name", "speed", (flops ? first->gflops : first->gbps) * first->run_s / scale.run_s,
             flops ? "GFLOP/s" : "GB/s");
    put_name(script, "clock_name", "clock", scale.clock_mhz, "MHz");
    put_name(script, "power_name", "power", scale.power_w, "W");
    script_text(script, "heat_name", isfinite(scale.hottest_c) ? "temperature (right axis)" : "");
    put_points(script, drawing->report, &scale, unit_s);
    *drawn = true;
    return DUEL_OK;
}

enum duel_status plot_soak(const struct duel_plot_request *request, const struct duel_soak_report *report,
                           struct duel_why *why)
{
    const struct drawing drawing = {report, request->machine};
    const struct duel_picture picture = {report->picture, "soak", draw, &drawing};
    return pictures_write(request, &picture, 1, why);
}
