/* speedup.c: every speed-up names its baseline: the row of --base, or the best verified CPU row of the same precision.
 */
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "bench/harness/lane.h"

static bool measured(const struct duel_result *result)
{
    return result->status == ROW_OK && result->kernel.count > 0;
}

static bool better(const struct duel_result *candidate, const struct duel_result *best)
{
    return !best || candidate->kernel.median < best->kernel.median;
}

/* The baseline at one precision: with --base its fastest row, else the fastest CPU row. */
static const struct duel_result *base_at(const struct duel_result *results, int count, const char *base,
                                         enum duel_dtype in)
{
    const struct duel_result *best = NULL;
    for (int i = 0; i < count; i++) {
        const struct duel_result *row = &results[i];
        bool eligible = base ? strcmp(row->implementation, base) == 0 || fnmatch(base, row->implementation, 0) == 0
                             : strcmp(row->device, "cpu") == 0;
        if (eligible && measured(row) && row->problem.types.in == in && better(row, best))
            best = row;
    }
    return best;
}

static const struct duel_result *serial_at(const struct duel_result *results, int count, enum duel_dtype in)
{
    for (int i = 0; i < count; i++) {
        const char *name = strrchr(results[i].implementation, '/');
        if (measured(&results[i]) && strcmp(results[i].device, "cpu") == 0 && results[i].problem.types.in == in &&
            name && strcmp(name, "/serial") == 0)
            return &results[i];
    }
    return NULL;
}

/* The CPU has no FP16 rows, so a narrower type is compared with FP32: another problem, and the label of the baseline
 * says so. */
void speedups_set(struct duel_result *results, int count, const char *base)
{
    for (int i = 0; i < count; i++) {
        struct duel_result *row = &results[i];
        if (!measured(row))
            continue;
        const struct duel_result *against = base_at(results, count, base, row->problem.types.in);
        const struct duel_result *serial = serial_at(results, count, row->problem.types.in);
        if (!against && row->problem.types.in != DUEL_FP64)
            against = base_at(results, count, base, DUEL_FP32);
        if (!serial && row->problem.types.in != DUEL_FP64)
            serial = serial_at(results, count, DUEL_FP32);
        if (serial)
            row->speedup_serial = serial->kernel.median / row->kernel.median;
        if (!against)
            continue;
        row->speedup_kernel.value = against->kernel.median / row->kernel.median;
        row->speedup_end_to_end.value = against->end_to_end.median / row->end_to_end.median;
        result_label(against, row->base, sizeof row->base);
    }
}
