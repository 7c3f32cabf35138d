/* run_defaults.c: what `duel run` does when it is not told. */
#include "bench/commands/run_state.h"

#include <math.h>
#include <string.h>

#include "bench/harness/disturbance.h"

#define DEMONSTRATION_BUDGET_S 50.0 /* of the minute that it may take; plots and start-up need the rest */
#define DEMONSTRATION_LIMIT_S 1.0   /* per case */
#define ORDINARY_LIMIT_S 3.0

/* What people mean by GEMM is FP32, with FP16 beside it where a GPU has Tensor Cores; FP64 only when asked for. */
void run_default_precision(struct duel_options *options)
{
    if (options->precision_count > 0)
        return;
    options->precision[options->precision_count++] = DUEL_FP32;
    options->precision[options->precision_count++] = DUEL_FP16;
}

void run_set_limits(struct duel_options *options)
{
    bool demonstration = options->pattern_count == 0 && options->shape_count == 0 && !options->input[0];
    options->timeout_s = options_limit_s(options, demonstration ? DEMONSTRATION_LIMIT_S : ORDINARY_LIMIT_S);
    if (options->budget_s <= 0 && demonstration)
        options->budget_s = DEMONSTRATION_BUDGET_S;
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
    to->deadline = options->budget_s > 0 ? run_now(state) + options->budget_s : INFINITY;
    if (state->input.given) {
        to->input[DUEL_A] = &state->input.a;
        to->input[DUEL_B] = &state->input.b;
    }
}
