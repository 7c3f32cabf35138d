/* runner.c: one group of cases from allocation to verdict. The order of work:
 *
 *   1  open        one stage (operands) per device and type, one call per case
 *   2  verify      whole numbers: every answer must be exact; then the data that will be timed, within its bound
 *   3  measure     measure.c: warm up, then samples in random interleaved order until each is good enough
 *   4  verify      once more, on the device and the data that were timed
 *   5  speed-ups   speedup.c: against the best verified CPU row
 */
#include "bench/harness/runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness/interrupt.h"
#include "bench/harness/lane.h"
#include "bench/harness/memory.h"
#include "bench/matrix/dtype.h"
#include "bench/verify/verify.h"

static void describe_row(struct duel_result *result, const struct duel_group *group, const struct duel_case *item,
                         uint64_t seed)
{
    result_init(result);
    snprintf(result->workload, sizeof result->workload, "%s", group->workload->name);
    snprintf(result->implementation, sizeof result->implementation, "%s", item->name);
    snprintf(result->device, sizeof result->device, "%s", item->place->id);
    snprintf(result->device_name, sizeof result->device_name, "%s", item->place->info.name);
    snprintf(result->reason, sizeof result->reason, "%s", item->skip);
    result->status = ROW_SKIPPED;
    result->problem = item->problem;
    result->threads = item->threads;
    result->seed = seed;
    result->emulated = item->place->backend && item->place->backend->emulated;
    if (!item->impl)
        return;
    if (strcmp(item->impl->name, item->name) != 0)
        snprintf(result->tile, sizeof result->tile, "%s", registry_tile(item->impl->name, NULL));
    result->flops = group->workload->flops(&item->problem);
    result->bytes = group->workload->bytes(&item->problem);
}

/* Lanes on the same device with the same types share their operands: the memory of a group does not grow with the
 * number of implementations. */
static struct duel_stage *stage_for(struct duel_lane *lanes, int count, struct duel_stage *stages, int *used,
                                    struct duel_lane *lane)
{
    for (int i = 0; i < count && &lanes[i] != lane; i++) {
        const struct duel_problem *a = &lanes[i].item->problem, *b = &lane->item->problem;
        if (lanes[i].stage && lanes[i].item->place == lane->item->place && a->types.in == b->types.in &&
            a->types.out == b->types.out)
            return lanes[i].stage;
    }
    return &stages[(*used)++];
}

static void open_places(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes)
{
    for (int i = 0; i < group->count; i++) {
        struct duel_why why = {{0}, {0}, {0}};
        lanes[i].alive = lanes[i].item->skip[0] == '\0';
        if (!lanes[i].alive)
            continue;
        enum duel_status status = place_open(lanes[i].item->place, &why);
        lanes[i].result->first_use = cold_first_use(runner, lanes[i].item);
        if (status != DUEL_OK)
            lane_fail(&lanes[i], status, &why);
    }
}

static void open_lanes(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes,
                       struct duel_stage *stages)
{
    int used = 0;
    for (int i = 0; i < group->count; i++) {
        struct duel_lane *lane = &lanes[i];
        struct duel_case *item = lane->item;
        struct duel_why why = {{0}, {0}, {0}};
        if (!lane->alive || pace_too_slow(runner, group, lane))
            continue;
        enum duel_status status = DUEL_OK;
        lane->stage = stage_for(lanes, group->count, stages, &used, lane);
        if (!lane->stage->backend)
            status = stage_open(lane->stage, item->place->backend, item->place->device, runner->options.host_memory,
                                group->workload, &item->problem, &why);
        if (status == DUEL_OK)
            status = lane_open(lane, &why);
        if (status != DUEL_OK)
            lane_fail(lane, status, &why);
    }
}

/* Under which conditions the samples were taken; words of the command line. */
static void describe_conditions(struct duel_lane *lane)
{
    static const char *const order[] = {"random", "abba", "listed"};
    static const char *const cache[] = {"", "hot", "flushed", "rotated"};
    static const char *const data[] = {"uniform", "integers", "normal", "zeros"};
    struct duel_result *result = lane->result;
    const struct duel_runner_options *options = lane->options;
    snprintf(result->order, sizeof result->order, "%s", order[options->order]);
    snprintf(result->cache, sizeof result->cache, "%s", cache[lane_cache(lane)]);
    snprintf(result->data, sizeof result->data, "%s", options->input[0] ? "input" : data[options->data]);
    if (lane->stage->backend->upload)
        snprintf(result->host_memory, sizeof result->host_memory, "%s",
                 options->host_memory == DUEL_PINNED ? "pinned" : "pageable");
    result->clean_wanted = options->rules.min_samples;
    result->reuse = lane->stage->backend->upload ? options->reuse : 0;
}

