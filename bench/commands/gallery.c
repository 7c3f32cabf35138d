/* gallery.c: `duel gallery`: broken kernels that teach, run and explained on the emulated GPU. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/commands.h"
#include "bench/gallery/gallery.h"
#include "bench/harness/interrupt.h"
#include "bench/record/sink.h"

enum { MOST_EXHIBITS = 128 };

struct tour {
    const struct duel_options *options;
    struct gallery gallery;
    const struct duel_gallery_pair *chosen[MOST_EXHIBITS];
    struct duel_sink sink;
    int count, found, false_findings;
    bool silent; /* stdout belongs to the data */
};

static bool is_meant(const char *pattern, const char *name)
{
    char spelled[100];
    snprintf(spelled, sizeof spelled, "%s", pattern);
    for (char *c = spelled; *c; c++)
        *c = *c == '_' ? '-' : *c;
    return strcmp(spelled, "all") == 0 || fnmatch(spelled, name, 0) == 0;
}

static enum duel_status no_such_exhibit(const struct gallery *gallery, const char *pattern, struct duel_why *why)
{
    const char *names[MOST_EXHIBITS];
    char near[200], next[240];
    int count = 0;
    for (const struct duel_gallery_pair *pair = gallery->pairs; pair->wrong && count < MOST_EXHIBITS - 1; pair++)
        names[count++] = pair->wrong->name;
    names[count] = NULL;
    nearest_names(pattern, names, 2, near, sizeof near);
    snprintf(next, sizeof next, near[0] ? "did you mean %s? `duel gallery` lists all" : "%s`duel gallery` lists them",
             near);
    return duel_fail(why, DUEL_EINVAL, "nothing was shown", next, "there is no broken kernel %s", pattern);
}

static enum duel_status choose(struct tour *tour, struct duel_why *why)
{
    for (int p = 0; p < tour->options->pattern_count; p++) {
        const int before = tour->count;
        for (const struct duel_gallery_pair *pair = tour->gallery.pairs; pair->wrong; pair++)
            if (tour->count < MOST_EXHIBITS && is_meant(tour->options->pattern[p], pair->wrong->name))
                tour->chosen[tour->count++] = pair;
        if (tour->count == before)
            return no_such_exhibit(&tour->gallery, tour->options->pattern[p], why);
    }
    return DUEL_OK;
}

static void list(const struct gallery *gallery)
{
    char evidence[80];
    int count = 0;
    printf("%-30s %-32s %s\n", "name", "found by", "the bug");
    for (const struct duel_gallery_pair *pair = gallery->pairs; pair->wrong; pair++, count++)
        printf("%-30s %-32s %s\n", pair->wrong->name, gallery_evidence(pair, evidence, sizeof evidence),
               pair->wrong->bug);
    printf("\n%d broken kernels. `duel gallery race-in-tile --show` shows one, runs it and explains it;\n"
           "`duel gallery all` runs them all.\n",
           count);
}

static enum duel_status write_json(struct tour *tour, const struct gallery_verdict *verdict, struct duel_why *why)
{
    json_t *object = gallery_json(verdict);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    enum duel_status status = text ? sink_write(&tour->sink, text, strlen(text), why)
                                   : duel_fail(why, DUEL_ENOMEM, "nothing was written", "free some memory",
                                               "out of memory for %s", verdict->pair->wrong->name);
    if (status == DUEL_OK)
        status = sink_write(&tour->sink, "\n", 1, why);
    free(text);
    json_decref(object);
    return status;
}

static void print_row(const struct gallery_verdict *verdict)
{
    char evidence[80];
    printf("%-30s %-32s", verdict->pair->wrong->name, gallery_evidence(verdict->pair, evidence, sizeof evidence));
    for (int i = 0; i < verdict->orders; i++)
        printf(" %-8s", gallery_found(verdict->pair->wrong, &verdict->wrong[i]) ? "found" : "NOT");
    printf(" %s\n", verdict->clean ? "clean" : "NOT CLEAN");
    fflush(stdout);
}

