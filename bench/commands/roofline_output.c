/* roofline_output.c: tables, pictures, and how the command ends. */
#include <string.h>

#include "bench/commands/roofline_state.h"
#include "bench/harness/interrupt.h"
#include "bench/report/roofline.h"

static void report_device(struct roofline_state *state, const struct duel_place *place, const char *picture)
{
    struct duel_why why = {{0}, {0}, {0}};
    char machine[200];
    struct duel_roofline_report report = {.device = place->id,
                                          .device_name = place->info.name,
                                          .picture = picture,
                                          .threads = strcmp(place->id, "cpu") == 0 ? place->info.processors : 0,
                                          .roofs = state->roofs.roof,
                                          .roof_count = state->roofs.count,
                                          .placements = state->placements,
                                          .placement_count = state->count};
    if (!state->options.quiet)
        table_roofline(state->talk, &report);
    head_machine(&state->registry, machine, sizeof machine);
    struct duel_plot_request request = {runfile_dir(state->file), machine, state->options.terminal, state->talk,
                                        &state->drawer};
    if (state->options.no_plots || !request.dir)
        return;
    state->drawer.interrupt = interrupt_pending;
    enum duel_status status = plot_roofline(&request, &report, &why);
    if (status == DUEL_SKIP)
        message_note("duel: %s; %s", why.seen, why.next);
    else
        trouble_note(&state->trouble, status, &why);
    state->pictures = state->pictures || status == DUEL_OK;
}

void roofline_report(struct roofline_state *state)
{
    for (int i = 0; i < state->registry.count; i++) {
        const struct duel_place *place = &state->registry.place[i];
        char picture[64];
        snprintf(picture, sizeof picture, "roofline-%s", place->id);
        for (char *c = picture; *c; c++)
            *c = *c == ':' ? '-' : *c;
        if (roofline_measures(state, place))
            report_device(state, place, picture);
    }
    if (!state->options.quiet)
        table_skipped(state->talk, state->results, state->count);
}

static int exit_code(const struct roofline_state *state)
{
    bool placed = false;
    int code = EXIT_DONE;
    for (size_t i = 0; i < state->count; i++) {
        const struct duel_placement *row = &state->placements[i];
        placed = placed || (row->status == ROW_OK && state->results[i].clean);
        if (row->status == ROW_FAILED && code != EXIT_WRONG)
            code = row->cause == DUEL_EVERIFY ? EXIT_WRONG : EXIT_DEVICE;
    }
    if (interrupt_pending())
        return EXIT_SIGNAL + interrupt_pending();
    if (code == EXIT_DONE && state->trouble.status != DUEL_OK)
        code = message_exit_code(state->trouble.status);
    return code == EXIT_DONE && !placed ? EXIT_UNMEASURED : code;
}

int roofline_finish(struct roofline_state *state)
{
    struct duel_why why = {{0}, {0}, {0}};
    int code = exit_code(state);
    const char *outcome = interrupt_pending() ? "interrupted" : code == EXIT_DONE ? "done" : "failed";
    trouble_note(&state->trouble, runfile_end(state->file, outcome, code, &why), &why);
    head_tell_files(state->talk, state->file, &state->options, state->pictures);
    if (interrupt_pending())
        message_note("duel: interrupted; what was measured until then is kept");
    trouble_tell(&state->trouble, state->file);
    bool placed = false;
    for (size_t i = 0; i < state->count; i++)
        placed = placed || state->placements[i].status == ROW_OK;
    if (code == EXIT_UNMEASURED)
        message_note(placed ? "duel: no row has enough samples without interruption by other work: end it, or see "
                              "`duel doctor`"
                            : "duel: not one case could be placed under a ceiling; each row above says why");
    return exit_code(state);
}
