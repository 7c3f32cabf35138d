/* placement.c: a row under its roofs. Between two ends lies the traffic that it really caused, which no clock shows:
 * at the one end every operand crosses a memory level once (compulsory), at the other both factors of every
 * multiply-add do (no reuse). All say something:
 *
 *   compulsory   how high the roof is, and whether arithmetic or memory makes it
 *   modelled     the same for what the implementation's own blocking moves, by its model: an estimate, named as one
 *   no reuse     which memory level could feed this speed with no reuse at all: one that none could feed must keep
 *                operands in registers, and one that even memory could feed is held up by something else */
#include <math.h>
#include <string.h>

#include "bench/harness/roofs.h"
#include "bench/matrix/dtype.h"

/* Is this a ceiling of `threads` threads? What fewer threads did, more can do too: where they did less, other work on
 * the machine held them up. */
static bool holds(const struct duel_roof *roof, const char *device, int threads)
{
    return strcmp(roof->device, device) == 0 &&
           (roof->threads == threads || (roof->threads > 0 && roof->threads < threads));
}

const struct duel_roof *roofs_peak(const struct duel_roofs *roofs, const char *device, enum duel_dtype in, int threads)
{
    const struct duel_roof *best = NULL;
    for (size_t i = 0; i < roofs->count; i++) {
        const struct duel_roof *roof = &roofs->roof[i];
        if (holds(roof, device, threads) && !*roof->level && roof->in == in && roof->gflops > 0 &&
            (!best || roof->gflops > best->gflops))
            best = roof;
    }
    return best;
}

const struct duel_roof *roofs_level(const struct duel_roofs *roofs, const char *device, int rank, int threads)
{
    const struct duel_roof *best = NULL;
    for (size_t i = 0; i < roofs->count; i++) {
        const struct duel_roof *roof = &roofs->roof[i];
        if (holds(roof, device, threads) && *roof->level && roof->rank == rank && roof->gbps > 0 &&
            (!best || roof->gbps > best->gbps))
            best = roof;
    }
    return best;
}

/* The nearest measured level that holds all operands, else the farthest measured one. */
static const struct duel_roof *home_of(const struct duel_roofs *roofs, const struct duel_result *result)
{
    const struct duel_roof *home = NULL;
    for (int rank = 0; rank < ROOFS_LEVELS; rank++) {
        const struct duel_roof *roof = roofs_level(roofs, result->device, rank, result->threads);
        home = roof ? roof : home;
        if (roof && result->bytes <= (double)roof->capacity_bytes)
            return roof;
    }
    return home;
}

static void set_no_reuse(const struct duel_roofs *roofs, const struct duel_result *result,
                         struct duel_placement *placement)
{
    bool known = false;
    for (int rank = ROOFS_LEVELS - 1; rank >= 0; rank--) {
        const struct duel_roof *roof = roofs_level(roofs, result->device, rank, result->threads);
        known = known || roof;
        if (!roof || roof->gbps * placement->no_reuse_intensity < placement->gflops)
            continue;
        snprintf(placement->no_reuse, sizeof placement->no_reuse, "%s", roof->level);
        return;
    }
    if (known)
        snprintf(placement->no_reuse, sizeof placement->no_reuse, "registers");
}

static void set_roof(const struct duel_roofs *roofs, const struct duel_result *result, struct duel_placement *placement)
{
    const enum duel_dtype in = result->problem.types.in;
    const struct duel_roof *peak = roofs_peak(roofs, result->device, in, result->threads);
    const struct duel_roof *home = home_of(roofs, result);
    if (home)
        snprintf(placement->home, sizeof placement->home, "%s", home->level);
    if (!peak) {
        snprintf(placement->roof_why, sizeof placement->roof_why, "the arithmetic peak of %s is not known here",
                 dtype_name(in));
        return;
    }
    double memory = home ? placement->intensity * home->gbps : INFINITY;
    placement->roof_gflops = fmin(peak->gflops, memory);
    placement->roof_percent = 100 * placement->gflops / placement->roof_gflops;
    snprintf(placement->limit, sizeof placement->limit, "%s", memory < peak->gflops ? home->level : "arithmetic");
}

static void set_status(struct duel_placement *placement, enum duel_row_status status)
{
    placement->status = status;
    snprintf(placement->status_text, sizeof placement->status_text, "%s", row_status_name(status));
}

/* No number of it is believed, so none is shown. */
static void refuse(struct duel_placement *placement)
{
    snprintf(
        placement->reason, sizeof placement->reason,
        "%.4g GFLOP/s is %.2f of its roof of %.4g GFLOP/s (%s): the probe did not reach the ceiling, or the kernel "
        "did not run",
        placement->gflops, placement->gflops / placement->roof_gflops, placement->roof_gflops, placement->limit);
    placement->gflops = placement->gflops_lo = placement->gflops_hi = NAN;
    placement->roof_percent = placement->modelled_roof_percent = NAN;
    placement->cause = DUEL_EDEVICE;
    placement->no_reuse[0] = '\0';
    set_status(placement, ROW_FAILED);
}

/* Other work on the machine makes a probe too low, so that right rows stand above it: then the roof is not known. No
 * other work hides a factor of eight: a kernel that returned at once is found on a busy CPU too. */
