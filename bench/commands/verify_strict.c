/* verify_strict.c: `duel verify --strict`: every kernel on the zoo of awkward problems, on an emulated GPU that watches
 * each access. A kernel is right there only if CUDA promises that it is: on every GPU, in every order. */
#include <dlfcn.h>
#include <string.h>

#include "bench/cards/cards.h"
#include "bench/commands/strict.h"
#include "bench/harness/interrupt.h"
#include "bench/harness/plan.h"
#include "bench/matrix/dtype.h"

static const char *const schedule_names[] = {"mixed", "forward", "reverse", "random"};
enum { CASES_WITH_FINDINGS = 8, ORDERS = 3 };

/* What one row of the table is made of. */
struct tally {
    const struct strict *strict;
    struct duel_progress *progress;
    const char *label;
    int64_t cases, wrong, errors, findings, skipped;
    int failing; /* cases that brought new findings; after some of them it is enough */
    char first[700];
    struct duel_when when;                             /* tells the cause where no check does */
    struct duel_zoo_case suspect[CASES_WITH_FINDINGS]; /* and the number of findings after each */
    int64_t after[CASES_WITH_FINDINGS];
};

/* The order of a case: the one that was asked for, or each in turn. */
static int order_of(const struct strict *strict, int64_t number)
{
    return strict->schedule == DUEL_SCHEDULE_MIXED ? (int)(number % ORDERS) : strict->schedule - DUEL_SCHEDULE_FORWARD;
}

static void prepare(void *context, const struct duel_zoo_case *which, const struct duel_call *call)
{
    const struct strict *strict = context;
    const struct duel_workload *workload = which->workload;
    strict_set(strict, DUEL_INSPECT_STRICT, order_of(strict, which->number), strict->order_seed, NULL);
    for (int i = 0; i < workload->operands; i++) {
        const struct duel_types *types = &which->problem.types;
        const size_t bytes = dtype_size(workload->role[i] == DUEL_OUT ? types->out : types->in);
        strict->inspector->name(call->operand[i], workload->operand_name[i], bytes);
    }
    if (call->workspace)
        strict->inspector->name(call->workspace, "workspace", 0);
}

static bool count_case(void *context, const struct duel_zoo_case *which, const struct duel_zoo_outcome *came)
{
    struct tally *tally = context;
    const int64_t findings = tally->strict->inspector->findings();
    when_add(&tally->when, which, came);
    tally->cases += came->status == DUEL_OK || came->status == DUEL_EVERIFY;
    tally->wrong += came->status == DUEL_EVERIFY;
    tally->skipped += came->status == DUEL_SKIP;
    if (findings > tally->findings) {
        tally->suspect[tally->failing] = *which;
        tally->after[tally->failing++] = findings;
        tally->findings = findings;
    } else if (came->status != DUEL_OK && came->status != DUEL_SKIP && findings == 0) {
        tally->errors += came->status != DUEL_EVERIFY;
        if (!tally->first[0])
            snprintf(tally->first, sizeof tally->first, "%s", came->why.seen);
    }
    progress_show(tally->progress, tally->label, "");
    return !interrupt_pending() && tally->failing < CASES_WITH_FINDINGS;
}

enum duel_status strict_set(const struct strict *strict, enum duel_inspect_mode mode, int order, uint64_t seed,
                            struct duel_why *why)
{
    const struct duel_inspect_setting setting = {.mode = mode,
                                                 .order = (enum duel_inspect_order)order,
                                                 .seed = seed,
                                                 .arch = strict->limits->capability,
                                                 .shared_most = (size_t)strict->limits->shared_per_block_kib * 1024};
    return strict->inspector->set(&setting, why);
}

/* One implementation and precision; its findings stay in the inspector. */
static enum duel_status watch(struct strict *strict, const struct duel_impl *impl, enum duel_dtype precision,
                              struct tally *tally, struct duel_why *why)
{
    const struct duel_workload *workload = workload_of(impl->name);
    const struct duel_zoo_options zoo = {.seed = strict->options->seed,
                                         .precision = precision,
                                         .integers_only = true,
                                         .before = prepare,
                                         .before_context = strict};
    strict->inspector->clear();
    const enum duel_status status =
        strict_set(strict, DUEL_INSPECT_STRICT, order_of(strict, 0), strict->order_seed, why);
    if (status != DUEL_OK)
        return status;
    zoo_run(&strict->place, impl, workload, &zoo, count_case, tally, NULL);
    struct duel_hook_counts counts;
    strict->inspector->hooks(&counts);
    if (tally->cases == 0 || (counts.loads > 0 && counts.stores + counts.atomics > 0 && counts.basic_blocks > 0))
        return DUEL_OK;
    return duel_fail(why, DUEL_EDEVICE, "a check that sees nothing finds nothing",
                     "rebuild the plug-in with `make clean all`",
                     "%s: %lld kernels ran and told of %llu loads, %llu stores and %llu basic blocks", impl->name,
                     (long long)tally->cases, (unsigned long long)counts.loads, (unsigned long long)counts.stores,
                     (unsigned long long)counts.basic_blocks);
}

