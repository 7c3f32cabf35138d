/* run_output.c: how a run ends: pictures, exit code, and what is said about it. */
#include "bench/commands/run_state.h"
#include "bench/harness/interrupt.h"
#include "bench/report/console.h"
#include "bench/report/report.h"
#include "bench/report/story.h"

void run_note_trouble(struct run_state *state, enum duel_status status, const struct duel_why *why)
{
    trouble_note(&state->trouble, status, why);
}

void run_write_plots(struct run_state *state)
{
    char machine[200];
    struct duel_why why = {{0}, {0}, {0}};
    head_machine(&state->registry, machine, sizeof machine);
    struct duel_plot_request request = {runfile_dir(state->file), machine, state->options.terminal, state->talk,
                                        &state->drawer};
    if (state->options.no_plots || !request.dir)
        return;
    state->drawer.interrupt = interrupt_pending;
    enum duel_status status = (state->story ? story_write : plots_write)(&request, state->results, state->count,
                                                                         state->ceiling, state->ceilings, &why);
    state->pictures = status == DUEL_OK;
    if (status == DUEL_SKIP)
        message_note("duel: %s; %s", why.seen, why.next);
    else
        run_note_trouble(state, status, &why);
}

static bool is_disturbed(const struct duel_result *row)
{
    return result_timed(row) && !row->clean;
}

static size_t count_rows(const struct run_state *state, bool (*which)(const struct duel_result *row))
{
    size_t count = 0;
    for (size_t i = 0; i < state->count; i++)
        count += which(&state->results[i]);
    return count;
}

static bool is_verified(const struct duel_result *row)
{
    return row->status == ROW_OK || row->status == ROW_VERIFIED;
}

int run_exit_code(const struct run_state *state)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < state->count; i++) {
        const struct duel_result *row = &state->results[i];
        if (row->status == ROW_FAILED && code != EXIT_WRONG)
            code = row->cause == DUEL_EVERIFY  ? EXIT_WRONG
                   : row->cause == DUEL_EINVAL ? message_exit_code(DUEL_EINVAL)
                                               : EXIT_DEVICE;
    }
    if (interrupt_pending())
        return EXIT_SIGNAL + interrupt_pending();
    if (code == EXIT_DONE && state->trouble.status != DUEL_OK)
        code = message_exit_code(state->trouble.status);
    const size_t timed = count_rows(state, result_timed), disturbed = count_rows(state, is_disturbed);
    const bool nothing = count_rows(state, is_verified) == 0 || (timed > 0 && disturbed == timed);
    return code == EXIT_DONE && nothing ? EXIT_UNMEASURED : code;
}

/* A --base that gave no row leaves every speed-up empty; that has a reason. */
static void tell_base(const struct run_state *state)
{
    for (size_t i = 0; i < state->count; i++)
        if (state->results[i].base[0])
            return;
    if (state->options.base && count_rows(state, result_timed) > 0)
        message_note("duel: there are no speed-ups, because no row of --base %s was measured; add it to the patterns",
                     state->options.base);
}

/* Times that other work has spoilt are shown, but not without saying so. */
static void tell_disturbance(const struct run_state *state)
{
    double foreign = 0;
    const size_t timed = count_rows(state, result_timed), disturbed = count_rows(state, is_disturbed);
    for (size_t i = 0; i < state->count; i++)
        if (result_timed(&state->results[i]) && state->results[i].foreign_cpu_share > foreign)
            foreign = state->results[i].foreign_cpu_share;
    if (foreign > 0.1)
        message_note("duel: other work took up to %.0f %% of the CPU time: these times are too long and vary; end it, "
                     "or see `duel doctor`",
                     100 * foreign);
    if (disturbed > 0)
        message_note("duel: %zu of %zu rows have too few samples without interruption: all samples were used "
                     "(\"clean\": false in the run file)",
                     disturbed, timed);
}

/* Short intervals are less certain than their statistics say; the reason is the same for all such rows of a run. */
static void tell_intervals(const struct run_state *state)
{
    for (size_t i = 0; i < state->count; i++)
        if (result_timed(&state->results[i]) && state->results[i].interval_note[0]) {
            message_note("duel: %s, %s", state->results[i].implementation, state->results[i].interval_note);
            return;
        }
}

/* What --budget left out beside rows, which have their own reason. */
static void tell_budget(const struct run_state *state)
{
    if (state->probes_dropped && state->ceilings == 0)
        message_note("duel: the budget of %g s (--budget) left no time to measure arithmetic peaks: no row was checked "
                     "against one, and the pictures show none",
                     state->options.budget_s);
    else if (state->probes_dropped)
        message_note(
            "duel: the budget of %g s (--budget) left no time for some tries of the arithmetic peaks: they may "
            "be too low",
            state->options.budget_s);
}

void run_tell_outcome(struct run_state *state, int code)
{
    FILE *talk = state->talk;
    if (!state->options.quiet)
        table_skipped(talk, state->results, state->count);
    if (state->input.given && !state->options.quiet)
        table_steps(talk, state->results, state->count);
    if (!state->options.quiet) {
        table_summary(talk, state->results, state->count);
        if (state->story && state->pictures)
            story_tell(talk, state->results, state->count);
        head_tell_files(talk, state->file, &state->options, state->pictures);
        run_tell_page(state);
        if (state->input.writer[0] && state->input.write_status == DUEL_OK) {
            char plain[4096];
            format_plain(state->input.output_path, plain, sizeof plain);
            fprintf(talk, "Answer:  %s, by %s\n", plain, state->input.writer);
        }
    }
    fflush(talk);
    if (interrupt_pending())
        message_note("duel: interrupted; what was measured until then is kept");
    if (!state->options.quiet) {
        tell_base(state);
        tell_disturbance(state);
        tell_budget(state);
        tell_intervals(state);
    }
    trouble_tell(&state->trouble, state->file);
    if (code == EXIT_UNMEASURED && count_rows(state, is_verified) == 0)
        message_note("duel: not one case could be measured; each row above says why");
}
