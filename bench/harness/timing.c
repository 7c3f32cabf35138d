/* timing.c: what lies between two marks, and nothing else. Times come from the back end alone. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "bench/harness/disturbance.h"
#include "bench/harness/lane.h"
#include "bench/harness/memory.h"

/* Marks in the queue. The end-to-end pass is IN - UPLOADED - RAN - OUT, the kernel pass is START - STOP. */
enum { MARK_IN, MARK_UPLOADED, MARK_RAN, MARK_OUT, MARK_START, MARK_STOP };

enum duel_cache lane_cache(const struct duel_lane *lane)
{
    return memory_cache_mode(lane->options->cache, lane->stage->workload);
}

/* With beta each run reads the C that the last one left. That is the same work on other numbers, as long as they stay
 * numbers: for |beta| > 1 C grows like its powers, so a batch ends where it would have grown this much. The answers
 * that are judged come from single runs of their own. */
#define GROWTH 1e6

static int64_t most_with_beta(double beta)
{
    const double factor = fabs(beta);
    return factor <= 1 ? INT64_MAX : factor >= GROWTH ? 1 : (int64_t)(log(GROWTH) / log(factor));
}

/* A flushed sample is one run: of a batch only the first would find empty caches. */
static int64_t batch_of(const struct duel_lane *lane)
{
    const int64_t most = lane_cache(lane) == DUEL_CACHE_FLUSHED ? 1 : most_with_beta(lane->item->problem.beta);
    return lane->sampler.batch < most ? lane->sampler.batch : most;
}

/* Intervals that had to stay shorter than the clock of a device can tell well. */
void lane_tell_interval(struct duel_lane *lane)
{
    struct duel_result *result = lane->result;
    const double interval_s = result->kernel.median * (double)result->batch;
    if (!(interval_s < INTERVAL_LEAST_S))
        return;
    const char *cause = result->warmup_runs == 0 ? "the budget left no time to warm up and to choose a batch (--budget)"
                        : result->batch == lane->sampler.batch
                            ? "runs became faster after the warm-up that chose the batch"
                        : lane_cache(lane) == DUEL_CACHE_FLUSHED
                            ? "with --cache flushed only the first run of a batch would find empty caches"
                            : "with |beta| > 1 more runs in one interval would make C overflow";
    snprintf(result->interval_note, sizeof result->interval_note,
             "timed intervals of %.2g us are shorter than the %.0f us that every clock can tell to 1 %%: %s",
             1e6 * interval_s, 1e6 * INTERVAL_LEAST_S, cause);
}

static enum duel_status run_batch(struct duel_lane *lane, int64_t batch)
{
    for (int64_t i = 0; i < batch; i++) {
        if (lane->ring)
            ring_turn(lane->ring, &lane->call);
        TRY(lane->item->impl->run(&lane->call));
    }
    return DUEL_OK;
}

static enum duel_status check_clocks(double seconds, double host, int64_t batch, struct duel_why *why)
{
    if (!(seconds > 0) || !isfinite(seconds))
        return duel_fail(why, DUEL_EDEVICE, "no rate can be computed from it",
                         "run `duel devices`; repeat with a larger --n", "the clock gave %g s for %lld runs", seconds,
                         (long long)batch);
    /* The device cannot have worked longer than the host waited for it; 10 us and 5 % allow for both clocks. */
    if (seconds > 1.05 * host + 10e-6)
        return duel_fail(why, DUEL_EDEVICE, "one of the two clocks is wrong, so neither can be believed",
                         "run `duel devices` and report the driver version",
                         "device clock %g s, host clock %g s for the same work", seconds, host);
    return DUEL_OK;
}

/* Brings caches and C into the state that every sample starts from; outside the timed interval. */
enum duel_status lane_prepare(struct duel_lane *lane, struct duel_why *why)
{
    struct duel_stage *stage = lane->stage;
    if (lane->item->problem.beta != 0)
        TRY(stage_reset(stage, why));
    if (lane_cache(lane) == DUEL_CACHE_FLUSHED)
        TRY(stage->backend->flush(stage->device, why));
    return stage->backend->sync(stage->device, why);
}

/* Kernels alone: a batch between two marks of the queue, and the same interval by the host clock. */
static enum duel_status time_kernel(struct duel_lane *lane, double *kernel_s, double *host_s, struct duel_why *why)
{
    struct duel_stage *stage = lane->stage;
    const struct duel_backend *backend = stage->backend;
    const int64_t batch = batch_of(lane);
    TRY(lane_prepare(lane, why));
    double start = backend->now(stage->device), seconds = 0;
    TRY(backend->mark(stage->device, MARK_START, why));
    TRY(run_batch(lane, batch));
    TRY(backend->mark(stage->device, MARK_STOP, why));
    TRY(backend->sync(stage->device, why));
    double host = backend->now(stage->device) - start;
    TRY(backend->elapsed(stage->device, MARK_START, MARK_STOP, &seconds, why));
    TRY(check_clocks(seconds, host, batch, why));
    *kernel_s = seconds / (double)batch;
    *host_s = host / (double)batch;
    return DUEL_OK;
}

