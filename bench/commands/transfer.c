/* transfer.c: how long bytes take between host and device, by size. */
#include <math.h>
#include <stdlib.h>

#include "bench/commands/transfer_state.h"
#include "bench/harness/interrupt.h"
#include "bench/harness/plan.h"

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
    int code = state->wrong ? EXIT_WRONG : state->broken ? EXIT_DEVICE : state->clean ? EXIT_DONE : EXIT_UNMEASURED;
    if (interrupt_pending())
        code = EXIT_SIGNAL + interrupt_pending();
    if (code == EXIT_DONE && state->trouble.status != DUEL_OK)
        code = message_exit_code(state->trouble.status);
    const char *outcome = interrupt_pending() ? "interrupted" : code == EXIT_DONE ? "done" : "failed";
    trouble_note(&state->trouble, runfile_end(state->file, outcome, code, &why), &why);
    head_tell_files(state->talk, state->file, state->options, state->pictures);
    if (interrupt_pending())
        message_note("duel: interrupted; what was measured until then is kept");
    trouble_tell(&state->trouble, state->file);
    if (code == EXIT_UNMEASURED)
        message_note(state->measured ? "duel: no row has enough samples without interruption by other work: end it, or "
                                       "see `duel doctor`"
                                     : "duel: not one size could be measured; each row above says why");
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
        state->deadline =
            options->budget_s > 0
                ? state->registry.place[0].backend->now(state->registry.place[0].device) + options->budget_s
                : INFINITY;
        for (int i = 0; i < state->registry.count && !interrupt_pending(); i++)
            if (chosen(state, &state->registry.place[i], gpu))
                transfer_measure(state, &state->registry.place[i]);
        code = finish(state);
    } else {
        code = message_refusal(status, &why);
    }
    transfer_free_rows(state);
    runfile_close(state->file);
    registry_close(&state->registry);
    free(state);
    return code;
}

static const char *const accepted[] = {"--bytes",    "--device",    "--out=reports/transfer",
                                       "--json",     "--csv",       "--terminal",
                                       "--no-plots", "--target-ci", "--min-samples",
                                       "--min-time", "--timeout",   "--budget",
                                       "--seed",     "--identify",  "--quiet",
                                       NULL};
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
    .computes = true,
    .run = run,
};
