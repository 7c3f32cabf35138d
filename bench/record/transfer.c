/* transfer.c: rows of copies, and what their sizes say together. */
#include "bench/record/transfer.h"

#include <math.h>
#include <string.h>

#include "bench/stats/line.h"

#define MOST_SIZES 256

static const struct {
    const char *name;
    int directions;
} way_table[WAYS] = {[WAY_H2D] = {"h2d", 1},
                     [WAY_D2H] = {"d2h", 1},
                     [WAY_BOTH] = {"both", 2},
                     [WAY_OVERLAPPED] = {"overlapped", 2},
                     [WAY_HOST] = {"host", 1}};

const char *way_name(enum duel_way way)
{
    return way_table[way].name;
}

int way_directions(enum duel_way way)
{
    return way_table[way].directions;
}

static void set_status(struct duel_transfer *row, enum duel_row_status status)
{
    row->status = status;
    snprintf(row->status_text, sizeof row->status_text, "%s", row_status_name(status));
}

void transfer_init(struct duel_transfer *row, enum duel_way way, const char *memory, int64_t bytes)
{
    *row = (struct duel_transfer){.way = way,
                                  .bytes = bytes,
                                  .host_s = NAN,
                                  .gbps = NAN,
                                  .gbps_lo = NAN,
                                  .gbps_hi = NAN,
                                  .overlap_ratio = NAN,
                                  .allocate_s = NAN,
                                  .warmup_s = NAN};
    row->time = stats_summary(NULL, 0);
    snprintf(row->way_text, sizeof row->way_text, "%s", way_name(way));
    snprintf(row->memory, sizeof row->memory, "%s", memory);
    if (way == WAY_HOST)
        snprintf(row->note, sizeof row->note, "%s", TRANSFER_STAND_IN);
    set_status(row, ROW_SKIPPED);
}

void transfer_free(struct duel_transfer *row)
{
    samples_free(&row->time_s);
    samples_free(&row->host_time_s);
    samples_free(&row->disturbed);
    row->time = stats_summary(NULL, 0);
    row->host_s = row->gbps = row->gbps_lo = row->gbps_hi = row->overlap_ratio = NAN;
    row->stop_reason[0] = '\0';
}

void transfer_fail(struct duel_transfer *row, enum duel_status cause, const char *reason)
{
    transfer_free(row);
    row->batch = row->warmup_runs = 0;
    row->warmup_s = NAN;
    row->cause = cause == DUEL_SKIP ? DUEL_OK : cause;
    set_status(row, cause == DUEL_SKIP ? ROW_SKIPPED : ROW_FAILED);
    snprintf(row->reason, sizeof row->reason, "%s", reason);
}

void transfer_summarise(struct duel_transfer *row)
{
    const double crossed = way_directions(row->way) * (double)row->bytes / 1e9;
    row->time = summary_of_clean(&row->time_s, &row->disturbed, row->clean_wanted, &row->clean);
    if (!(row->time.median > 0)) {
        transfer_fail(row, DUEL_EDEVICE, "there is no sample");
        return;
    }
    row->host_s = stats_median(row->host_time_s.value, row->host_time_s.count);
    row->gbps = crossed / row->time.median;
    row->gbps_lo = crossed / row->time.ci_hi;
    row->gbps_hi = crossed / row->time.ci_lo;
    set_status(row, ROW_OK);
}

void transfer_overlap(struct duel_transfer *together, const struct duel_transfer *h2d, const struct duel_transfer *d2h)
{
    if (together->status != ROW_OK)
        return;
    if (!h2d || !d2h || h2d->status != ROW_OK || d2h->status != ROW_OK) {
        snprintf(together->overlap_why, sizeof together->overlap_why, "one direction has no time by itself");
        return;
    }
    double up = h2d->time.median, down = d2h->time.median;
    together->overlap_ratio = (up + down - together->time.median) / fmin(up, down);
}

/* ---- all sizes of one way -----------------------------------------------------------------------------------------
 */

/* 8b/10b coding up to generation 2, 128b/130b from 3 to 5, and from 6 on none that costs anything: GT/s times that,
 * over 8 bits (PCI Express Base Specification, chapters on the physical layer). */
