/* transfer.c: how long bytes take between host and device, by size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/commands.h"
#include "bench/commands/head.h"
#include "bench/commands/link.h"
#include "bench/harness/copies.h"
#include "bench/harness/interrupt.h"
#include "bench/harness/plan.h"
#include "bench/report/console.h"
#include "bench/report/transfer.h"

#define LIMIT_S 3.0    /* per way and size, unless --timeout says otherwise */
#define MEMORY_SHARE 2 /* at most one part in so many of what is free */
#define MOST_SIZES 64  /* of one run: 2^46 is the largest and 2 the least factor */

/* Everything that the command owns. */
struct transfer_state {
    const struct duel_options *options;
    struct duel_registry registry;
    struct duel_runfile *file;
    struct duel_transfer *rows; /* of the device at work */
    size_t count;
    struct duel_progress progress;
    struct link_watch watch;
    FILE *talk;
    bool measured, wrong, broken;
    int devices;
    struct duel_trouble trouble;
};

static void show_step(void *context, int64_t bytes, const char *doing)
{
    struct transfer_state *state = context;
    char size[32];
    link_poll(&state->watch);
    format_bytes((double)bytes, size, sizeof size);
    progress_show(&state->progress, size, doing);
}

static struct duel_sampler_rules rules_of(const struct duel_options *options)
{
    const double limit = options->timeout_s > 0 ? options->timeout_s : LIMIT_S;
    return (struct duel_sampler_rules){
        .target_ci = options->target_ci,
        .min_samples = options->min_samples,
        .max_samples = options->min_samples > 1000 ? options->min_samples : 1000,
        .min_time_s = options->min_time_s,
        .timeout_s = limit,
        .warmup_s = fmin(0.05, limit / 4),
        .warmup_max_s = fmin(0.25, limit / 4),
    };
}

/* The sizes of --bytes that fit; *left_out is the first that does not, or 0. */
static int plan_sizes(const struct transfer_state *state, const struct duel_place *place, int64_t *size,
                      int64_t *left_out)
{
    const struct duel_options *options = state->options;
    const uint64_t host = state->registry.place[0].info.memory_free_bytes, device = place->info.memory_free_bytes;
    int count = 0;
    *left_out = 0;
    for (int64_t bytes = options->bytes_lo; bytes <= options->bytes_hi && count < MOST_SIZES;) {
        if ((host > 0 && copies_host_bytes(place->backend, bytes) > host / MEMORY_SHARE) ||
            (device > 0 && copies_device_bytes(place->backend, bytes) > device / MEMORY_SHARE)) {
            *left_out = bytes;
            return count;
        }
        size[count++] = bytes;
        if (bytes > options->bytes_hi / options->bytes_factor)
            break;
        bytes *= options->bytes_factor;
    }
    return count;
}

static void take_rows(struct transfer_state *state, const struct duel_transfer *rows, int count)
{
    struct duel_why why = {{0}, {0}, {0}};
    for (int i = 0; i < count; i++) {
        const struct duel_transfer *row = &rows[i];
        state->measured = state->measured || row->status == ROW_OK;
        state->wrong = state->wrong || (row->status == ROW_FAILED && row->cause == DUEL_EVERIFY);
        state->broken = state->broken || row->status == ROW_FAILED;
        trouble_note(&state->trouble, runfile_row(state->file, &transfer_sheet, row, &why), &why);
    }
    state->count += (size_t)count;
}

static void measure_sizes(struct transfer_state *state, struct duel_copies *copies, const int64_t *size, int sizes)
{
    struct duel_copy_kind kinds[COPIES_MOST];
    const int each = copies_kinds(copies->place->backend, kinds);
    double total = 0;
    for (int i = 0; i < sizes; i++)
        total += (double)each;
    progress_start(&state->progress, sizes, total, state->options->quiet);
    for (int i = 0; i < sizes && !interrupt_pending(); i++) {
        struct duel_transfer *rows = state->rows + state->count;
        copies_measure(copies, size[i], rows);
        take_rows(state, rows, each);
        progress_group_done(&state->progress, (double)each);
    }
    progress_clear(&state->progress);
}

