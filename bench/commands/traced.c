/* traced.c: from options to what is traced, and the JSON of it. */
#include "bench/commands/traced.h"

#include <stdlib.h>
#include <string.h>

#include "bench/record/sink.h"
#include "bench/workload/shape.h"

/* Whose rates the sentences use when no card is named; the sentences say so. */
#define USUAL_CARD "RTX 4090"

enum duel_status traced_setting_read(const struct duel_options *options, struct traced_setting *setting,
                                     struct duel_why *why)
{
    char names[200], next[240];
    *setting = (struct traced_setting){.card = NULL};
    enum duel_status status = cards_read(NULL, &setting->cards, why);
    if (status == DUEL_OK)
        status =
            cards_find(&setting->cards, options->card_count > 0 ? options->card[0] : USUAL_CARD, &setting->shown, why);
    if (status != DUEL_OK)
        return status;
    setting->card = options->card_count > 0 ? setting->shown : NULL;
    if (options->card_count > 1)
        return duel_fail(why, DUEL_EINVAL, "counts are compared with one card", "run it once for each of them",
                         "--card was given %d times", options->card_count);
    if (setting->card && setting->shown->capability == 0)
        return duel_fail(why, DUEL_EINVAL, "the counts are those of CUDA's warps of 32 threads",
                         "name a card of NVIDIA", "the %s runs no CUDA", setting->shown->name);
    setting->capability = options->arch ? occupancy_capability(options->arch) : setting->shown->capability;
    occupancy_names(names, sizeof names);
    snprintf(next, sizeof next, "give one of %.200s", names);
    return setting->capability ? DUEL_OK
                               : duel_fail(why, DUEL_EINVAL, "occupancy depends on the compute capability", next,
                                           "--arch %.40s is not known", options->arch);
}

enum duel_status traced_size(const struct duel_options *options, const char *name, int i, struct duel_problem *problem,
                             struct duel_why *why)
{
    const struct duel_workload *workload = workload_of(name);
    struct duel_options usual = {.shape_count = 0};
    *problem = (struct duel_problem){.alpha = 1, .beta = 0};
    if (options->precision_count > 0)
        problem->types.in = options->precision[0];
    if (i >= (options->shape_count > 0 ? options->shape_count : 1) || !workload)
        return DUEL_SKIP;
    if (options->shape_count == 0) {
        enum duel_status status = options_sizes(workload->sizes[DUEL_SWEEP_EMULATED], &usual, why);
        if (status != DUEL_OK)
            return status;
        options = &usual;
        i = usual.shape_count - 1;
    }
    if (shape_apply(workload, &options->shape[i], problem))
        return DUEL_OK;
    char wanted[48];
    shape_names(workload->name, "x", wanted, sizeof wanted);
    return duel_fail(why, DUEL_EINVAL, "it would be another problem", "give the extents that the workload has",
                     "--shape with %d extents, where %s has %s", options->shape[i].given, workload->name, wanted);
}

bool traced_to_stdout(const struct duel_options *options)
{
    return (options->json && strcmp(options->json, "-") == 0) || (options->csv && strcmp(options->csv, "-") == 0);
}

enum duel_status traced_write_json(const struct duel_options *options, const struct duel_trace *const *trace,
                                   size_t count, const struct traced_setting *setting, struct duel_why *why)
{
    struct duel_sink sink;
    if (!options->json)
        return DUEL_OK;
    enum duel_status status = sink_open(&sink, options->json, "--json", why);
    if (status != DUEL_OK)
        return status;
    status = sink_empty(&sink, why);
    for (size_t i = 0; i < count && status == DUEL_OK; i++) {
        json_t *object = trace_json(trace[i], setting->capability, setting->card);
        char *text = json_dumps(object, JSON_COMPACT);
        status = text ? sink_write(&sink, text, strlen(text), why)
                      : duel_fail(why, DUEL_ENOMEM, "nothing was written", "free some memory", "out of memory");
        if (status == DUEL_OK)
            status = sink_write(&sink, "\n", 1, why);
        free(text);
        json_decref(object);
    }
    if (status == DUEL_OK)
        status = sink_flush(&sink, why);
    sink_close(&sink);
    return status;
}
