/* soak.c: burst against sustained, and the fields of both records. */
#include "bench/record/soak.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BURST_S 6.0
#define FEWEST 6 /* points: three for each of both medians */

void soak_point_init(struct duel_soak_point *point)
{
    *point = (struct duel_soak_point){.wrong_row = -1, .wrong_column = -1, .right = true};
    point->run_s = point->gflops = point->gbps = NAN;
    point->clock_mhz = point->temperature_c = point->power_w = point->foreign_cpu_share = NAN;
}

void soak_init(struct duel_soak *soak)
{
    *soak = (struct duel_soak){.first_wrong_row = -1, .first_wrong_column = -1, .first_wrong_s = NAN};
    soak->burst_gflops = soak->burst_gbps = soak->sustained_gflops = soak->sustained_gbps = soak->kept = NAN;
    soak->clock_mhz = soak->hottest_c = soak->power_w = soak->energy_j = NAN;
}

size_t soak_burst_points(const struct duel_soak_point *points, size_t count)
{
    size_t first = 0;
    const double until = count > 0 ? fmin(BURST_S, points[count - 1].at_s / 6) : 0;
    while (first < count && (points[first].at_s <= until || first < FEWEST / 2))
        first++;
    return first;
}

static double run_of(const struct duel_soak_point *point)
{
    return point->run_s;
}

static double clock_of(const struct duel_soak_point *point)
{
    return point->clock_mhz;
}

static double power_of(const struct duel_soak_point *point)
{
    return point->power_w;
}

/* Of the known values; NaN without any, or without memory. */
static double median_of(const struct duel_soak_point *points, size_t count,
                        double (*value)(const struct duel_soak_point *))
{
    struct duel_samples known = {NULL, 0, 0};
    for (size_t i = 0; i < count; i++)
        if (isfinite(value(&points[i])))
            samples_add(&known, value(&points[i]));
    const double median = known.count > 0 ? stats_median(known.value, known.count) : (double)NAN;
    samples_free(&known);
    return median;
}

void soak_summarise(struct duel_soak *soak, const struct duel_soak_point *points, size_t count, double flops,
                    double bytes)
{
    const size_t third = count / 3 > FEWEST / 2 ? count / 3 : FEWEST / 2;
    double before_s = 0;
    soak->points = (int64_t)count;
    soak->seconds = count > 0 ? points[count - 1].at_s : 0;
    for (size_t i = 0; i < count; i++) {
        soak->runs += points[i].runs;
        soak->hottest_c = fmax(points[i].temperature_c, soak->hottest_c); /* fmax() passes over NaN */
        if (isfinite(points[i].power_w))
            soak->energy_j =
                (isfinite(soak->energy_j) ? soak->energy_j : 0) + points[i].power_w * (points[i].at_s - before_s);
        before_s = points[i].at_s;
    }
    soak->clock_mhz = median_of(points, count, clock_of);
    soak->power_w = median_of(points, count, power_of);
    if (count < FEWEST)
        return;
    const double burst_s = median_of(points, soak_burst_points(points, count), run_of);
    const double sustained_s = median_of(points + count - third, third, run_of);
    soak->kept = burst_s / sustained_s;
    soak->burst_gflops = flops > 0 ? flops / burst_s / 1e9 : (double)NAN;
    soak->sustained_gflops = flops > 0 ? flops / sustained_s / 1e9 : (double)NAN;
    soak->burst_gbps = bytes / burst_s / 1e9;
    soak->sustained_gbps = bytes / sustained_s / 1e9;
}

static const char *why_clock(const void *row)
{
    return ((const struct duel_soak_point *)row)->clock_why;
}

static const char *why_heat(const void *row)
{
    return ((const struct duel_soak_point *)row)->heat_why;
}

static const char *why_power(const void *row)
{
    return ((const struct duel_soak_point *)row)->power_why;
}

static const char *why_kept(const void *row)
{
    return ((const struct duel_soak *)row)->points < FEWEST ? "fewer than six stretches of load" : NULL;
}

