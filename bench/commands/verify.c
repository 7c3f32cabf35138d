/* verify.c: correctness only: every implementation on the zoo of awkward problems. */
#include <math.h>
#include <string.h>

#include "bench/commands/effects.h"
#include "bench/commands/strict.h"
#include "bench/harness/interrupt.h"
#include "bench/harness/plan.h"
#include "bench/matrix/dtype.h"
#include "bench/verify/when.h"

/* The count of one implementation, precision and device: one line of the table. */
struct tally {
    int64_t right, wrong, skipped, errors;
    double worst;    /* largest error over its bound of all right answers */
    char first[700]; /* the first failure */
    struct duel_when when;
    struct duel_progress *progress;
    const char *label;
};

static bool count_case(void *context, const struct duel_zoo_case *which, const struct duel_zoo_outcome *came)
{
    struct tally *tally = context;
    when_add(&tally->when, which, came);
    if (came->status == DUEL_OK) {
        tally->right++;
        tally->worst = fmax(tally->worst, came->verdict.bound_ratio);
    } else if (came->status == DUEL_SKIP) {
        tally->skipped++;
    } else {
        tally->wrong += came->status == DUEL_EVERIFY;
        tally->errors += came->status != DUEL_EVERIFY;
        if (!tally->first[0])
            snprintf(tally->first, sizeof tally->first, "%s", came->why.seen);
    }
    progress_show(tally->progress, tally->label, "");
    return !interrupt_pending();
}

void suspects_print(const struct duel_when *when)
{
    const struct duel_suspects suspects = when_suspects(when);
    enum duel_cause cause[SUSPECTS_SHOWN];
    const int count = suspects_rank(&suspects, cause);
    for (int i = 0; i < count; i++)
        printf("    %s (%s): %s\n", i == 0 && suspects_sure(&suspects) ? "likely" : "possible", cause_name(cause[i]),
               cause_words(cause[i]));
    if (count == 0 && suspects.weight[CAUSE_UNKNOWN] > 0)
        printf("    cause %s\n", cause_words(CAUSE_UNKNOWN));
}

static void print_line(const char *name, const char *device, const char *precision, const struct tally *tally)
{
    char verdict[64];
    if (tally->wrong + tally->errors > 0)
        snprintf(verdict, sizeof verdict, "FAILED");
    else if (interrupt_pending()) /* right so far, which is not right */
        snprintf(verdict, sizeof verdict, "cut off");
    else if (tally->right == 0)
        snprintf(verdict, sizeof verdict, "skipped");
    else
        snprintf(verdict, sizeof verdict, "right");
    printf("%-24s %-10s %-9s %-8s %6lld %6lld %8lld", name, device, precision, verdict, (long long)tally->right,
           (long long)(tally->wrong + tally->errors), (long long)tally->skipped);
    if (tally->wrong + tally->errors == 0 && tally->right > 0)
        printf("  %8.3f\n", tally->worst);
    else
        printf("  %8s\n", "-");
    if (tally->first[0])
        printf("    %s\n", tally->first);
    suspects_print(&tally->when);
    fflush(stdout);
}

struct totals {
    int64_t lines, cases, wrong, errors;
    const char *skipped_place; /* a device with implementations that cannot be used */
};

static void verify_one(struct duel_place *place, const struct duel_impl *impl, enum duel_dtype precision,
                       const struct duel_options *options, struct duel_progress *progress, struct totals *totals)
{
    struct tally tally = {.progress = progress, .label = impl->name};
    struct duel_why why = {{0}, {0}, {0}};
    const struct duel_workload *workload = workload_of(impl->name);
    const int both[] = {1, place->info.processors > 1 ? place->info.processors : 2};
    struct duel_zoo_options zoo = {
        .seed = options->seed,
        .threads = options->threads_count > 0 ? options->threads : both,
        .threads_count = options->threads_count > 0 ? options->threads_count : 2,
        .precision = precision,
        .every_scalar = !place->backend->emulated,
        .large = !place->backend->emulated,
    };
    enum duel_status status = zoo_run(place, impl, workload, &zoo, count_case, &tally, &why);
    if (status != DUEL_OK && !tally.first[0]) {
        tally.errors++;
        snprintf(tally.first, sizeof tally.first, "%s", why.seen);
    }
    progress_group_done(progress, 1);
    progress_clear(progress);
    print_line(impl->name, place->id, dtype_name(precision), &tally);
    totals->lines += !interrupt_pending();
    totals->cases += tally.right + tally.wrong + tally.errors;
    totals->wrong += tally.wrong;
    totals->errors += tally.errors;
}

static bool wanted(const struct duel_options *options, const char *name, enum duel_dtype in)
{
    return registry_selected(options->pattern, options->pattern_count, name) && plan_has_precision(options, in);
}

/* Calls verify_one for every selected line, or only counts the lines when `progress` is NULL. */
static int64_t each_line(struct duel_registry *registry, const struct duel_options *options,
                         struct duel_progress *progress, struct totals *totals)
{
    int64_t lines = 0;
    for (int i = 0; i < registry->count; i++) {
        struct duel_place *place = &registry->place[i];
        if (!plan_selects(options->device, place))
            continue;
        for (const struct duel_impl *const *impl = place->impls; *impl && !interrupt_pending(); impl++)
            for (int t = 0; t < DUEL_MAX_TYPES && (*impl)->types[t].in != DUEL_NONE && !interrupt_pending(); t++) {
                if (!wanted(options, (*impl)->name, (*impl)->types[t].in))
                    continue;
                if (!place->info.usable)
                    totals->skipped_place = place->id;
                else if (progress)
                    verify_one(place, *impl, (*impl)->types[t].in, options, progress, totals);
                lines += place->info.usable;
            }
    }
    return lines;
}

