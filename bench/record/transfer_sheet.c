/* transfer_sheet.c: the fields of the records about copies. */
#include "bench/record/transfer.h"

#define ROW(member) offsetof(struct duel_transfer, member)
#define CURVE(member) offsetof(struct duel_transfer_curve, member)

static const char *why_no_overlap(const void *row)
{
    return ((const struct duel_transfer *)row)->overlap_why;
}

#define WHY_NO_END(function, median, end)                         \
    static const char *function(const void *row)                  \
    {                                                             \
        const struct duel_transfer *transfer = row;               \
        return value_why_no_end(transfer->median, transfer->end); \
    }
WHY_NO_END(why_no_time_lo, time.median, time.ci_lo)
WHY_NO_END(why_no_time_hi, time.median, time.ci_hi)
WHY_NO_END(why_no_rate_lo, gbps, gbps_lo)
WHY_NO_END(why_no_rate_hi, gbps, gbps_hi)

static const char *why_no_fixed_cost(const void *row)
{
    return ((const struct duel_transfer_curve *)row)->fixed_cost_why;
}

static const char *why_no_half(const void *row)
{
    return ((const struct duel_transfer_curve *)row)->half_why;
}

static const char *why_no_link(const void *row)
{
    return ((const struct duel_transfer_curve *)row)->link_why;
}

/* Of the whole row: without samples there is nothing to be clean. */
static void value_clean(const void *row, struct duel_value *value)
{
    const struct duel_transfer *transfer = row;
    if (transfer->time.count > 0)
        value_flag(&transfer->clean, value);
}

static const struct duel_cell transfer_cells[] = {
    {"device", "", true, value_text, ROW(device), NULL, "`cuda:0`, or `cpu` for the stand-in"},
    {"way", "", true, value_text, ROW(way_text), NULL,
     "`h2d`, `d2h`, `both` (one of each at once, in two queues), `overlapped` (there and back in chunks), `host`"},
    {"memory", "", true, value_text, ROW(memory), NULL, "host memory: `pageable` or `pinned`"},
    {"bytes", "B", true, value_count, ROW(bytes), NULL, "copied in each direction"},
    {"status", "", true, value_text, ROW(status_text), NULL, "`ok` (bytes compared and timed), `skipped`, `FAILED`"},
    {"reason", "", true, value_text, ROW(reason), NULL, "why it was skipped or failed"},
    {"note", "", true, value_text, ROW(note), NULL, "what a stand-in is good for"},
    {"time_median_s", "s", true, value_positive, ROW(time.median), NULL, "median time of one copy, by the device"},
    {"time_ci_lo_s", "s", true, value_positive, ROW(time.ci_lo), why_no_time_lo, "lower end of its 95 % interval"},
    {"time_ci_hi_s", "s", true, value_positive, ROW(time.ci_hi), why_no_time_hi, "upper end of its 95 % interval"},
    {"host_median_s", "s", true, value_positive, ROW(host_s), NULL, "the same by the host clock, as a cross-check"},
    {"gbps", "GB/s", true, value_positive, ROW(gbps), NULL, "all bytes that crossed, in 10^9 per second"},
    {"gbps_lo", "GB/s", true, value_positive, ROW(gbps_lo), why_no_rate_lo, "lower end of its 95 % interval"},
    {"gbps_hi", "GB/s", true, value_positive, ROW(gbps_hi), why_no_rate_hi, "upper end of its 95 % interval"},
    {"overlap_ratio", "", true, value_real, ROW(overlap_ratio), why_no_overlap,
     "share of the shorter direction that was hidden behind the other: 0 one after the other, 1 all of it"},
    {"batch", "", true, value_count, ROW(batch), NULL, "copies inside one timed interval; a sample is their mean"},
    {"samples", "", true, value_size, ROW(time.count), NULL, "number of samples"},
    {"stop_reason", "", true, value_text, ROW(stop_reason), NULL,
     "`ci`, `timeout`, `samples`, `budget`, `interrupted`"},
    {"clean", "", true, value_clean, 0, NULL, "false: too few samples without interruption, so all were used"},
    {"disturbed", "", true, value_size, ROW(disturbed.count), NULL, "samples that other work interrupted"},
    {"allocate_s", "s", true, value_positive, ROW(allocate_s), NULL, "allocating the host memory of this size, once"},
    {"warmup_s", "s", true, value_positive, ROW(warmup_s), NULL, "time spent until copies were stable"},
    {"warmup_runs", "", true, value_count, ROW(warmup_runs), NULL, "copies until they were stable; not in the samples"},
    {"time_s", "s", false, value_samples, ROW(time_s), NULL, "all samples, in order"},
    {"disturbed_samples", "", false, value_samples, ROW(disturbed), NULL,
     "positions in time_s, from 0, of the disturbed samples"},
    {NULL, NULL, false, NULL, 0, NULL, NULL},
};
const struct duel_sheet transfer_sheet = {"transfer", transfer_cells};

static const struct duel_cell curve_cells[] = {
    {"device", "", true, value_text, CURVE(device), NULL, "as above"},
    {"way", "", true, value_text, CURVE(way_text), NULL, "as above"},
    {"memory", "", true, value_text, CURVE(memory), NULL, "as above"},
    {"note", "", true, value_text, CURVE(note), NULL, "as above"},
    {"points", "", true, value_count, CURVE(points), NULL, "sizes with a time"},
    {"best_gbps", "GB/s", true, value_positive, CURVE(best_gbps), NULL, "the highest rate of all sizes"},
    {"best_bytes", "B", true, value_positive, CURVE(best_bytes), NULL, "the size that reached it"},
    {"fixed_cost_s", "s", true, value_positive, CURVE(fixed_cost_s), why_no_fixed_cost,
     "where the line through the small sizes meets size 0: least squares of the relative residuals of time over size"},
    {"fixed_cost_points", "", true, value_count, CURVE(fixed_cost_points), NULL,
     "small sizes that this line goes through: up to the first that reaches half of the best rate, at least three"},
    {"half_bandwidth_bytes", "B", true, value_positive, CURVE(half_bandwidth_bytes), why_no_half,
     "size that reaches half of the best rate (n 1/2), on straight lines of time between the sizes measured"},
    {"link_gbps", "GB/s", true, value_positive, CURVE(link_gbps), why_no_link,
     "what the link can carry in the directions used: PCIe generation and lanes, after line coding"},
    {"link_percent", "%", true, value_positive, CURVE(link_percent), NULL, "best_gbps of that"},
    {NULL, NULL, false, NULL, 0, NULL, NULL},
};
const struct duel_sheet transfer_curve_sheet = {"transfer_curve", curve_cells};
