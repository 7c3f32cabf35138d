/* lane.c: one implementation on one device: open, call, sample, close. Times come from the back end alone. */
#include "bench/harness/lane.h"

#include <math.h>
#include <string.h>

/* Marks in the queue. The end-to-end pass is IN - UPLOADED - RAN - OUT, the kernel pass is START - STOP. */
enum { MARK_IN, MARK_UPLOADED, MARK_RAN, MARK_OUT, MARK_START, MARK_STOP };

#define TRY(expression)                          \
    do {                                         \
        enum duel_status status_ = (expression); \
        if (status_ != DUEL_OK)                  \
            return status_;                      \
    } while (0)

void lane_init(struct duel_lane *lane, struct duel_case *item, struct duel_result *result,
               const struct duel_sampler_rules *rules)
{
    memset(lane, 0, sizeof *lane);
    lane->item = item;
    lane->result = result;
    sampler_init(&lane->sampler, rules);
}

/* Thread counts are set and read back: what is recorded is what the runtime says it uses. */
static void set_threads(struct duel_lane *lane)
{
    if (lane->item->impl->threads && lane->item->threads > 0)
        lane->result->threads = lane->item->impl->threads(lane->item->threads);
    lane->call.threads = lane->result->threads;
}

enum duel_status lane_open(struct duel_lane *lane, struct duel_why *why)
{
    const struct duel_impl *impl = lane->item->impl;
    struct duel_stage *stage = lane->stage;
    for (int i = 0; i < stage->workload->operands; i++)
        if (stage->workload->role[i] == DUEL_OUT)
            lane->output = i;
    stage_bind(stage, &lane->call);
    lane->call.problem = &lane->item->problem;
    lane->call.why = why;
    lane->opened = true;
    set_threads(lane);
    size_t workspace = impl->workspace ? impl->workspace(&lane->item->problem) : 0;
    if (workspace > 0)
        TRY(stage->backend->alloc(stage->device, workspace, &lane->call.workspace, why));
    if (impl->open)
        TRY(impl->open(&lane->call));
    if (impl->library)
        snprintf(lane->result->library, sizeof lane->result->library, "%s", impl->library());
    return DUEL_OK;
}

void lane_close(struct duel_lane *lane)
{
    if (lane->opened && lane->item->impl->close && lane->call.state)
        lane->item->impl->close(lane->call.state);
    if (lane->opened && lane->call.workspace)
        lane->stage->backend->release(lane->stage->device, lane->call.workspace);
    sampler_free(&lane->sampler);
    lane->opened = false;
}

void lane_fail(struct duel_lane *lane, enum duel_status cause, const struct duel_why *why)
{
    struct duel_result *result = lane->result;
    lane->alive = false;
    result->status = cause == DUEL_SKIP ? ROW_SKIPPED : ROW_FAILED;
    result->cause = cause == DUEL_SKIP ? DUEL_OK : cause;
    snprintf(result->reason, sizeof result->reason, "%s", why->seen[0] ? why->seen : "no reason was given");
    result_free(result); /* times of a wrong answer are not times */
}

enum duel_status lane_call(struct duel_lane *lane, struct duel_why *why)
{
    const struct duel_backend *backend = lane->stage->backend;
    lane->call.why = why;
    set_threads(lane);
    double start = backend->now(lane->stage->device);
    enum duel_status status = stage_call(lane->stage, lane->item->impl, &lane->call);
    if (isnan(lane->result->first_call_s) && !backend->emulated && status == DUEL_OK)
        lane->result->first_call_s = backend->now(lane->stage->device) - start;
    return status;
}

static enum duel_status run_batch(struct duel_lane *lane, int64_t batch)
{
    for (int64_t i = 0; i < batch; i++)
        TRY(lane->item->impl->run(&lane->call));
    return DUEL_OK;
}

static enum duel_status clock_error(struct duel_why *why, double seconds, int64_t batch)
{
    return duel_fail(why, DUEL_EDEVICE, "no rate can be computed from it",
                     "run `duel devices`; repeat with a larger --n", "the clock gave %g s for %lld runs", seconds,
                     (long long)batch);
}