static enum duel_status open_places(struct duel_registry *registry, const struct duel_options *options,
                                    struct duel_why *why)
{
    bool named = options->device && strcmp(options->device, "all") != 0, any = false;
    enum duel_status status = DUEL_OK;
    if (named)
        duel_fail(why, DUEL_SKIP, "the device was asked for by name, so nothing else is verified instead",
                  "`duel devices` shows what is here", "device %s is not here", options->device);
    for (int i = 0; i < registry->count && status == DUEL_OK; i++) {
        struct duel_place *place = &registry->place[i];
        if (!plan_selects(options->device, place))
            continue;
        if (place->info.usable) {
            status = place_open(place, why);
            any = true;
        } else if (named) {
            *why = place->info.why;
        }
    }
    return status == DUEL_OK && named && !any ? DUEL_SKIP : status;
}

static int verify_all(struct duel_registry *registry, const struct duel_options *options)
{
    struct totals totals = {0, 0, 0, 0, NULL};
    struct duel_progress progress;
    int64_t lines = each_line(registry, options, NULL, &totals);
    progress_start(&progress, (int)lines, (double)lines, options->quiet);
    printf("%-24s %-10s %-9s %-8s %6s %6s %8s  %8s\n", "implementation", "device", "precision", "verdict", "right",
           "wrong", "skipped", "err/bound");
    each_line(registry, options, &progress, &totals);
    printf("\n%lld answers in %lld rows checked: %lld wrong, %lld errors\n", (long long)totals.cases,
           (long long)totals.lines, (long long)totals.wrong, (long long)totals.errors);
    if (totals.skipped_place)
        message_note("duel: %s cannot be used here, so its implementations were left out; `duel devices` says why",
                     totals.skipped_place);
    if (interrupt_pending()) {
        message_note("duel: interrupted; what was not tried until then is not known to be right");
        return EXIT_SIGNAL + interrupt_pending();
    }
    if (totals.cases == 0)
        return EXIT_ABSENT;
    return totals.wrong > 0 ? EXIT_WRONG : totals.errors > 0 ? EXIT_DEVICE : EXIT_DONE;
}

/* An implementation that this build leaves out has a reason of its own. */
static enum duel_status nothing_to_verify(const struct duel_registry *registry, const struct duel_options *options,
                                          struct duel_why *why)
{
    for (int i = 0; i < registry->count; i++)
        for (const struct duel_absence *absent = registry->place[i].absent; absent->name; absent++)
            for (int p = 0; p < options->pattern_count; p++)
                if (registry_matches(options->pattern[p], absent->name))
                    return duel_fail(why, DUEL_SKIP, "this build has nothing to verify under that name",
                                     "install what is missing, then `make`", "%s is left out: %s", absent->name,
                                     absent->reason);
    return duel_fail(why, DUEL_SKIP, "nothing would be verified", "`duel list` shows what runs where",
                     "no usable device has an implementation of this pattern and precision");
}

static int run(const struct duel_options *options, const char *command_line)
{
    (void)command_line;
    if (options->strict)
        return strict_verify(options);
    struct duel_registry registry;
    struct duel_why why = {{0}, {0}, {0}};
    registry_load(&registry);
    interrupt_install();
    enum duel_status status = plan_check_names(&registry, options, &why);
    if (status == DUEL_OK)
        status = open_places(&registry, options, &why);
    if (status == DUEL_OK && each_line(&registry, options, NULL, &(struct totals){0, 0, 0, 0, NULL}) == 0)
        status = nothing_to_verify(&registry, options, &why);
    if (status == DUEL_OK)
        effects_of_choice(options, &registry);
    int code = status == DUEL_OK ? verify_all(&registry, options) : message_error(status, &why);
    registry_close(&registry);
    return code;
}

static const char *const accepted[] = {"--device", "--precision", "--threads", "--seed",  "--strict",
                                       "--arch",   "--schedule",  "--replay",  "--quiet", NULL};
const struct duel_command verify_command = {
    .name = "verify",
    .summary = "Correctness only: every implementation on a zoo of awkward sizes, in exact and bounded tiers",
    .usage = "verify [PATTERN...] [OPTIONS]",
    .example = "duel verify --device emulated\n          duel verify 'cpu/gemm/*' --threads 1,2",
    .detail =
        "err/bound is the largest error over its bound; above 1 the answer is wrong. The emulated GPU runs the\n"
        "real kernels on the CPU: it shows that they are right, never how fast they are.\n\n"
        "Where a GEMM is wrong on whole numbers, what stands in the wrong places is compared with what simple "
        "mistakes\n"
        "would put there, over all problems: up to three causes, likely or possible, or that none is known.\n\n"
        "With --strict it watches every access of a kernel, like a sanitizer: races in a warp, in a block and\n"
        "between blocks, reads of what nobody wrote, accesses outside of memory or misaligned, barriers and warps\n"
        "that diverge, copies that are not waited for, launch limits of --arch, device memory used by the host.\n"
        "Each finding names the lines of both accesses, block, thread, array and element, and what to do; for a\n"
        "race an order of threads is searched in which the answer is wrong, to --replay. It knows the source, not\n"
        "the GPU: launch limits are those of threads, grid and shared memory; registers only its compiler can count.",
    .options = accepted,
    .patterns = true,
    .computes = true,
    .run = run,
};