static void report_device(struct transfer_state *state, const struct duel_place *place, const struct duel_link *link)
{
    struct duel_copy_kind kinds[COPIES_MOST];
    struct duel_transfer_curve curves[COPIES_MOST];
    struct duel_why why = {{0}, {0}, {0}};
    const int each = copies_kinds(place->backend, kinds);
    char machine[200], picture[64];
    for (int i = 0; i < each; i++) {
        transfer_curve_of(&curves[i], state->rows, state->count, kinds[i].way, copies_memory_name(kinds[i].memory),
                          link);
        if (curves[i].points > 0)
            trouble_note(&state->trouble, runfile_row(state->file, &transfer_curve_sheet, &curves[i], &why), &why);
    }
    snprintf(picture, sizeof picture, state->devices > 1 ? "transfer-%d" : "transfer", state->devices);
    struct duel_transfer_report report = {place->id,    place->info.name, picture,      state->rows,
                                          state->count, curves,           (size_t)each, link};
    if (!state->options->quiet)
        table_transfer(state->talk, &report);
    head_machine(&state->registry, machine, sizeof machine);
    struct duel_plot_request request = {runfile_dir(state->file), machine, state->options->terminal, state->talk};
    if (state->options->no_plots || !request.dir || !state->measured)
        return;
    enum duel_status status = plot_transfer(&request, &report, &why);
    if (status == DUEL_SKIP)
        message_note("duel: %s; %s", why.seen, why.next);
    else
        trouble_note(&state->trouble, status, &why);
}

static void free_rows(struct transfer_state *state)
{
    for (size_t i = 0; i < state->count; i++)
        transfer_free(&state->rows[i]);
    free(state->rows);
    state->rows = NULL;
    state->count = 0;
}

static void measure_device(struct transfer_state *state, struct duel_place *place)
{
    struct duel_why why = {{0}, {0}, {0}};
    int64_t size[MOST_SIZES], left_out;
    struct duel_link link;
    enum duel_status status = place_open(place, &why);
    const int sizes = plan_sizes(state, place, size, &left_out);
    state->rows = calloc((size_t)sizes * COPIES_MOST + 1, sizeof *state->rows);
    if (status == DUEL_OK && !state->rows)
        status = duel_fail(&why, DUEL_ENOMEM, "nothing is measured", "close other programs", "out of memory for rows");
    if (status != DUEL_OK) {
        trouble_note(&state->trouble, status, &why);
        return;
    }
    state->devices++;
    if (left_out > 0) {
        char text[32];
        format_bytes((double)left_out, text, sizeof text);
        message_note("duel: %s and larger are left out: their buffers would take more than half of the free memory",
                     text);
    }
    link_before(&state->watch, place, &link);
    struct duel_copies copies = {place, rules_of(state->options), state->options->seed, link.gbps, show_step, state};
    measure_sizes(state, &copies, size, sizes);
    link_after(&state->watch, &link);
    report_device(state, place, &link);
    free_rows(state);
}

/* Without --device: every GPU, or host memory where there is none. */
static bool chosen(const struct transfer_state *state, const struct duel_place *place, bool gpu)
{
    if (!place->info.usable || !place->backend || place->backend->emulated ||
        !plan_selects(state->options->device, place))
        return false;
    return state->options->device || (place->backend->upload != NULL) == gpu;
}

static enum duel_status check_device(const struct transfer_state *state, bool *gpu, struct duel_why *why)
{
    const struct duel_registry *registry = &state->registry;
    bool any = false;
    *gpu = false;
    for (int i = 0; i < registry->count; i++)
        *gpu = *gpu || chosen(state, &registry->place[i], true);
    for (int i = 0; i < registry->count; i++) {
        const struct duel_place *place = &registry->place[i];
        any = any || chosen(state, place, *gpu);
        if (!state->options->device || !plan_selects(state->options->device, place))
            continue;
        if (place->backend && place->backend->emulated)
            duel_fail(why, DUEL_SKIP, "its copies are real, its times are not", "give --device cuda or --device cpu",
                      "the emulated GPU has no transfer times");
        else if (!place->info.usable)
            *why = place->info.why;
    }
    if (any)
        return DUEL_OK;
    if (!why->seen[0])
        duel_fail(why, DUEL_SKIP, "the device was asked for by name, so nothing else is measured instead",
                  "`duel devices` shows what is here", "device %s is not here",
                  state->options->device ? state->options->device : "cpu");
    return DUEL_SKIP;
}