static void finish_lane(struct duel_runner *runner, struct duel_lane *lane)
{
    struct duel_result *result = lane->result;
    bool unseen = result->verdict.tier == DUEL_TIER_NONE || (!result->emulated && result->kernel_s.count == 0);
    if (lane->alive && unseen) {
        result->status = ROW_SKIPPED;
        snprintf(result->reason, sizeof result->reason, "interrupted before it was measured");
    } else if (lane->alive) {
        result->status = result->emulated ? ROW_VERIFIED : ROW_OK;
        result->cause = DUEL_OK;
        result->read_s = runner->options.read_s;
        result->convert_s = lane->stage->convert_s;
        result->allocate_s = lane->stage->allocate_s;
        describe_conditions(lane);
        cold_describe(lane);
        result_summarise(result);
        lane_tell_interval(lane);
        if (result->status == ROW_OK)
            pace_remember(runner, lane->item, result->kernel.median,
                          pace_work(lane->stage->workload, &lane->item->problem));
    }
    lane_close(lane);
}

/* Copies of the operands for the lanes whose buffers rotate, twice the last-level cache together. */
static void open_ring(struct duel_group *group, struct duel_lane *lanes, struct duel_stage *stage,
                      struct duel_ring *ring)
{
    struct duel_why why = {{0}, {0}, {0}};
    for (int i = 0; i < group->count; i++) {
        if (lanes[i].stage != stage || !lanes[i].alive || lane_cache(&lanes[i]) != DUEL_CACHE_ROTATED)
            continue;
        enum duel_status status =
            ring->count > 0
                ? DUEL_OK
                : ring_open(ring, stage, MEMORY_RING_TIMES * memory_cache_bytes(&lanes[i].item->place->info), &why);
        lanes[i].ring = ring;
        if (status != DUEL_OK)
            lane_fail(&lanes[i], status, &why);
    }
}

static void run_lanes(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes,
                      struct duel_stage *stages, struct duel_expectation *expectations)
{
    struct duel_ring *rings = calloc((size_t)group->count, sizeof *rings);
    open_places(runner, group, lanes);
    lanes_admit(runner, group, lanes);
    open_lanes(runner, group, lanes, stages);
    for (int i = 0; i < group->count; i++)
        if (stages[i].backend)
            lanes_verify_before(runner, group, lanes, &stages[i], &expectations[i]);
    for (int i = 0; rings && i < group->count; i++)
        if (stages[i].backend)
            open_ring(group, lanes, &stages[i], &rings[i]);
    lanes_measure(runner, group, lanes);
    for (int i = 0; rings && i < group->count; i++)
        ring_close(&rings[i]);
    free(rings);
    for (int i = 0; i < group->count; i++) {
        lanes[i].ring = NULL;
        if (stages[i].backend)
            lanes_verify_after(runner, group, lanes, &stages[i], &expectations[i]);
    }
    for (int i = 0; i < group->count; i++)
        finish_lane(runner, &lanes[i]);
}

enum duel_status runner_group(struct duel_runner *runner, struct duel_group *group, struct duel_result *results,
                              struct duel_why *why)
{
    size_t count = (size_t)group->count;
    struct duel_lane *lanes = calloc(count, sizeof *lanes);
    struct duel_stage *stages = calloc(count, sizeof *stages);
    struct duel_expectation *expectations = calloc(count, sizeof *expectations);
    enum duel_status status = DUEL_OK;
    for (size_t i = 0; i < count; i++)
        describe_row(&results[i], group, &group->cases[i], runner->options.seed);
    if (!lanes || !stages || !expectations) {
        status = duel_fail(why, DUEL_ENOMEM, "the cases of one size could not be held", "close other programs",
                           "out of memory for %d cases", group->count);
        goto cleanup;
    }
    for (size_t i = 0; i < count; i++)
        lane_init(&lanes[i], &group->cases[i], &results[i], &runner->options);
    run_lanes(runner, group, lanes, stages, expectations);
    speedups_set(results, group->count, runner->options.base, runner->options.seed);
cleanup:
    for (size_t i = 0; stages && expectations && i < count; i++) {
        expectation_free(&expectations[i]);
        stage_close(&stages[i]);
    }
    free(expectations);
    free(stages);
    free(lanes);
    return status;
}