static enum duel_status show(const struct tour *tour, const struct gallery_verdict *verdict)
{
    struct duel_why why;
    printf("%s: %s\n\n", verdict->pair->wrong->name, verdict->pair->wrong->bug);
    if (tour->options->show && gallery_print_source(verdict->pair->wrong, &why) != DUEL_OK)
        message_note("duel: %s: %s", why.seen, why.matters);
    gallery_print_lesson(&tour->gallery, verdict);
    return DUEL_OK;
}

static void print_head(const struct tour *tour)
{
    enum duel_inspect_order order[GALLERY_ORDERS];
    const int orders = gallery_orders(tour->options->schedule, order);
    printf("%-30s %-32s", "name", "found by");
    for (int i = 0; i < orders; i++)
        printf(" %-8s", gallery_order_name(order[i]));
    printf(" right version\n");
}

static enum duel_status visit_all(struct tour *tour, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    const bool table = !tour->silent && tour->count > 1 && !tour->options->show;
    struct gallery_verdict *verdict = malloc(sizeof *verdict);
    if (!verdict)
        return duel_fail(why, DUEL_ENOMEM, "nothing was run", "free some memory", "out of memory for a verdict");
    if (table)
        print_head(tour);
    for (int i = 0; i < tour->count && status == DUEL_OK && !interrupt_pending(); i++) {
        status =
            gallery_judge(&tour->gallery, tour->chosen[i], tour->options->schedule, tour->options->seed, verdict, why);
        if (status != DUEL_OK)
            break;
        tour->found += verdict->found;
        tour->false_findings += !verdict->clean;
        if (table)
            print_row(verdict);
        else if (!tour->silent)
            printf("%s", i ? "\n" : "");
        if (!table && !tour->silent)
            status = show(tour, verdict);
        if (status == DUEL_OK && tour->options->json)
            status = write_json(tour, verdict, why);
    }
    free(verdict);
    if (table && status == DUEL_OK)
        printf(
            "\n%d of %d broken kernels were found for their own reason in every order; %d of the right versions were "
            "not clean.\nSeed of the random order: %llu\n",
            tour->found, tour->count, tour->false_findings, (unsigned long long)tour->options->seed);
    return status;
}

static int run(const struct duel_options *options, const char *command_line)
{
    (void)command_line;
    struct tour tour = {.options = options, .sink = {.fd = -1}};
    struct duel_why why = {{0}, {0}, {0}};
    tour.silent = options->json && strcmp(options->json, "-") == 0;
    interrupt_install();
    enum duel_status status = gallery_open(&tour.gallery, &why);
    if (status == DUEL_OK)
        status = choose(&tour, &why);
    if (status == DUEL_OK && options->json)
        status = sink_open(&tour.sink, options->json, "--json", &why);
    if (status == DUEL_OK && options->json)
        status = sink_empty(&tour.sink, &why);
    if (status == DUEL_OK && options->pattern_count == 0)
        list(&tour.gallery);
    if (status == DUEL_OK)
        status = visit_all(&tour, &why);
    if (status == DUEL_OK && options->json)
        status = sink_flush(&tour.sink, &why);
    sink_close(&tour.sink);
    gallery_close(&tour.gallery);
    if (status != DUEL_OK)
        return message_error(status, &why);
    if (interrupt_pending())
        return EXIT_SIGNAL + interrupt_pending();
    return tour.found == tour.count && tour.false_findings == 0 ? EXIT_DONE : EXIT_WRONG;
}

static const char *const accepted[] = {"--show", "--schedule", "--seed", "--json", NULL};
const struct duel_command gallery_command = {
    .name = "gallery",
    .summary = "Kernels that are wrong in one way each: shown, run on the emulated GPU, found and explained",
    .usage = "gallery [NAME...|all] [OPTIONS]",
    .example = "duel gallery race-in-tile --show\n          duel gallery all",
    .detail =
        "Without a name it lists them. Each is run in several orders of threads, and so is the right version beside\n"
        "it. Status 3: a bug was not found for its own reason in one of them, or a right version is not clean.\n"
        "What a real GPU would do is what CUDA allows, not what was measured.",
    .options = accepted,
    .patterns = true,
    .run = run,
};
