/* lane.c: one implementation on one device: open, call, close. timing.c takes its samples. */
#include "bench/harness/lane.h"

#include <math.h>
#include <string.h>

void lane_init(struct duel_lane *lane, struct duel_case *item, struct duel_result *result,
               const struct duel_runner_options *options)
{
    memset(lane, 0, sizeof *lane);
    lane->item = item;
    lane->result = result;
    lane->options = options;
    sampler_init(&lane->sampler, &options->rules);
}

/* Thread counts are set and read back: what is recorded is what the runtime says it uses. */
void lane_set_threads(struct duel_lane *lane)
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
    lane_set_threads(lane);
    const double start = stage->backend->now(stage->device);
    size_t workspace = impl->workspace ? impl->workspace(&lane->item->problem) : 0;
    if (workspace > 0)
        TRY(stage->backend->alloc(stage->device, workspace, &lane->call.workspace, why));
    if (impl->open) {
        lane_running(lane, "while it was opened");
        enum duel_status status = impl->open(&lane->call);
        running_end();
        if (status != DUEL_OK)
            return status;
    }
    if ((impl->open || workspace > 0) && !stage->backend->emulated)
        lane->result->open_s = stage->backend->now(stage->device) - start;
    if (impl->library)
        snprintf(lane->result->library, sizeof lane->result->library, "%s", impl->library());
    return DUEL_OK;
}

void lane_running(const struct duel_lane *lane, const char *phase)
{
    const struct duel_case *item = lane->item;
    running_begin(item->impl->name, item->place->id, phase, &item->problem, lane->result->threads);
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
    stage_bind(lane->stage, &lane->call); /* a ring may have turned it to another copy */
    lane->call.problem = &lane->item->problem;
    lane->call.why = why;
    lane_set_threads(lane);
    enum duel_status status = stage_call(lane->stage, lane->item->impl, &lane->call);
    if (isnan(lane->result->first_call_s) && !backend->emulated && status == DUEL_OK)
        lane->result->first_call_s = lane->stage->call_s + lane->tried_s;
    return status;
}