#define AT(member) offsetof(struct duel_soak_point, member)
static const struct duel_cell point_cells[] = {
    {"device", "", true, value_text, AT(device), NULL, "`cuda:0`, `cpu`"},
    {"workload", "", true, value_text, AT(workload), NULL, "as in a result"},
    {"implementation", "", true, value_text, AT(implementation), NULL, "as in a result"},
    {"m", "", true, value_extent, AT(problem.m), NULL, "as in a result"},
    {"n", "", true, value_extent, AT(problem.n), NULL, "as in a result"},
    {"k", "", true, value_extent, AT(problem.k), NULL, "as in a result"},
    {"count", "", true, value_extent, AT(problem.count), NULL, "as in a result"},
    {"precision", "", true, value_dtype, AT(problem.types.in), NULL, "as in a result"},
    {"threads", "", true, value_threads, AT(threads), NULL, "CPU threads; absent on a GPU"},
    {"at_s", "s", true, value_positive, AT(at_s), NULL, "since the load began, at the end of this stretch"},
    {"runs", "", true, value_count, AT(runs), NULL, "in this stretch"},
    {"run_s", "s", true, value_positive, AT(run_s), NULL, "mean of one run, by the device's clock"},
    {"gflops", "GFLOP/s", true, value_positive, AT(gflops), NULL, "arithmetic of that"},
    {"gbps", "GB/s", true, value_positive, AT(gbps), NULL, "compulsory traffic of that"},
    {"right", "", true, value_flag, AT(right), NULL, "is the answer of the last run right?"},
    {"wrong_elements", "", true, value_count, AT(wrong_elements), NULL, "of that answer, where they can be counted"},
    {"wrong_row", "", true, value_extent, AT(wrong_row), NULL, "of the first of them, or of the worst"},
    {"wrong_column", "", true, value_extent, AT(wrong_column), NULL, "of the same"},
    {"reason", "", true, value_text, AT(reason), NULL, "what is wrong"},
    {"clock_mhz", "MHz", true, value_positive, AT(clock_mhz), why_clock, "median of the device's clock"},
    {"temperature_c", "C", true, value_positive, AT(temperature_c), why_heat, "highest of a GPU"},
    {"power_w", "W", true, value_positive, AT(power_w), why_power, "of the card, or of all processor packages"},
    {"clock_reasons", "", true, value_text, AT(clock_reasons), NULL, "what held the clock of a GPU back"},
    {"foreign_cpu_share", "", true, value_real, AT(foreign_cpu_share), NULL, "of all CPU time, used by other work"},
    {NULL, NULL, false, NULL, 0, NULL, NULL},
};
const struct duel_sheet soak_point_sheet = {"soak_point", point_cells};

#define OF(member) offsetof(struct duel_soak, member)
static const struct duel_cell cells[] = {
    {"device", "", true, value_text, OF(device), NULL, "as above"},
    {"device_name", "", true, value_text, OF(device_name), NULL, "as in a result"},
    {"workload", "", true, value_text, OF(workload), NULL, "as above"},
    {"implementation", "", true, value_text, OF(implementation), NULL, "as above"},
    {"m", "", true, value_extent, OF(problem.m), NULL, "as above"},
    {"n", "", true, value_extent, OF(problem.n), NULL, "as above"},
    {"k", "", true, value_extent, OF(problem.k), NULL, "as above"},
    {"count", "", true, value_extent, OF(problem.count), NULL, "as above"},
    {"precision", "", true, value_dtype, OF(problem.types.in), NULL, "as above"},
    {"threads", "", true, value_threads, OF(threads), NULL, "as above"},
    {"status", "", true, value_text, OF(status), NULL, "`ok`, `wrong`, `FAILED`, `interrupted`"},
    {"reason", "", true, value_text, OF(reason), NULL, "why it is not ok"},
    {"seconds", "s", true, value_positive, OF(seconds), NULL, "of load"},
    {"points", "", true, value_count, OF(points), NULL, "records `soak_point` before this one"},
    {"runs", "", true, value_count, OF(runs), NULL, "in all of them"},
    {"checks", "", true, value_count, OF(checks), NULL, "answers that were checked"},
    {"wrong_checks", "", true, value_extent, OF(wrong_checks), NULL, "of them wrong"},
    {"repeats", "", true, value_flag, OF(repeats), NULL,
     "true: the same inputs gave the same bits before the load, so any other bit counts as wrong; false: answers are "
     "wrong beyond their rounding bound"},
    {"burst_gflops", "GFLOP/s", true, value_positive, OF(burst_gflops), why_kept,
     "median of the first 6 s, or of the first sixth of a shorter load"},
    {"sustained_gflops", "GFLOP/s", true, value_positive, OF(sustained_gflops), why_kept, "median of the last third"},
    {"burst_gbps", "GB/s", true, value_positive, OF(burst_gbps), NULL, "the same in compulsory traffic"},
    {"sustained_gbps", "GB/s", true, value_positive, OF(sustained_gbps), NULL, "the same in compulsory traffic"},
    {"kept", "", true, value_positive, OF(kept), why_kept, "sustained over burst"},
    {"clock_mhz", "MHz", true, value_positive, OF(clock_mhz), NULL, "median"},
    {"hottest_c", "C", true, value_positive, OF(hottest_c), NULL, "highest temperature"},
    {"power_w", "W", true, value_positive, OF(power_w), NULL, "median"},
    {"energy_j", "J", true, value_positive, OF(energy_j), NULL, "power over all stretches in which it is known"},
    {"first_wrong_s", "s", true, value_positive, OF(first_wrong_s), NULL, "at_s of the first wrong answer"},
    {"first_wrong_row", "", true, value_extent, OF(first_wrong_row), NULL, "where in it"},
    {"first_wrong_column", "", true, value_extent, OF(first_wrong_column), NULL, "where in it"},
    {"first_wrong_elements", "", true, value_count, OF(first_wrong_elements), NULL, "how many of it"},
    {NULL, NULL, false, NULL, 0, NULL, NULL},
};
const struct duel_sheet soak_sheet = {"soak", cells};
