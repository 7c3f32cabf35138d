/* sessions.c: few numbers, one per session, and what can be said about them. */
#include "bench/record/sessions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/stats/paired.h"

void sessions_init(struct duel_sessions *row)
{
    const struct duel_ratio unknown = {NAN, NAN, NAN};
    *row = (struct duel_sessions){.kernel_median_s = NAN,
                                  .lo_s = NAN,
                                  .hi_s = NAN,
                                  .spread = NAN,
                                  .kernel = unknown,
                                  .end_to_end = unknown,
                                  .amortised = unknown,
                                  .cold_s = NAN,
                                  .cold = unknown};
}

void sessions_free(struct duel_sessions *row)
{
    samples_free(&row->median_s);
}

bool sessions_interval(const double *median, size_t count, double *lo, double *hi)
{
    double middle;
    return stats_median_ci(median, count, lo, hi) || stats_session_ratio(median, count, &middle, lo, hi);
}

void sessions_summarise(struct duel_sessions *row)
{
    const struct duel_summary all = stats_summary(row->median_s.value, row->median_s.count);
    row->kernel_median_s = all.median;
    sessions_interval(row->median_s.value, row->median_s.count, &row->lo_s, &row->hi_s);
    row->spread = all.count > 1 ? (all.max - all.min) / all.median : NAN;
}

void sessions_speedup(const double *base, const double *row, size_t count, struct duel_ratio *ratio, char *verdict)
{
    double *single = malloc((count + 1) * sizeof *single);
    *ratio = (struct duel_ratio){NAN, NAN, NAN};
    *verdict = '\0';
    for (size_t i = 0; single && i < count; i++)
        single[i] = base[i] / row[i];
    if (single && stats_session_ratio(single, count, &ratio->value, &ratio->lo, &ratio->hi))
        snprintf(verdict, 16, "%s",
                 stats_comparison_name(stats_verdict(ratio->value, ratio->lo, ratio->hi, STATS_THRESHOLD)));
    free(single);
}

/* ---- the record ------------------------------------------------------------------------------------------------- */

static const char *why_untimed(const void *at)
{
    const struct duel_sessions *row = at;
    return row->reason[0] ? row->reason : "no session has a time";
}

static const char *why_interval(const void *at)
{
    const struct duel_sessions *row = at;
    return row->median_s.count == 1 ? "one session says nothing about others" : NULL;
}

static const char *why_base(const void *at)
{
    const struct duel_sessions *row = at;
    return row->median_s.count > 0 ? "no verified row to compare with" : NULL;
}

static const char *why_verdict(const void *at)
{
    const struct duel_sessions *row = at;
    return row->is_base ? "this is the base itself" : row->base[0] ? "fewer than two sessions have both times" : NULL;
}

static const char *why_cold(const void *at)
{
    const struct duel_sessions *row = at;
    if (row->is_base || !row->base[0])
        return why_verdict(at);
    return isfinite(row->cold.value) ? "one process is one observation, and only one session has both"
                                     : "no session knows the cold_s of both: in each only a first use has one";
}

#define ROW(member) offsetof(struct duel_sessions, member)
/* A speed-up is four columns: its value, its interval, and what that proves. */
#define SPEEDUP(name, member, why, help)                                                                              \
    {name, "x", false, value_positive, ROW(member.value), NULL, help ": geometric mean of the sessions' own"},        \
        {name "_ci_lo", "x", false, value_positive, ROW(member.lo), NULL, "lower end of its interval over sessions"}, \
        {name "_ci_hi", "x", false, value_positive, ROW(member.hi), NULL, "upper end of its interval over sessions"}, \
    {                                                                                                                 \
        name "_verdict", "", false, value_text, ROW(member##_verdict), why,                                           \
            "what that proves, for differences above 1 %: `faster`, `slower`, `same`, `inconclusive`"                 \
    }

/* In the JSON alone: the rows of the CSV are results. */
static const struct duel_cell cells[] = {
    {"workload", "", false, value_text, ROW(workload), NULL, "what was computed"},
    {"implementation", "", false, value_text, ROW(implementation), NULL, "full name"},
    {"device", "", false, value_text, ROW(device), NULL, "`cpu`, `cuda:0`, `emulated`"},
    {"m", "", false, value_extent, ROW(m), NULL, "rows of A and C"},
    {"n", "", false, value_extent, ROW(n), NULL, "columns of B and C"},
    {"k", "", false, value_extent, ROW(k), NULL, "columns of A, rows of B"},
    {"count", "", false, value_extent, ROW(batch), NULL, "matrices of a batch, channels of an image; else 1"},
    {"precision", "", false, value_dtype, ROW(precision), NULL, "type of the inputs"},
    {"threads", "", false, value_threads, ROW(threads), NULL, "CPU threads; absent on a GPU"},
    {"sessions", "", false, value_size, ROW(median_s.count), NULL, "sessions that have a time"},
    {"kernel_median_s", "s", false, value_positive, ROW(kernel_median_s), why_untimed,
     "median of the sessions' kernel_median_s"},
    {"kernel_ci_lo_s", "s", false, value_positive, ROW(lo_s), why_interval,
     "lower end of its 95 % interval over sessions: Student's t of the logarithms, from six on order statistics"},
    {"kernel_ci_hi_s", "s", false, value_positive, ROW(hi_s), NULL, "upper end of that interval"},
    {"kernel_spread", "", false, value_real, ROW(spread), NULL,
     "between sessions: largest less smallest kernel_median_s, over their median"},
    {"base", "", false, value_text, ROW(base), why_base,
     "the row that speed-ups are measured against, in each session"},
    SPEEDUP("speedup_kernel", kernel, why_verdict, "the base's kernel time over this one's"),
    SPEEDUP("speedup_end_to_end", end_to_end, why_verdict, "the base's end-to-end time over this one's"),
    SPEEDUP("speedup_amortised", amortised, NULL, "the same when operands are copied once for `reuse` uses"),
    {"cold_s", "s", false, value_positive, ROW(cold_s), NULL,
     "median of the sessions' cold_s: a first single use in a fresh process"},
    SPEEDUP("speedup_cold", cold, why_cold, "the base's cold_s over this one's"),
    {"session_median_s", "s", false, value_samples, ROW(median_s), NULL,
     "kernel_median_s of each session that has a time, in order"},
    {NULL, NULL, false, NULL, 0, NULL, NULL},
};
const struct duel_sheet sessions_sheet = {"sessions", cells};