static bool doubtful(const struct duel_result *result, const struct duel_placement *placement)
{
    return result_on_cpu(result) && result->foreign_cpu_share > 0.05 && placement->gflops <= 8 * placement->roof_gflops;
}

static void leave_open(const struct duel_result *result, struct duel_placement *placement)
{
    snprintf(placement->roof_why, sizeof placement->roof_why,
             "the probe reached %.4g GFLOP/s only, below this row: other work took %.0f %% of the CPU time",
             placement->roof_gflops, 100 * result->foreign_cpu_share);
    placement->roof_gflops = placement->roof_percent = placement->modelled_roof_percent = NAN;
    placement->limit[0] = '\0';
}

/* The level that the operands enter next: the farthest one nearer than `home`; NULL when there is none. Its capacity
 * counts, whether it was measured or not. */
static const struct duel_roof *cache_before(const struct duel_roofs *roofs, const struct duel_result *result,
                                            const struct duel_roof *home)
{
    const struct duel_roof *cache = NULL;
    for (size_t i = 0; i < roofs->count; i++) {
        const struct duel_roof *roof = &roofs->roof[i];
        if (strcmp(roof->device, result->device) == 0 && roof->threads == result->threads && *roof->level &&
            roof->rank < home->rank && (!cache || roof->rank > cache->rank))
            cache = roof;
    }
    return cache;
}

static const char *no_model(const struct duel_impl *impl, const struct duel_roof *home)
{
    if (!home)
        return "no memory level was measured, so it is not known where operands come from";
    if (impl && impl->library)
        return "a library does not tell how it blocks: compulsory traffic only";
    if (!impl || !impl->traffic)
        return "this implementation has no model of its traffic: compulsory only";
    if (strcmp(home->level, "L1") == 0)
        return "all operands fit L1, and what goes on to the registers is not modelled";
    return NULL;
}

static void set_modelled(const struct duel_roofs *roofs, const struct duel_result *result, const struct duel_impl *impl,
                         struct duel_placement *placement)
{
    const struct duel_roof *peak = roofs_peak(roofs, result->device, result->problem.types.in, result->threads);
    const struct duel_roof *home = home_of(roofs, result);
    const char *why = no_model(impl, home);
    if (why) {
        snprintf(placement->modelled_why, sizeof placement->modelled_why, "%s", why);
        return;
    }
    const struct duel_roof *cache = cache_before(roofs, result, home);
    const double bytes = impl->traffic(&result->problem, cache ? (double)cache->capacity_bytes : 0);
    snprintf(placement->traffic_model, sizeof placement->traffic_model, "%s", impl->traffic_model);
    if (cache)
        snprintf(placement->modelled_cache, sizeof placement->modelled_cache, "%s", cache->level);
    placement->modelled_bytes = bytes;
    placement->modelled_intensity = result->flops / bytes;
    if (!peak)
        return;
    placement->modelled_roof_gflops = fmin(peak->gflops, placement->modelled_intensity * home->gbps);
    placement->modelled_roof_percent = 100 * placement->gflops / placement->modelled_roof_gflops;
}

void roofs_place(const struct duel_roofs *roofs, const struct duel_result *result, const struct duel_impl *impl,
                 struct duel_placement *placement)
{
    const double size = (double)dtype_size(result->problem.types.in);
    *placement = (struct duel_placement){.problem = result->problem,
                                         .threads = result->threads,
                                         .cause = result->cause,
                                         .gflops = NAN,
                                         .gflops_lo = NAN,
                                         .gflops_hi = NAN,
                                         .intensity = NAN,
                                         .no_reuse_intensity = NAN,
                                         .modelled_bytes = NAN,
                                         .modelled_intensity = NAN,
                                         .modelled_roof_gflops = NAN,
                                         .modelled_roof_percent = NAN,
                                         .roof_gflops = NAN,
                                         .roof_percent = NAN};
    snprintf(placement->implementation, sizeof placement->implementation, "%s", result->implementation);
    snprintf(placement->device, sizeof placement->device, "%s", result->device);
    snprintf(placement->reason, sizeof placement->reason, "%.390s", result->reason);
    set_status(placement, result->status);
    if (!result_timed(result))
        return;
    if (!(result->flops > 0) || !(result->bytes > 0) || !(result->gflops > 0)) {
        snprintf(placement->reason, sizeof placement->reason, "it does no arithmetic: no rate stands under a ceiling");
        set_status(placement, ROW_SKIPPED);
        return;
    }
    placement->gflops = result->gflops;
    placement->gflops_lo = result->flops / result->kernel.ci_hi / 1e9;
    placement->gflops_hi = result->flops / result->kernel.ci_lo / 1e9;
    placement->intensity = result->flops / result->bytes;
    /* Two factors for two operations: as many bytes per operation as one factor has. Copies have no multiply-adds. */
    placement->no_reuse_intensity = fmin(placement->intensity, 1 / size);
    set_roof(roofs, result, placement);
    set_no_reuse(roofs, result, placement);
    set_modelled(roofs, result, impl, placement);
    if (placement->gflops > ROOFS_ABOVE * placement->roof_gflops) {
        if (doubtful(result, placement))
            leave_open(result, placement);
        else
            refuse(placement);
    }
}
