/* measure.c: all living lanes of a group, interleaved in random order, until each is good enough. Interleaving lets
 * heat, clock drift and other users of the machine hit every implementation alike (Hoefler & Belli, SC'15). */
#include <stdlib.h>

#include "bench/harness/interrupt.h"
#include "bench/harness/lane.h"
#include "bench/stats/random.h"

static void shuffle(int *order, int count, uint64_t *state)
{
    for (int i = count - 1; i > 0; i--) {
        int j = (int)(random_next(state) % (uint64_t)(i + 1));
        int swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

/* One round is a block: every racing lane once, so that the i-th samples of two lanes are a pair. */
static void arrange(int *order, int count, enum duel_order how, int64_t round, uint64_t *state)
{
    if (how == DUEL_ORDER_RANDOM)
        shuffle(order, count, state);
    for (int i = 0; how == DUEL_ORDER_ABBA && round > 0 && i < count / 2; i++) { /* A B, B A, A B, ... */
        int swap = order[i];
        order[i] = order[count - 1 - i];
        order[count - 1 - i] = swap;
    }
}

static bool out_of_time(const struct duel_runner *runner, const struct duel_lane *lane)
{
    return lane->stage->backend->now(lane->stage->device) >= runner->sampling_until;
}

static bool measurable(const struct duel_lane *lane)
{
    return lane->alive && !lane->stage->backend->emulated && !interrupt_pending();
}

static void warm_up(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lane)
{
    struct duel_why why = {{0}, {0}, {0}};
    if (lane_cache(lane) == DUEL_CACHE_FLUSHED && !lane->stage->backend->flush) {
        duel_fail(&why, DUEL_SKIP, NULL, NULL, "this device cannot flush its caches (--cache flushed)");
        lane_fail(lane, DUEL_SKIP, &why);
    }
    if (runner->options.progress)
        runner->options.progress(runner->options.context, group, lane->item->name);
    while (lane->alive && !lane->sampler.warm && !interrupt_pending() && !out_of_time(runner, lane)) {
        lane_running(lane, "while it warmed up");
        enum duel_status status = lane_warmup(lane, &why);
        running_end();
        if (status != DUEL_OK)
            lane_fail(lane, status, &why);
    }
}

/* One sample of a lane, or the reason why there is no further one. A case that is out of budget still gets one sample:
 * a row without any number helps nobody. */
static void step(struct duel_runner *runner, struct duel_lane *lane)
{
    struct duel_why why = {{0}, {0}, {0}};
    if (interrupt_pending()) {
        sampler_stop(&lane->sampler, "interrupted");
        return;
    }
    if (lane->result->kernel_s.count > 0 && out_of_time(runner, lane)) {
        sampler_stop(&lane->sampler, "budget");
        return;
    }
    lane_running(lane, "while it was timed");
    enum duel_status status = lane_sample(lane, &why);
    running_end();
    if (status != DUEL_OK)
        lane_fail(lane, status, &why);
}

void lanes_measure(struct duel_runner *runner, struct duel_group *group, struct duel_lane *lanes)
{
    int *order = malloc((size_t)group->count * sizeof *order);
    uint64_t state = runner->options.seed;
    int racing = 0;
    int64_t round = 0;
    for (int i = 0; order && i < group->count; i++) {
        if (!measurable(&lanes[i]))
            continue;
        warm_up(runner, group, &lanes[i]);
        order[racing++] = i;
    }
    while (racing > 0) {
        arrange(order, racing, runner->options.order, round++, &state);
        if (runner->options.progress)
            runner->options.progress(runner->options.context, group, "measuring, interleaved");
        int left = 0;
        for (int i = 0; i < racing; i++) {
            struct duel_lane *lane = &lanes[order[i]];
            if (lane->alive && !lane->sampler.done)
                step(runner, lane);
            if (lane->alive && !lane->sampler.done)
                order[left++] = order[i];
            else
                snprintf(lane->result->stop_reason, sizeof lane->result->stop_reason, "%s",
                         lane->sampler.stop_reason ? lane->sampler.stop_reason : "");
        }
        racing = left;
    }
    free(order);
}
