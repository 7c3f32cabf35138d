/* trace.c: what kernels ask of a GPU, as a table over implementations and sizes. */
#include <stdlib.h>
#include <string.h>

#include "bench/commands/traced.h"
#include "bench/harness/interrupt.h"
#include "bench/harness/plan.h"
#include "bench/matrix/dtype.h"

#define MOST_TRACES 256

struct traces {
    struct duel_trace one[MOST_TRACES];
    const struct duel_trace *list[MOST_TRACES];
    size_t count, skipped, misfits;
    struct duel_why last; /* why the last one was left out */
};

/* Steps down to the bottom of an implementation's ladder, within the emulated GPU. */
static int rung(const struct duel_place *place, const struct duel_impl *impl)
{
    int steps = 0;
    while (impl && impl->builds_on && steps < 64) {
        const char *name = impl->builds_on;
        const struct duel_impl *const *below = place->impls;
        while (*below && strcmp((*below)->name, name) != 0)
            below++;
        impl = *below;
        steps++;
    }
    return steps;
}

static enum duel_status trace_one(const struct duel_tracer *tracer, const struct duel_impl *impl,
                                  const struct duel_options *options, struct traces *traces, struct duel_why *why)
{
    struct duel_problem problem;
    for (int i = 0; !interrupt_pending(); i++) {
        enum duel_status status = traced_size(options, impl->name, i, &problem, why);
        if (status == DUEL_SKIP)
            return DUEL_OK;
        if (status == DUEL_EINVAL) { /* a size of another workload's */
            traces->misfits++;
            traces->last = *why;
            continue;
        }
        if (traces->count == MOST_TRACES)
            return duel_fail(why, DUEL_EINVAL, "they would not fit into memory", "name fewer sizes or implementations",
                             "more than %d traces", MOST_TRACES);
        struct duel_trace *trace = &traces->one[traces->count];
        status = trace_run(tracer, impl->name, &problem, options->seed, trace, why);
        if (status == DUEL_OK) {
            traces->list[traces->count] = trace;
            traces->count++;
            continue;
        }
        trace_free(trace);
        if (status != DUEL_SKIP)
            return status;
        traces->skipped++;
        traces->last = *why;
        message_note("duel: %s was not traced: %s", impl->name, why->seen);
    }
    return DUEL_OK;
}

/* Bottom rungs first. */
static enum duel_status trace_all(const struct duel_tracer *tracer, const struct duel_options *options,
                                  struct traces *traces, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    for (int level = 0; level < 64 && status == DUEL_OK; level++)
        for (const struct duel_impl *const *impl = tracer->place.impls; *impl && status == DUEL_OK; impl++)
            if (rung(&tracer->place, *impl) == level && !interrupt_pending() &&
                registry_selected(options->pattern, options->pattern_count, (*impl)->name))
                status = trace_one(tracer, *impl, options, traces, why);
    if (status == DUEL_OK && traces->count == 0 && traces->misfits > 0) {
        *why = traces->last;
        return DUEL_EINVAL;
    }
    if (status == DUEL_OK && traces->count == 0)
        return duel_fail(why, DUEL_SKIP, "nothing was traced", "`duel list --device emulated` shows what can be", "%s",
                         traces->skipped ? traces->last.seen : "no kernel of this name and precision");
    return status;
}

static void print_table(const struct traces *traces)
{
    printf("%-24s %-5s %6s %6s %6s %10s %9s %9s %10s %6s %10s\n", "implementation", "type", "m", "n", "k", "global",
           "sectors", "at best", "rounds", "free", "flops");
    for (size_t i = 0; i < traces->count; i++) {
        const struct duel_trace *trace = traces->list[i];
        const struct duel_trace_totals *t = &trace->total;
        const struct duel_problem *p = &trace->problem;
        char bytes[24], rounds[24], flops[24];
        printf("%-24s %-5s %6lld %6lld %6lld %10s %9.2f %9.2f", trace->impl->name, dtype_name(p->types.in),
               (long long)p->m, (long long)p->n, (long long)p->k, trace_bytes(t->global_bytes, bytes, sizeof bytes),
               t->sectors / t->requests, t->sectors_best / t->requests);
        if (t->shared_requests > 0)
            printf(" %10s %5.0f%%", trace_number(t->rounds, rounds, sizeof rounds), 100 * t->rounds_best / t->rounds);
        else
            printf(" %10s %6s", "-", "-");
        printf(" %10s\n", trace_number(t->all_flops, flops, sizeof flops));
    }
    printf(
        "\nglobal: traffic in sectors of 32 bytes; sectors: per request; rounds: over the banks of shared memory, and "
        "how many of\nthem are free of conflicts. A model of the source: no caches, no clocks.\n");
}

