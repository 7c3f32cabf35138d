/* table_soak.c: what came of a load, in a few lines. */
#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/report/console.h"
#include "bench/report/soak.h"
#include "bench/workload/shape.h"

static void rate_words(double gflops, double gbps, char *out, size_t size)
{
    if (isfinite(gflops))
        format_rate(gflops, out, size);
    else
        format_bandwidth(gbps, out, size);
}

static void tell_rates(FILE *stream, const struct duel_soak_report *report)
{
    const struct duel_soak *soak = report->soak;
    char burst[40], sustained[40], first[40];
    if (!isfinite(soak->kept)) {
        fprintf(stream, "  burst and sustained are not known: %zu stretches of load are too few\n", report->count);
        return;
    }
    rate_words(soak->burst_gflops, soak->burst_gbps, burst, sizeof burst);
    rate_words(soak->sustained_gflops, soak->sustained_gbps, sustained, sizeof sustained);
    format_duration(report->points[soak_burst_points(report->points, report->count) - 1].at_s, first, sizeof first);
    fprintf(stream, "  burst      %s, the median of the first %s\n", burst, first);
    fprintf(stream, "  sustained  %s, the median of the last third: %.1f %% of burst\n", sustained, 100 * soak->kept);
}

static void tell_sensors(FILE *stream, const struct duel_soak_report *report)
{
    const struct duel_soak *soak = report->soak;
    double low = NAN, high = NAN;
    const char *reasons = "";
    for (size_t i = 0; i < report->count; i++) {
        low = fmin(report->points[i].clock_mhz, low);
        high = fmax(report->points[i].clock_mhz, high);
        if (*report->points[i].clock_reasons && strcmp(report->points[i].clock_reasons, "none") != 0)
            reasons = report->points[i].clock_reasons;
    }
    if (isfinite(high))
        fprintf(stream, "  clock      %.0f to %.0f MHz%s%s\n", low, high, *reasons ? ", held back by " : "", reasons);
    if (isfinite(soak->hottest_c))
        fprintf(stream, "  hottest    %.0f C\n", soak->hottest_c);
    if (isfinite(soak->power_w))
        fprintf(stream, "  power      %s W, the median\n", number_words(soak->power_w).text);
    if (!isfinite(high) && !isfinite(soak->power_w) && report->count > 0)
        fprintf(stream, "  neither clock nor power could be read: %.100s\n", report->points[0].power_why);
}

void table_soak(FILE *stream, const struct duel_soak_report *report)
{
    const struct duel_soak *soak = report->soak;
    char shape[100], time[40], threads[32] = "", name[140];
    if (soak->threads > 0)
        snprintf(threads, sizeof threads, ", %d thread%s", soak->threads, soak->threads == 1 ? "" : "s");
    format_duration(soak->seconds, time, sizeof time);
    format_plain(soak->device_name, name, sizeof name);
    fprintf(stream, "%s  %s  %s%s on %s: %s of load\n", soak->implementation, dtype_name(soak->problem.types.in),
            shape_words(soak->workload, &soak->problem, shape, sizeof shape), threads, name, time);
    tell_rates(stream, report);
    tell_sensors(stream, report);
    fprintf(stream, "  answers    %lld checked (%s), %lld wrong\n", (long long)soak->checks,
            soak->repeats ? "bit by bit" : "within their bound: they do not repeat bit by bit",
            (long long)soak->wrong_checks);
    if (soak->wrong_checks > 0)
        fprintf(stream, "  first      after %.3g s: %s\n", soak->first_wrong_s, soak->reason);
    else if (*soak->reason)
        fprintf(stream, "  %s     %s\n", soak->status, soak->reason);
}