/* Copy in, run, copy back, by marks; and all of it by the host clock. */
static enum duel_status time_end_to_end(struct duel_lane *lane, double phase[3], double *host_s, struct duel_why *why)
{
    struct duel_stage *stage = lane->stage;
    const struct duel_backend *backend = stage->backend;
    stage_bind(stage, &lane->call); /* the ring may stand elsewhere; the copies go to the stage itself */
    lane->call.problem = &lane->item->problem;
    TRY(lane_prepare(lane, why)); /* with beta != 0 the host copy of C holds the last answer */
    double start = backend->now(stage->device);
    TRY(backend->mark(stage->device, MARK_IN, why));
    TRY(stage_upload(stage, why));
    TRY(backend->mark(stage->device, MARK_UPLOADED, why));
    TRY(lane->item->impl->run(&lane->call));
    TRY(backend->mark(stage->device, MARK_RAN, why));
    TRY(stage_download(stage, why));
    TRY(backend->mark(stage->device, MARK_OUT, why));
    TRY(backend->sync(stage->device, why));
    *host_s = backend->now(stage->device) - start;
    for (int i = 0; i < 3; i++)
        TRY(backend->elapsed(stage->device, MARK_IN + i, MARK_IN + i + 1, &phase[i], why));
    return DUEL_OK;
}

enum duel_status lane_warmup(struct duel_lane *lane, struct duel_why *why)
{
    const struct duel_backend *backend = lane->stage->backend;
    lane->call.why = why;
    lane_set_threads(lane);
    double start = backend->now(lane->stage->device), kernel_s = 0, host_s = 0;
    TRY(time_kernel(lane, &kernel_s, &host_s, why));
    sampler_warmup(&lane->sampler, kernel_s, backend->now(lane->stage->device) - start);
    lane->result->warmup_runs++;
    lane->result->warmup_s = lane->sampler.warmup_spent_s;
    lane->result->batch = batch_of(lane);
    return DUEL_OK;
}

static int64_t interruptions(const struct duel_lane *lane)
{
    return lane->options->interruptions ? lane->options->interruptions() : 0;
}

/* All samples are kept; one that other work interrupted is marked as well. */
static bool keep(struct duel_lane *lane, double kernel_s, double host_s, double whole_s, int64_t interrupted)
{
    struct duel_result *result = lane->result;
    bool disturbed = disturbance_spoils(interrupted, host_s * (double)batch_of(lane));
    if (disturbed && !samples_add(&result->disturbed, (double)result->kernel_s.count))
        return false;
    return samples_add(&result->kernel_s, kernel_s) && samples_add(&result->kernel_host_s, host_s) &&
           samples_add(&result->end_to_end_s, whole_s);
}

/* On the CPU there is nothing to copy: end to end is the kernel, and the transfer phases do not exist. */
enum duel_status lane_sample(struct duel_lane *lane, struct duel_why *why)
{
    const struct duel_backend *backend = lane->stage->backend;
    struct duel_result *result = lane->result;
    lane->call.why = why;
    lane_set_threads(lane);
    double start = backend->now(lane->stage->device), kernel_s = 0, host_s = 0, whole_s = 0, phase[3] = {0, 0, 0};
    double overlapped_s = 0;
    result->batch = batch_of(lane);
    bool copies = backend->upload != NULL, overlaps = lane_overlaps(lane);
    if (copies)
        TRY(time_end_to_end(lane, phase, &whole_s, why));
    if (overlaps)
        TRY(lane_overlapped(lane, &overlapped_s, why));
    int64_t before = interruptions(lane);
    TRY(time_kernel(lane, &kernel_s, &host_s, why));
    bool kept = keep(lane, kernel_s, host_s, copies ? whole_s : kernel_s, interruptions(lane) - before);
    if (kept && copies)
        kept = samples_add(&result->h2d_s, phase[0]) && samples_add(&result->d2h_s, phase[2]);
    if (kept && overlaps)
        kept = samples_add(&result->overlapped_s, overlapped_s);
    if (!kept)
        return duel_fail(why, DUEL_ENOMEM, "samples are never dropped, so the measurement ends", "close other programs",
                         "out of memory for samples");
    sampler_sample(&lane->sampler, &result->kernel_s, result->disturbed.count,
                   backend->now(lane->stage->device) - start);
    return DUEL_OK;
}
