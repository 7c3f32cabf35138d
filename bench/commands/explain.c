/* explain.c: the lesson of an implementation: its doc and the ladder it stands on. */
#include <string.h>

#include "bench/commands/traced.h"
#include "bench/harness/plan.h"
#include "bench/matrix/dtype.h"

#define MOST_RUNGS 32

/* So that a paragraph reads well in a terminal. */
void explain_wrapped(const char *text)
{
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > 0 && column + 1 + length > 96) {
            printf("\n");
            column = 0;
        }
        column += printf("%s%.*s", column ? " " : "  ", length, text);
        text += length;
        text += strspn(text, " ");
    }
    printf("\n");
}

static void print_ladder(const struct duel_registry *registry, const struct duel_impl *impl)
{
    const struct duel_impl *rung[MOST_RUNGS];
    int count = 0;
    for (; impl && count < MOST_RUNGS; impl = impl->builds_on ? registry_find(registry, impl->builds_on, NULL) : NULL)
        rung[count++] = impl;
    printf("\nLadder, bottom rung first (read the files in this order):\n");
    for (int i = count - 1; i >= 0; i--)
        printf("  %d  %s%s\n", count - i, rung[i]->name, i == 0 ? "   <- this one" : "");
    if (count > 1) {
        const char *ending = strncmp(rung[0]->name, "gpu/", 4) == 0 ? "cu" : "c";
        const char *below = strncmp(rung[1]->name, "gpu/", 4) == 0 ? "cu" : "c";
        printf("\nWhat changed:  diff %s.%s %s.%s\n", rung[1]->name, below, rung[0]->name, ending);
    }
}

static void print_above(const struct duel_registry *registry, const struct duel_impl *impl)
{
    bool any = false;
    for (int i = 0; i < registry->count; i++)
        for (const struct duel_impl *const *other = registry->place[i].impls; *other; other++) {
            const struct duel_place *first = NULL;
            registry_find(registry, (*other)->name, &first);
            if (first != &registry->place[i] || !(*other)->builds_on || strcmp((*other)->builds_on, impl->name) != 0)
                continue;
            printf("%s%s", any ? ", " : "Next rung:  ", (*other)->name);
            any = true;
        }
    printf(any ? "\n" : "Next rung:  none; this is the top of its ladder\n");
}

static void print_types(const struct duel_impl *impl)
{
    printf("\nPrecision:");
    for (int t = 0; t < DUEL_MAX_TYPES && impl->types[t].in != DUEL_NONE; t++)
        printf("%s %s inputs, %s sums, %s result", t ? ";" : "", dtype_name(impl->types[t].in),
               dtype_name(impl->types[t].acc), dtype_name(impl->types[t].out));
    printf("\n");
}

static void note_uncounted(const struct duel_options *options, const char *name)
{
    if (options->json || options->html || options->card_count > 0 || options->diff)
        message_note("duel: only GPU kernels are counted: --json, --html, --card and --diff change nothing for %s",
                     name);
}

static enum duel_status explain(const struct duel_registry *registry, const char *name,
                                const struct duel_options *options, struct duel_why *why)
{
    const struct duel_impl *impl = registry_find(registry, name, NULL);
    const struct duel_workload *workload = workload_find(name, strlen(name));
    if (workload) {
        explain_workload(registry, workload, options);
        note_uncounted(options, name);
        return DUEL_OK;
    }
    if (!impl) {
        for (int i = 0; i < registry->count; i++)
            for (const struct duel_absence *absent = registry->place[i].absent; absent->name; absent++)
                if (strcmp(absent->name, name) == 0)
                    return duel_fail(why, DUEL_SKIP, "its lesson is in a file that this build leaves out",
                                     "install what is missing, then `make`", "%s: %s", name, absent->reason);
        return duel_fail(why, DUEL_EINVAL, "explain wants a workload or the full name of one implementation",
                         "`duel list` shows the names, such as gemm and gpu/gemm/tiled", "%s is not an implementation",
                         name);
    }
    const bool gpu = strncmp(name, "gpu/", 4) == 0;
    if (gpu && traced_to_stdout(options))
        return explain_traced(options, impl, why);
    printf("%s\n\n", impl->name);
    explain_wrapped(impl->doc);
    print_types(impl);
    if (impl->library)
        printf("Library:   %s\n", impl->library());
    print_ladder(registry, impl);
    print_above(registry, impl);
    if (gpu)
        return explain_traced(options, impl, why);
    note_uncounted(options, name);
    return DUEL_OK;
}

static int run(const struct duel_options *options, const char *command_line)
{
    (void)command_line;
    struct duel_registry registry;
    struct duel_why why = {{0}, {0}, {0}};
    struct traced_setting setting = {.card = NULL};
    registry_load(&registry);
    enum duel_status status = plan_check_names(&registry, options, &why);
    if (status == DUEL_OK)
        status = traced_setting_read(options, &setting, &why); /* a wrong --card is told before anything is printed */
    cards_free(&setting.cards);
    if (status == DUEL_OK && options->pattern_count == 0)
        status =
            duel_fail(&why, DUEL_EINVAL, "there is nothing to explain",
                      "try `duel explain gemm` or `duel explain gpu/gemm/tiled`", "duel explain was given no name");
    if (status == DUEL_OK && options->pattern_count > 1 && (options->json || options->html))
        status = duel_fail(&why, DUEL_EINVAL, "each would replace the file of the one before", "give one name",
                           "%d names with --json or --html", options->pattern_count);
    for (int i = 0; i < options->pattern_count && status == DUEL_OK; i++) {
        printf("%s", i ? "\n" : "");
        status = explain(&registry, options->pattern[i], options, &why);
    }
    registry_close(&registry);
    return status == DUEL_OK ? EXIT_DONE : message_error(status, &why);
}

static const char *const accepted[] = {"--n",    "--shape", "--precision", "--diff", "--html", "--card",
                                       "--arch", "--json",  "--seed",      "--out",  NULL};
const struct duel_command explain_command = {
    .name = "explain",
    .summary = "The lesson of a workload or of an implementation: what it does, what limits it",
    .usage = "explain NAME... [OPTIONS]",
    .example = "duel explain gemm\n"
               "          duel explain gpu/gemm/tiled --n 256 --diff",
    .detail = "Of a workload it tells what it teaches, with the numbers of the last run of it (in the directory of "
              "--out).\nOf a GPU kernel it shows the source with counts in the margin: the emulated GPU runs it and "
              "counts what "
              "its\nwarps ask for. That is a model of the source, without caches and clocks.",
    .options = accepted,
    .patterns = true,
    .run = run,
};