static int finish(struct transfer_state *state)
{
    struct duel_why why = {{0}, {0}, {0}};
    int code = state->wrong ? EXIT_WRONG : state->broken ? EXIT_DEVICE : state->measured ? EXIT_DONE : EXIT_UNMEASURED;
    if (interrupt_pending())
        code = EXIT_SIGNAL + interrupt_pending();
    if (code == EXIT_DONE && state->trouble.status != DUEL_OK)
        code = message_exit_code(state->trouble.status);
    const char *outcome = interrupt_pending() ? "interrupted" : code == EXIT_DONE ? "done" : "failed";
    trouble_note(&state->trouble, runfile_end(state->file, outcome, code, &why), &why);
    if (!state->options->quiet && runfile_dir(state->file))
        fprintf(state->talk, "\nResults: %s/run.jsonl, %s/run.csv%s\n", runfile_dir(state->file),
                runfile_dir(state->file), state->options->no_plots ? "" : "; picture: plots/transfer.png");
    fflush(state->talk);
    if (interrupt_pending())
        message_note("duel: interrupted; what was measured until then is kept");
    if (state->trouble.status != DUEL_OK)
        message_error(state->trouble.status, &state->trouble.why);
    return code == EXIT_DONE && state->trouble.status != DUEL_OK ? message_exit_code(state->trouble.status) : code;
}

static int run(const struct duel_options *options, const char *command_line)
{
    struct transfer_state *state = calloc(1, sizeof *state);
    struct duel_why why = {{0}, {0}, {0}};
    bool gpu = false;
    int code;
    if (!state)
        return message_error(DUEL_ENOMEM, &why);
    state->options = options;
    state->talk = head_talk(options);
    interrupt_install();
    registry_load(&state->registry);
    enum duel_status status = plan_check_names(&state->registry, options, &why);
    if (status == DUEL_OK)
        status = check_device(state, &gpu, &why);
    if (status == DUEL_OK)
        status = head_open(&state->file, options, &state->registry, &transfer_sheet, command_line, &why);
    if (status == DUEL_OK) {
        for (int i = 0; i < state->registry.count && !interrupt_pending(); i++)
            if (chosen(state, &state->registry.place[i], gpu))
                measure_device(state, &state->registry.place[i]);
        code = finish(state);
    } else {
        code = message_error(status, &why);
        code = status == DUEL_EIO ? EXIT_USAGE : code; /* a file or directory named by the user, before any work */
    }
    free_rows(state);
    runfile_close(state->file);
    registry_close(&state->registry);
    free(state);
    return code;
}

static const char *const accepted[] = {"--bytes",    "--device",    "--out=reports/transfer",
                                       "--json",     "--csv",       "--terminal",
                                       "--no-plots", "--target-ci", "--min-samples",
                                       "--min-time", "--timeout",   "--seed",
                                       "--identify", "--quiet",     NULL};
const struct duel_command transfer_command = {
    .name = "transfer",
    .summary = "Copies between host and device by size: rate, fixed cost, half bandwidth, percent of the link",
    .usage = "transfer [OPTIONS]",
    .example = "duel transfer\n"
               "          duel transfer --device cuda:0 --bytes 4K:64M:x2 --terminal",
    .detail =
        "To the device, from it, and both at once; from pageable and pinned host memory; and there and back in\n"
        "pieces that overlap. Every byte is compared before and after. Without a GPU it copies within host memory,\n"
        "which shows the shape of the curve but no link.",
    .options = accepted,
    .run = run,
};