static void print_row(const struct strict *strict, const struct duel_impl *impl, enum duel_dtype precision,
                      const struct tally *tally)
{
    const bool failed = tally->findings + tally->wrong + tally->errors > 0;
    printf("%-24s %-9s %-8s %-8s %6lld %6lld %8lld\n", impl->name, dtype_name(precision),
           schedule_names[strict->schedule],
           failed             ? "FAILED"
           : tally->cases > 0 ? "clean"
                              : "skipped",
           (long long)tally->cases, (long long)tally->wrong, (long long)tally->findings);
    if (tally->first[0])
        printf("    %s\n", tally->first);
    if (tally->findings == 0)
        suspects_print(&tally->when);
    fflush(stdout);
}

static enum duel_status verify_one(struct strict *strict, const struct duel_impl *impl, enum duel_dtype precision,
                                   struct duel_progress *progress, struct duel_why *why)
{
    struct tally tally = {.strict = strict, .progress = progress, .label = impl->name};
    const enum duel_status status = watch(strict, impl, precision, &tally, why);
    progress_group_done(progress, 1);
    progress_clear(progress);
    print_row(strict, impl, precision, &tally);
    strict->rows++;
    strict->cases += tally.cases;
    strict->findings += tally.findings;
    strict->wrong += tally.wrong;
    strict->errors += tally.errors;
    if (tally.findings > 0)
        strict_explain(strict, &(struct strict_case){tally.suspect, tally.after, tally.failing});
    return status;
}

static enum duel_status each_row(struct strict *strict, struct duel_progress *progress, int64_t *rows,
                                 struct duel_why *why)
{
    const struct duel_options *options = strict->options;
    enum duel_status status = DUEL_OK;
    for (const struct duel_impl *const *impl = strict->place.impls; *impl && !interrupt_pending(); impl++)
        for (int t = 0; t < DUEL_MAX_TYPES && (*impl)->types[t].in != DUEL_NONE && status == DUEL_OK; t++) {
            if (!registry_selected(options->pattern, options->pattern_count, (*impl)->name) ||
                !plan_has_precision(options, (*impl)->types[t].in))
                continue;
            if (progress)
                status = verify_one(strict, *impl, (*impl)->types[t].in, progress, why);
            ++*rows;
        }
    return status;
}

static enum duel_status verify_all(struct strict *strict, struct duel_why *why)
{
    struct duel_progress progress;
    int64_t rows = 0, done = 0;
    each_row(strict, NULL, &rows, why);
    if (rows == 0)
        return duel_fail(why, DUEL_SKIP, "nothing would be verified",
                         "`duel list --device emulated` shows what there is",
                         "the emulated GPU has no implementation of this pattern and precision");
    progress_start(&progress, (int)rows, (double)rows, strict->options->quiet);
    printf("strict mode, limits of sm_%d, seed of the random order %llu\n\n", strict->limits->capability,
           (unsigned long long)strict->order_seed);
    printf("%-24s %-9s %-8s %-8s %6s %6s %8s\n", "implementation", "precision", "order", "verdict", "cases", "wrong",
           "findings");
    const enum duel_status status = each_row(strict, &progress, &done, why);
    printf("\n%lld cases in %lld rows watched: %lld findings, %lld wrong, %lld errors\n", (long long)strict->cases,
           (long long)strict->rows, (long long)strict->findings, (long long)strict->wrong, (long long)strict->errors);
    return status;
}

static enum duel_status choose(struct strict *strict, struct duel_why *why)
{
    const struct duel_options *options = strict->options;
    const int capability = options->arch ? occupancy_capability(options->arch) : strict->place.info.compute_capability;
    char names[200];
    occupancy_names(names, sizeof names);
    strict->limits = occupancy_limits(capability);
    if (!strict->limits)
        return duel_fail(why, DUEL_EINVAL, "launch limits depend on the compute capability", "give one of the table",
                         "--arch %s is none of %s", options->arch, names);
    strict->order_seed = options->replay ? options->replay : options->seed;
    strict->schedule = options->replay ? DUEL_SCHEDULE_RANDOM : options->schedule;
    if (options->device && strcmp(options->device, "emulated") != 0)
        return duel_fail(why, DUEL_EINVAL, "only the emulated GPU can watch a kernel",
                         "give --device emulated, or leave --strict out", "--strict with --device %s", options->device);
    enum duel_status status = strict_set(strict, DUEL_INSPECT_STRICT, DUEL_INSPECT_FORWARD, strict->order_seed, why);
    strict->place.backend->describe(0, &strict->place.info);
    return status == DUEL_OK ? place_open(&strict->place, why) : status;
}

int strict_verify(const struct duel_options *options)
{
    struct strict strict = {.options = options};
    struct duel_why why = {{0}, {0}, {0}};
    void *library = NULL;
    enum duel_status status = DUEL_SKIP;
    interrupt_install();
    strict.inspector = inspector_load(DUEL_HOOKED_KERNELS, &strict.place, &library, &why);
    if (strict.inspector)
        status = choose(&strict, &why);
    if (status == DUEL_OK)
        status = verify_all(&strict, &why);
    if (strict.place.device)
        strict.place.backend->close(strict.place.device);
    if (library)
        dlclose(library);
    if (status != DUEL_OK)
        return message_error(status, &why);
    if (interrupt_pending()) {
        message_note("duel: interrupted; what was not tried until then is not known to be right");
        return EXIT_SIGNAL + interrupt_pending();
    }
    if (strict.findings + strict.wrong > 0)
        return EXIT_WRONG;
    return strict.errors > 0 ? EXIT_DEVICE : strict.cases == 0 ? EXIT_ABSENT : EXIT_DONE;
}