static const double lane_gbps[] = {0, 0.25, 0.5, 8 * 128.0 / 130 / 8, 16 * 128.0 / 130 / 8, 32 * 128.0 / 130 / 8, 8};

void link_pcie(struct duel_link *link, double generation, double lanes, const char *why)
{
    *link = (struct duel_link){.gbps = NAN};
    int number = isfinite(generation) && generation > 0 && generation < 100 ? (int)generation : 0;
    bool known = number >= 1 && (size_t)number < sizeof lane_gbps / sizeof *lane_gbps;
    if (known && lanes >= 1 && lanes <= 32) {
        link->gbps = lane_gbps[number] * floor(lanes);
        snprintf(link->text, sizeof link->text, "PCIe %d x%d", number, (int)lanes);
    } else if (number > 0 && !known) {
        snprintf(link->why, sizeof link->why, "the rate of PCIe generation %d is not known here", number);
    } else {
        snprintf(link->why, sizeof link->why, "%s", why);
    }
}

static void set_link(struct duel_transfer_curve *curve, const struct duel_link *link)
{
    curve->link_gbps = curve->way == WAY_HOST ? NAN : link->gbps * way_directions(curve->way);
    curve->link_percent = 100 * curve->best_gbps / curve->link_gbps;
    snprintf(curve->link_why, sizeof curve->link_why, "%s",
             curve->way == WAY_HOST ? "a copy within host memory uses no link" : link->why);
}

/* The line goes through the sizes up to the first one that reaches half of the best rate: there the fixed cost is at
 * least half of the time. Three are the least that a line can be judged by. */
static void set_fixed_cost(struct duel_transfer_curve *curve, const double *size, const double *time, size_t count)
{
    size_t small = 0;
    double slope;
    while (small < count && !(size[small] >= curve->half_bandwidth_bytes))
        small++;
    small = isnan(curve->half_bandwidth_bytes) || small < 2 ? 2 : small;
    small = small + 1 < count ? small + 1 : count;
    curve->fixed_cost_points = (int64_t)small;
    if (!stats_line(size, time, small, &curve->fixed_cost_s, &slope)) {
        snprintf(curve->fixed_cost_why, sizeof curve->fixed_cost_why, "fewer than three sizes were measured");
    } else if (!(curve->fixed_cost_s > 0)) {
        snprintf(curve->fixed_cost_why, sizeof curve->fixed_cost_why,
                 "the line through the %zu smallest sizes starts at %.3g s: none shows", small, curve->fixed_cost_s);
        curve->fixed_cost_s = NAN;
    }
}

void transfer_curve_of(struct duel_transfer_curve *curve, const struct duel_transfer *rows, size_t count,
                       enum duel_way way, const char *memory, const struct duel_link *link)
{
    double size[MOST_SIZES], time[MOST_SIZES];
    size_t points = 0;
    *curve = (struct duel_transfer_curve){
        .way = way, .fixed_cost_s = NAN, .half_bandwidth_bytes = NAN, .best_gbps = NAN, .best_bytes = NAN};
    snprintf(curve->way_text, sizeof curve->way_text, "%s", way_name(way));
    snprintf(curve->memory, sizeof curve->memory, "%s", memory);
    for (size_t i = 0; i < count && points < MOST_SIZES; i++) {
        if (rows[i].way != way || strcmp(rows[i].memory, memory) != 0 || rows[i].status != ROW_OK)
            continue;
        snprintf(curve->device, sizeof curve->device, "%s", rows[i].device);
        snprintf(curve->note, sizeof curve->note, "%s", rows[i].note);
        size[points] = (double)rows[i].bytes;
        time[points++] = rows[i].time.median;
        if (!(rows[i].gbps <= curve->best_gbps)) {
            curve->best_gbps = rows[i].gbps;
            curve->best_bytes = (double)rows[i].bytes;
        }
    }
    double best;
    curve->points = (int64_t)points;
    if (!stats_half_rate(size, time, points, &curve->half_bandwidth_bytes, &best))
        snprintf(curve->half_why, sizeof curve->half_why, "%s",
                 points ? "the smallest size reaches half of the best rate already" : "nothing was measured");
    set_fixed_cost(curve, size, time, points);
    set_link(curve, link);
}
