/* transfer_measure.c: one device: which sizes fit memory and budget, their copies, and what is shown of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/transfer_state.h"
#include "bench/harness/copies.h"
#include "bench/harness/disturbance.h"
#include "bench/harness/interrupt.h"
#include "bench/report/console.h"
#include "bench/report/transfer.h"

#define LIMIT_S 3.0    /* per way and size, unless --timeout says otherwise */
#define MEMORY_SHARE 2 /* at most one part in so many of what is free */
#define MOST_SIZES 64  /* of one run: 2^46 is the largest and 2 the least factor */

static void show_step(void *context, int64_t bytes, const char *doing)
{
    struct transfer_state *state = context;
    char size[32];
    link_poll(&state->watch);
    format_bytes((double)bytes, size, sizeof size);
    progress_show(&state->progress, size, doing);
}

static void set_limit(struct duel_sampler_rules *rules, double limit_s)
{
    rules->timeout_s = limit_s;
    rules->warmup_s = fmin(0.05, limit_s / 4);
    rules->warmup_max_s = fmin(0.25, limit_s / 4);
}

static struct duel_sampler_rules rules_of(const struct duel_options *options)
{
    struct duel_sampler_rules rules = {
        .target_ci = options->target_ci,
        .min_samples = options->min_samples,
        .max_samples = options->min_samples > 1000 ? options->min_samples : 1000,
        .min_time_s = options->min_time_s,
    };
    set_limit(&rules, options_limit_s(options, LIMIT_S));
    return rules;
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
        state->clean = state->clean || (row->status == ROW_OK && row->clean);
        state->wrong = state->wrong || (row->status == ROW_FAILED && row->cause == DUEL_EVERIFY);
        state->broken = state->broken || row->status == ROW_FAILED;
        trouble_note(&state->trouble, runfile_row(state->file, &transfer_sheet, row, &why), &why);
    }
    state->count += (size_t)count;
}

static double host_now(const struct duel_place *place)
{
    return place->backend->now(place->device);
}

/* Rows without a time, for a size that --budget leaves no time for. */
static void drop_size(const struct transfer_state *state, const struct duel_copies *copies, int64_t bytes,
                      double making_s, struct duel_transfer *rows)
{
    struct duel_copy_kind kinds[COPIES_MOST];
    const int each = copies_kinds(copies->place->backend, kinds);
    const double left_s = fmax(0, copies->deadline - host_now(copies->place));
    for (int i = 0; i < each; i++) {
        char reason[200];
        snprintf(reason, sizeof reason,
                 "making, proving and copying it would take about %.2g s, and %.2g s of the budget of %g s are left "
                 "(--budget)",
                 making_s, left_s, state->options->budget_s);
        transfer_init(&rows[i], kinds[i].way, copies_memory_name(kinds[i].memory), bytes);
        snprintf(rows[i].device, sizeof rows[i].device, "%s", copies->place->id);
        transfer_fail(&rows[i], DUEL_SKIP, reason);
    }
}

static void measure_sizes(struct transfer_state *state, struct duel_copies *copies, const int64_t *size, int sizes)
{
    struct duel_copy_kind kinds[COPIES_MOST];
    const int each = copies_kinds(copies->place->backend, kinds);
    const double limit_s = copies->rules.timeout_s;
    double rate = COPIES_MAKING_BYTES_PER_S;
    progress_start(&state->progress, sizes, sizes * (double)each, state->options->quiet);
    for (int i = 0; i < sizes && !interrupt_pending(); i++) {
        struct duel_transfer *rows = state->rows + state->count;
        const double start = host_now(copies->place);
        const struct duel_copies_share share =
            copies_share(size + i, sizes - i, each, copies->deadline - start, rate, limit_s);
        set_limit(&copies->rules, share.timeout_s);
        if (share.fit > 0)
            copies_measure(copies, size[i], rows);
        else
            drop_size(state, copies, size[i], copies_making_s(size[i], each, rate), rows);
        if (share.fit > 0)
            rate = copies_rate(rows, each, host_now(copies->place) - start, rate);
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
    struct duel_plot_request request = {runfile_dir(state->file), machine, state->options->terminal, state->talk,
                                        &state->drawer};
    if (state->options->no_plots || !request.dir || !state->measured)
        return;
    state->drawer.interrupt = interrupt_pending;
    enum duel_status status = plot_transfer(&request, &report, &why);
    if (status == DUEL_SKIP)
        message_note("duel: %s; %s", why.seen, why.next);
    else
        trouble_note(&state->trouble, status, &why);
    state->pictures = state->pictures || status == DUEL_OK;
}

void transfer_free_rows(struct transfer_state *state)
{
    for (size_t i = 0; i < state->count; i++)
        transfer_free(&state->rows[i]);
    free(state->rows);
    state->rows = NULL;
    state->count = 0;
}

void transfer_measure(struct transfer_state *state, struct duel_place *place)
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
    struct duel_copies copies = {.place = place,
                                 .rules = rules_of(state->options),
                                 .seed = state->options->seed,
                                 .interruptions = disturbance_count,
                                 .deadline = state->deadline,
                                 .link_gbps = link.gbps,
                                 .step = show_step,
                                 .context = state};
    measure_sizes(state, &copies, size, sizes);
    link_after(&state->watch, &link);
    report_device(state, place, &link);
    transfer_free_rows(state);
}
