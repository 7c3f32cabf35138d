/* columns.c: the columns of the terminal table. */
#include "bench/report/columns.h"

#include <math.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/report/rate.h"
#include "bench/report/words.h"

/* ---- cells: empty means nothing to say -----------------------------------------------------------------------------
 */

static void cell_name(const struct duel_view *view, const struct duel_result *row, char *out)
{
    (void)view;
    snprintf(out, DUEL_CELL, "%s", row->implementation);
}

/* Only devices that the full name does not tell already. */
static void cell_device(const struct duel_view *view, const struct duel_result *row, char *out)
{
    (void)view;
    bool usual = result_on_cpu(row) || strcmp(row->device, "cuda:0") == 0;
    snprintf(out, DUEL_CELL, "%s", usual ? "" : row->device);
}

static void cell_precision(const struct duel_view *view, const struct duel_result *row, char *out)
{
    (void)view;
    snprintf(out, DUEL_CELL, "%s", row->problem.types.in == DUEL_NONE ? "" : dtype_name(row->problem.types.in));
}

static void cell_threads(const struct duel_view *view, const struct duel_result *row, char *out)
{
    (void)view;
    if (row->threads > 0)
        snprintf(out, DUEL_CELL, "%d", row->threads);
}

static void cell_kernel(const struct duel_view *view, const struct duel_result *row, char *out)
{
    if (row->status == ROW_FAILED)
        snprintf(out, DUEL_CELL, "%s", WORDS_FAILED);
    else if (result_timed(row))
        format_seconds(view->console, row->kernel.median, out, DUEL_CELL);
}

static void cell_interval(const struct duel_view *view, const struct duel_result *row, char *out)
{
    (void)view;
    double half = (row->kernel.ci_hi - row->kernel.ci_lo) / 2 / row->kernel.median * 100;
    if (result_timed(row) && isfinite(half))
        snprintf(out, DUEL_CELL, "%.*f", half < 9.95 ? 1 : 0, half);
}

static void cell_gflops(const struct duel_view *view, const struct duel_result *row, char *out)
{
    (void)view;
    if (!rate_is_bytes(row->workload))
        format_number(rate_of(row).value, out, DUEL_CELL);
}

static void cell_gbps(const struct duel_view *view, const struct duel_result *row, char *out)
{
    (void)view;
    if (rate_is_bytes(row->workload))
        format_number(rate_of(row).value, out, DUEL_CELL);
}

static void cell_h2d(const struct duel_view *view, const struct duel_result *row, char *out)
{
    if (result_timed(row))
        format_seconds(view->console, row->h2d.median, out, DUEL_CELL);
}

static void cell_d2h(const struct duel_view *view, const struct duel_result *row, char *out)
{
    if (result_timed(row))
        format_seconds(view->console, row->d2h.median, out, DUEL_CELL);
}

static void cell_convert(const struct duel_view *view, const struct duel_result *row, char *out)
{
    if (result_timed(row))
        format_seconds(view->console, row->convert_s, out, DUEL_CELL);
}

static void cell_end_to_end(const struct duel_view *view, const struct duel_result *row, char *out)
{
    if (result_timed(row) && view->copies)
        format_seconds(view->console, row->end_to_end.median, out, DUEL_CELL);
}

static void put_speedup(const struct duel_result *row, double speedup, char *out)
{
    if (result_timed(row))
        format_number(speedup, out, DUEL_CELL);
}

static void cell_speedup(const struct duel_view *view, const struct duel_result *row, char *out)
{
    (void)view;
    put_speedup(row, row->speedup_kernel.value, out);
}

static void cell_speedup_whole(const struct duel_view *view, const struct duel_result *row, char *out)
{
    if (view->copies)
        put_speedup(row, row->speedup_end_to_end.value, out);
}

/* How many uses of the same operands pay for their copies. */
static void cell_uses(const struct duel_view *view, const struct duel_result *row, char *out)
{
    const char *why = result_reuse_why(row);
    (void)view;
    if (result_timed(row) && isfinite(row->break_even_reuse.value))
        snprintf(out, DUEL_CELL, row->break_even_reuse.value < 1e7 ? "%.0f" : "%.3g", row->break_even_reuse.value);
    else if (why && strncmp(why, WORDS_NEVER, strlen(WORDS_NEVER)) == 0)
        snprintf(out, DUEL_CELL, WORDS_NEVER);
}

static void cell_cold(const struct duel_view *view, const struct duel_result *row, char *out)
{
    if (view->copies)
        put_speedup(row, row->speedup_cold.value, out);
}

static void cell_serial(const struct duel_view *view, const struct duel_result *row, char *out)
{
    (void)view;
    put_speedup(row, row->speedup_serial, out);
}

static void cell_check(const struct duel_view *view, const struct duel_result *row, char *out)
{
    bool right = row->status == ROW_OK || row->status == ROW_VERIFIED;
    const char *mark = view->console->utf8 ? "\342\234\223" : "ok";
    if (right && row->verdict.tier != DUEL_TIER_NONE)
        snprintf(out, DUEL_CELL, "%s %s", mark, verdict_tier_name(row->verdict.tier));
}

/* How far inside its bound a row without a time is: what is left to say about it. */
static void cell_ratio(const struct duel_view *view, const struct duel_result *row, char *out)
{
    (void)view;
    if (row->status == ROW_VERIFIED)
        format_number(row->verdict.bound_ratio, out, DUEL_CELL);
}

const struct duel_column duel_columns[] = {
    {"implementation", NULL, true, cell_name, SHADE_PLAIN},
    {"device", NULL, true, cell_device, SHADE_PLAIN},
    {"type", NULL, true, cell_precision, SHADE_PLAIN},
    {"thr", NULL, false, cell_threads, SHADE_PLAIN},
    {"convert", NULL, false, cell_convert, SHADE_PLAIN},
    {"H2D", NULL, false, cell_h2d, SHADE_PLAIN},
    {"kernel", NULL, false, cell_kernel, SHADE_PLAIN},
    {"+-%", "\302\261%", false, cell_interval, SHADE_PLAIN},
    {"D2H", NULL, false, cell_d2h, SHADE_PLAIN},
    {"end to end", NULL, false, cell_end_to_end, SHADE_PLAIN},
    {"GFLOP/s", NULL, false, cell_gflops, SHADE_PLAIN},
    {"GB/s", NULL, false, cell_gbps, SHADE_PLAIN},
    {"x kernel", "\303\227 kernel", false, cell_speedup, SHADE_PLAIN},
    {"x end to end", "\303\227 end to end", false, cell_speedup_whole, SHADE_PLAIN},
    {"uses to pay", NULL, false, cell_uses, SHADE_PLAIN},
    {"x cold", "\303\227 cold", false, cell_cold, SHADE_PLAIN},
    {"x serial", "\303\227 serial", false, cell_serial, SHADE_PLAIN},
    {"verified", NULL, true, cell_check, SHADE_GREEN},
    {"error/bound", NULL, false, cell_ratio, SHADE_PLAIN},
    {.head = NULL},
};
