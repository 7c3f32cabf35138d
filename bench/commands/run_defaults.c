/* run_defaults.c: what `duel run` does when it is not told. */
#include "bench/commands/run_state.h"

#include <string.h>

#define DEMONSTRATION_BUDGET_S 50.0 /* of the minute that it may take; plots and start-up need the rest */
#define DEMONSTRATION_LIMIT_S 1.0   /* per case */
#define ORDINARY_LIMIT_S 3.0

/* Sizes that fit a minute: the CPU half grows to 2048; a GPU needs larger ones before it is busy at all. */
enum duel_status run_default_sizes(struct duel_options *options, const struct duel_registry *registry,
                                   struct duel_why *why)
{
    if (options->shape_count > 0)
        return DUEL_OK;
    bool gpu = false, emulated = false;
    for (int i = 0; i < registry->count; i++) {
        const struct duel_place *place = &registry->place[i];
        if (!place->info.usable || strcmp(place->id, "cpu") == 0 || !plan_selects(options->device, place))
            continue;
        gpu = gpu || !place->backend->emulated;
        emulated = emulated || place->backend->emulated;
    }
    return options_sizes(gpu ? "128:4096:x2" : emulated ? "64,97,128" : "128:2048:x2", options, why);
}

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
    if (options->timeout_s <= 0)
        options->timeout_s = demonstration ? DEMONSTRATION_LIMIT_S : ORDINARY_LIMIT_S;
    if (options->budget_s <= 0 && demonstration)
        options->budget_s = DEMONSTRATION_BUDGET_S;
}
