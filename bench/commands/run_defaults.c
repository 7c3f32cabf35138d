/* run_defaults.c: what `duel run` does when it is not told. */
#include "bench/commands/run_state.h"

#include <math.h>
#include <string.h>

#include "bench/harness/disturbance.h"
#include "bench/workload/workload.h"

#define DEMONSTRATION_BUDGET_S 50.0 /* of the minute that it may take; plots and start-up need the rest */
#define DEMONSTRATION_LIMIT_S 1.0   /* per case */
#define QUICK_BUDGET_S 50.0
#define QUICK_LIMIT_S 0.25
#define ORDINARY_LIMIT_S 3.0

bool run_is_story(const struct duel_options *options)
{
    return options->pattern_count == 0 && options->shape_count == 0 && !options->input[0];
}

/* What people mean by GEMM is FP32, with FP16 beside it where a GPU has Tensor Cores; others only when asked for, and
 * at the end of the demonstration, which tells what they cost. */
void run_default_precision(struct duel_options *options)
{
    static const enum duel_dtype usual[] = {DUEL_FP32, DUEL_FP16, DUEL_FP64, DUEL_TF32, DUEL_BF16};
    const int count = run_is_story(options) ? 5 : 2;
    for (int i = 0; i < count && options->precision_count == i; i++)
        options->precision[options->precision_count++] = usual[i];
}

/* The workloads of the demonstration, in the order of its story. */
void run_default_patterns(struct duel_options *options)
{
    static const char *const story[] = {"axpy", "gemv", "gemm"};
    if (options->pattern_count > 0)
        return;
    if (!run_is_story(options)) {
        options->pattern[options->pattern_count++] = "gemm";
        return;
    }
    for (size_t i = 0; i < sizeof story / sizeof *story; i++)
        if (workload_find(story[i], strlen(story[i])))
            options->pattern[options->pattern_count++] = story[i];
}

void run_set_limits(struct duel_options *options)
{
    const bool story = run_is_story(options);
    options->timeout_s = options_limit_s(options, options->quick ? QUICK_LIMIT_S
                                                  : story        ? DEMONSTRATION_LIMIT_S
                                                                 : ORDINARY_LIMIT_S);
    if (options->budget_s <= 0 && (options->quick || story))
        options->budget_s = options->quick ? QUICK_BUDGET_S : DEMONSTRATION_BUDGET_S;
}

double run_now(const struct run_state *state)
{
    const struct duel_place *cpu = &state->registry.place[0];
    return cpu->backend->now(cpu->device);
}

static struct duel_sampler_rules rules_of(const struct duel_options *options)
{
    bool fixed = options->samples > 0;
    int64_t most = options->min_samples > 1000 ? options->min_samples : 1000;
    return (struct duel_sampler_rules){
        .target_ci = fixed ? 0 : options->target_ci,
        .min_samples = fixed ? options->samples : options->min_samples,
        .max_samples = fixed ? options->samples : most,
        .min_time_s = options->min_time_s,
        .timeout_s = options->timeout_s,
        .warmup_s = 0.05,
        .warmup_max_s = fmin(0.25, options->timeout_s / 4),
    };
}

void run_set_runner(struct run_state *state)
{
    const struct duel_options *options = &state->options;
    struct duel_runner_options *to = &state->runner.options;
    to->rules = rules_of(options);
    to->seed = options->seed;
    to->data = (enum duel_data)options->data;
    to->order = (enum duel_order)options->order;
    to->cache = (enum duel_cache)options->cache;
    to->host_memory = options->host_memory == DUEL_HOST_PAGEABLE ? DUEL_PAGEABLE : DUEL_PINNED;
    to->overlapped = options->host_memory == DUEL_HOST_OVERLAPPED;
    to->reuse = options->reuse;
    to->interruptions = disturbance_count;
    to->base = options->base;
    to->read_s = state->input.read_s;
    to->budget_s = options->budget_s;
    to->budget_shared = state->several && options->budget_s > 0;
    to->deadline = state->deadline = options->budget_s > 0 ? run_now(state) + options->budget_s : INFINITY;
    if (state->input.given) {
        for (int i = 0; i < 2; i++)
            to->input[i] = state->input.file[i].rows > 0 ? &state->input.file[i] : NULL;
    }
}