static enum duel_status output(const struct traces *traces, const struct duel_options *options,
                               const struct traced_setting *setting, struct duel_why *why)
{
    if (!traced_to_stdout(options))
        print_table(traces);
    for (size_t i = 0; i < traces->count && setting->card && !traced_to_stdout(options); i++)
        trace_print_prediction(traces->list[i], setting->card);
    enum duel_status status = traced_write_json(options, traces->list, traces->count, setting, why);
    const bool out = options->csv && strcmp(options->csv, "-") == 0;
    FILE *csv = status != DUEL_OK || !options->csv ? NULL : out ? stdout : fopen(options->csv, "we");
    if (csv)
        trace_csv(csv, traces->list, traces->count);
    if (status == DUEL_OK && options->csv && (!csv || (out ? fflush(csv) : fclose(csv)) != 0))
        return duel_fail(why, DUEL_EIO, "the table was not written", "give another path", "--csv %s", options->csv);
    if (status == DUEL_OK && options_given(options, "--out"))
        status = trace_plot(options->out, traces->list, traces->count, options->terminal, why);
    if (status != DUEL_SKIP)
        return status;
    message_note("duel: %s: %s; %s", why->seen, why->matters, why->next); /* no gnuplot: the rest is done */
    return DUEL_OK;
}

static enum duel_status trace_and_tell(const struct duel_options *options, struct traces *traces, struct duel_why *why)
{
    struct duel_tracer tracer = {.library = NULL};
    struct traced_setting setting = {.card = NULL};
    enum duel_status status = traced_setting_read(options, &setting, why);
    if (status == DUEL_OK)
        status = tracer_open(&tracer, why);
    if (status == DUEL_OK)
        status = trace_all(&tracer, options, traces, why);
    if (status == DUEL_OK)
        status = output(traces, options, &setting, why);
    for (size_t i = 0; i < traces->count; i++)
        trace_free(&traces->one[i]);
    tracer_close(&tracer);
    cards_free(&setting.cards);
    return status;
}

static int run(const struct duel_options *options, const char *command_line)
{
    (void)command_line;
    struct duel_why why = {{0}, {0}, {0}};
    struct traces *traces = calloc(1, sizeof *traces);
    struct duel_options wanted = *options;
    if (wanted.pattern_count == 0)
        wanted.pattern[wanted.pattern_count++] = "gemm";
    interrupt_install();
    enum duel_status status =
        traces ? trace_and_tell(&wanted, traces, &why)
               : duel_fail(&why, DUEL_ENOMEM, "nothing was traced", "free some memory", "out of memory for the traces");
    free(traces);
    if (status != DUEL_OK)
        return message_error(status, &why);
    if (!interrupt_pending())
        return EXIT_DONE;
    message_note("duel: interrupted; what was traced until then is shown");
    return EXIT_SIGNAL + interrupt_pending();
}

static const char *const accepted[] = {"--n",   "--shape", "--precision", "--card", "--arch", "--json",
                                       "--csv", "--out",   "--terminal",  "--seed", NULL};
const struct duel_command trace_command = {
    .name = "trace",
    .summary = "What kernels ask of a GPU, counted without one: traffic, coalescing, bank conflicts, arithmetic",
    .usage = "trace [PATTERN...] [OPTIONS]",
    .example = "duel trace 'gpu/gemm/*' --n 256\n          duel trace gemm --n 256 --out reports/latest   "
               "(draws the ladder)",
    .detail = "The emulated GPU runs the real kernels and counts the requests of their warps. It is a model of the\n"
              "source: no caches, no clocks, no time. --card adds a predicted time, which is never a measurement.",
    .options = accepted,
    .patterns = true,
    .run = run,
};