/* Kernels alone: a batch between two marks of the queue, and the same interval by the host clock. With beta != 0 each
 * run changes what the next one reads, so C is restored before it, outside the timed interval. */
static enum duel_status time_kernel(struct duel_lane *lane, double *kernel_s, double *host_s, struct duel_why *why)
{
    struct duel_stage *stage = lane->stage;
    const struct duel_backend *backend = stage->backend;
    int64_t batch = lane->item->problem.beta != 0 ? 1 : lane->sampler.batch;
    if (lane->item->problem.beta != 0)
        TRY(stage_reset(stage, why));
    TRY(backend->sync(stage->device, why));
    double start = backend->now(stage->device), seconds = 0;
    TRY(backend->mark(stage->device, MARK_START, why));
    TRY(run_batch(lane, batch));
    TRY(backend->mark(stage->device, MARK_STOP, why));
    TRY(backend->sync(stage->device, why));
    double host = backend->now(stage->device) - start;
    TRY(backend->elapsed(stage->device, MARK_START, MARK_STOP, &seconds, why));
    if (!(seconds > 0) || !isfinite(seconds))
        return clock_error(why, seconds, batch);
    /* The device cannot have worked longer than the host waited for it; 10 us and 5 % allow for both clocks. */
    if (seconds > 1.05 * host + 10e-6)
        return duel_fail(why, DUEL_EDEVICE, "one of the two clocks is wrong, so neither can be believed",
                         "run `duel devices` and report the driver version",
                         "device clock %g s, host clock %g s for the same work", seconds, host);
    *kernel_s = seconds / (double)batch;
    *host_s = host / (double)batch;
    return DUEL_OK;
}

/* Copy in, run, copy back, by marks; and all of it by the host clock. */
static enum duel_status time_end_to_end(struct duel_lane *lane, double phase[3], double *host_s, struct duel_why *why)
{
    struct duel_stage *stage = lane->stage;
    const struct duel_backend *backend = stage->backend;
    if (lane->item->problem.beta != 0)
        TRY(stage_reset(stage, why)); /* the host copy of C holds the last answer */
    TRY(backend->sync(stage->device, why));
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

static enum duel_status no_memory(struct duel_why *why)
{
    return duel_fail(why, DUEL_ENOMEM, "samples are never dropped, so the measurement ends", "close other programs",
                     "out of memory for samples");
}

enum duel_status lane_warmup(struct duel_lane *lane, struct duel_why *why)
{
    const struct duel_backend *backend = lane->stage->backend;
    lane->call.why = why;
    set_threads(lane);
    double start = backend->now(lane->stage->device), kernel_s = 0, host_s = 0;
    TRY(time_kernel(lane, &kernel_s, &host_s, why));
    sampler_warmup(&lane->sampler, kernel_s, backend->now(lane->stage->device) - start);
    lane->result->warmup_runs++;
    lane->result->warmup_s = lane->sampler.warmup_spent_s;
    lane->result->batch = lane->item->problem.beta != 0 ? 1 : lane->sampler.batch;
    return DUEL_OK;
}

/* On the CPU there is nothing to copy: end to end is the kernel, and the transfer phases do not exist. */
enum duel_status lane_sample(struct duel_lane *lane, struct duel_why *why)
{
    const struct duel_backend *backend = lane->stage->backend;
    struct duel_result *result = lane->result;
    lane->call.why = why;
    set_threads(lane);
    double start = backend->now(lane->stage->device), kernel_s = 0, host_s = 0, whole_s = 0, phase[3] = {0, 0, 0};
    if (backend->upload)
        TRY(time_end_to_end(lane, phase, &whole_s, why));
    TRY(time_kernel(lane, &kernel_s, &host_s, why));
    bool kept = samples_add(&result->kernel_s, kernel_s) && samples_add(&result->kernel_host_s, host_s) &&
                samples_add(&result->end_to_end_s, backend->upload ? whole_s : kernel_s);
    if (kept && backend->upload)
        kept = samples_add(&result->h2d_s, phase[0]) && samples_add(&result->d2h_s, phase[2]);
    if (!kept)
        return no_memory(why);
    sampler_sample(&lane->sampler, &result->kernel_s, backend->now(lane->stage->device) - start);
    return DUEL_OK;
}
