/* session_speedup.c: speed-ups over sessions: each session gives one ratio, and the ratios give the interval. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/sessions.h"
#include "bench/harness/lane.h"

/* What one use costs: the kernel alone, everything once, the copies shared by `reuse` kernels, or the first and only
 * use in a process. On the CPU there are no copies, and the first three are the kernel. */
enum cost { COST_KERNEL, COST_END_TO_END, COST_AMORTISED, COST_COLD };

static double cost_of(const struct duel_result *row, enum cost cost, int64_t reuse)
{
    if (cost == COST_COLD)
        return row->cold_s;
    if (cost == COST_KERNEL || row->h2d.count == 0)
        return row->kernel.median;
    if (cost == COST_END_TO_END)
        return row->end_to_end.median;
    return row->kernel.median + (row->h2d.median + row->d2h.median) / (double)reuse;
}

/* From the sessions that have a time of both. */
static bool compare(const struct session_case *base, struct session_case *item, int sessions, enum cost cost,
                    struct duel_ratio *ratio, char *verdict)
{
    const int64_t reuse = item->combined.reuse;
    double *a = malloc((size_t)sessions * sizeof *a), *b = malloc((size_t)sessions * sizeof *b);
    size_t both = 0;
    for (int s = 0; a && b && s < sessions; s++) {
        if (!session_has_time(base->row[s]) || !session_has_time(item->row[s]))
            continue;
        a[both] = cost_of(base->row[s], cost, reuse);
        b[both] = cost_of(item->row[s], cost, reuse);
        both += a[both] > 0 && b[both] > 0; /* what is unknown is NaN */
    }
    if (a && b)
        sessions_speedup(a, b, both, ratio, verdict);
    free(a);
    free(b);
    return a && b;
}

/* The case that speedup.c has named as the base of `item`. */
static const struct session_case *base_of(const struct session_cases *cases, size_t first, size_t end,
                                          const struct session_case *item)
{
    const struct session_case *best = NULL;
    char label[sizeof item->combined.base];
    for (size_t i = first; i < end; i++) {
        const struct session_case *other = &cases->item[i];
        if (session_has_time(&other->combined) &&
            strcmp(result_label(&other->combined, label, sizeof label), item->combined.base) == 0 &&
            (!best || other->combined.kernel.median < best->combined.kernel.median))
            best = other;
    }
    return best;
}

static bool set_one(struct session_case *item, const struct session_case *base, int sessions)
{
    struct duel_sessions *record = &item->record;
    snprintf(record->base, sizeof record->base, "%s", item->combined.base);
    record->is_base = base == item;
    if (record->is_base) {
        record->kernel.value = record->end_to_end.value = 1;
        record->cold.value = isfinite(record->cold_s) ? 1 : NAN;
        return true;
    }
    bool done = compare(base, item, sessions, COST_KERNEL, &record->kernel, record->kernel_verdict) &&
                compare(base, item, sessions, COST_END_TO_END, &record->end_to_end, record->end_to_end_verdict);
    if (done && item->combined.h2d.count > 0 && item->combined.reuse > 0)
        done = compare(base, item, sessions, COST_AMORTISED, &record->amortised, record->amortised_verdict);
    done = done && compare(base, item, sessions, COST_COLD, &record->cold, record->cold_verdict);
    item->combined.speedup_kernel = record->kernel;
    item->combined.speedup_end_to_end = record->end_to_end;
    item->combined.speedup_amortised = record->amortised;
    item->combined.speedup_cold = record->cold;
    return done;
}

bool session_speedups(struct session_cases *cases, size_t first, size_t end, const char *base, uint64_t seed)
{
    struct duel_result *rows = malloc((end - first) * sizeof *rows);
    bool done = rows != NULL;
    for (size_t i = first; rows && i < end; i++)
        rows[i - first] = cases->item[i].combined;
    if (rows)
        speedups_set(rows, (int)(end - first), base, seed);
    for (size_t i = first; rows && i < end; i++)
        cases->item[i].combined = rows[i - first]; /* with the same samples: nothing is owned twice */
    free(rows);
    for (size_t i = first; done && i < end; i++) {
        struct session_case *item = &cases->item[i];
        const struct session_case *against =
            item->combined.base[0] && session_has_time(&item->combined) ? base_of(cases, first, end, item) : NULL;
        done = !against || set_one(item, against, cases->sessions);
    }
    return done;
}
