/* explain_traced.c: what a kernel asks of a GPU, counted on the emulated one, beside the rung that it builds on. */
#include <string.h>

#include "bench/commands/strict.h"
#include "bench/commands/traced.h"
#include "bench/matrix/dtype.h"

struct pair {
    struct duel_trace now, below;
    bool has_below;
};

static void print_lesson(const struct pair *pair, const struct traced_setting *setting)
{
    char sentence[TRACE_SENTENCES][400];
    trace_lesson(&pair->now, pair->has_below ? &pair->below : NULL, setting->shown, sentence);
    printf("\n");
    for (int i = 0; i < TRACE_SENTENCES; i++)
        printf("%s\n", sentence[i]);
}

static void print_sources(const struct pair *pair, bool diff)
{
    struct duel_source now = {.count = 0}, below = {.count = 0};
    struct duel_why why;
    if (source_read(&pair->now, &now, &why) != DUEL_OK)
        printf("%s; %s.\n\n", why.seen, why.matters);
    if (now.count == 0 || !diff || !pair->has_below || source_read(&pair->below, &below, &why) != DUEL_OK)
        trace_print_source(&pair->now, &now);
    else
        trace_print_diff(&pair->now, &now, &pair->below, &below);
    source_free(&now);
    source_free(&below);
}

static void print(const struct pair *pair, const struct duel_options *options, const struct traced_setting *setting)
{
    const struct duel_problem *p = &pair->now.problem;
    const struct duel_trace *both[] = {pair->has_below ? &pair->below : &pair->now, &pair->now};
    printf(
        "\nCounted on the emulated GPU: %lld x %lld x %lld, %s. This is a model of the source: it knows no caches and "
        "no\nclocks, and nothing of what a GPU's compiler merges.\n\n",
        (long long)p->m, (long long)p->n, (long long)p->k, dtype_name(p->types.in));
    print_sources(pair, options->diff);
    printf("\n");
    trace_print_totals(both + !pair->has_below, pair->has_below ? 2 : 1);
    printf("\n");
    trace_print_occupancy(&pair->now, setting->capability);
    print_lesson(pair, setting);
    for (int i = !pair->has_below; setting->card && i < 2; i++) {
        printf("\n");
        trace_print_prediction(both[i], setting->card);
    }
}

static enum duel_status write_files(const struct pair *pair, const struct duel_options *options,
                                    const struct traced_setting *setting, struct duel_why *why)
{
    const struct duel_trace *both[] = {&pair->now, &pair->below};
    enum duel_status status = traced_write_json(options, both, pair->has_below ? 2 : 1, setting, why);
    if (status == DUEL_OK && options->html)
        status = trace_page(options->html, &pair->now, pair->has_below ? &pair->below : NULL, setting->capability,
                            setting->card, setting->shown, why);
    return status;
}

static enum duel_status trace_both(const struct duel_options *options, const struct duel_impl *impl,
                                   const struct duel_tracer *tracer, struct pair *pair, struct duel_why *why)
{
    struct duel_problem problem;
    struct duel_why quiet;
    enum duel_status status = traced_size(options, impl->name, 0, &problem, why);
    if (status == DUEL_OK)
        status = trace_run(tracer, impl->name, &problem, options->seed, &pair->now, why);
    if (status != DUEL_OK || !impl->builds_on)
        return status;
    /* The rung below in the same precision, if it has it. */
    problem.types.in = pair->now.problem.types.in;
    pair->has_below = trace_run(tracer, impl->builds_on, &problem, options->seed, &pair->below, &quiet) == DUEL_OK;
    problem.types.in = DUEL_NONE;
    if (!pair->has_below) {
        trace_free(&pair->below);
        pair->has_below = trace_run(tracer, impl->builds_on, &problem, options->seed, &pair->below, &quiet) == DUEL_OK;
    }
    return DUEL_OK;
}

/* Counts of a kernel that computes something else teach nothing, so they do not stand alone. */
static enum duel_status judge(const struct duel_options *options, const struct duel_tracer *tracer,
                              const struct duel_trace *trace, struct duel_why *why)
{
    struct duel_when when = {.right = 0};
    const enum duel_status status = trace_judge(tracer, trace, options->seed, &when, why);
    if (status == DUEL_EVERIFY && !traced_to_stdout(options)) {
        printf("\nThe answer of %s is wrong: %s\n", trace->impl->name, why->seen);
        suspects_print(&when);
        fflush(stdout);
    }
    return status;
}

enum duel_status explain_traced(const struct duel_options *options, const struct duel_impl *impl, struct duel_why *why)
{
    struct duel_tracer tracer = {.library = NULL};
    struct traced_setting setting = {.card = NULL};
    struct pair pair = {.has_below = false};
    enum duel_status status = traced_setting_read(options, &setting, why);
    if (status == DUEL_OK)
        status = tracer_open(&tracer, why);
    if (status == DUEL_OK)
        status = trace_both(options, impl, &tracer, &pair, why);
    if (status == DUEL_OK && !traced_to_stdout(options))
        print(&pair, options, &setting);
    if (status == DUEL_OK)
        status = write_files(&pair, options, &setting, why);
    if (status == DUEL_OK)
        status = judge(options, &tracer, &pair.now, why);
    /* Without the watching plug-in the rest of the lesson still holds, unless something was asked of the counts. */
    if (status == DUEL_SKIP && !options->json && !options->html && options->card_count == 0 && !options->diff) {
        printf("\nNot measured: %s\n  %s.\n  %s.\n", why->seen, why->matters, why->next);
        status = DUEL_OK;
    }
    trace_free(&pair.now);
    trace_free(&pair.below);
    tracer_close(&tracer);
    cards_free(&setting.cards);
    return status;
}
