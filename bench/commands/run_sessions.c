/* run_sessions.c: `duel run --sessions N`. The unit of replication for a claim across runs is the session, a fresh
 * process: memory layout, thread placement and clocks are drawn anew in each. Every session runs every case, so that
 * what changes on the machine from one to the next hits all implementations alike. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/head.h"
#include "bench/commands/run_state.h"
#include "bench/commands/sessions.h"
#include "bench/harness/interrupt.h"
#include "bench/matrix/dtype.h"
#include "bench/record/record.h"
#include "bench/record/restore.h"
#include "bench/report/console.h"
#include "bench/report/report.h"

/* What the parent knows besides the state that every run has. */
struct gathering {
    struct run_state *state;
    const struct words *given; /* after `duel run` */
    struct session_cases cases;
    bool tell;   /* tables and where the files are */
    int merged;  /* sessions that left a run file */
    int worst;   /* exit code of the sessions that were gone on from */
    int stopped; /* exit code of the session that ended it all; 0: none did */
};

/* ---- one session's run file into that of all -------------------------------------------------------------------- */

static enum duel_status copy_record(struct run_state *state, json_t *record, int session, struct duel_why *why)
{
    struct duel_record copy = {json_incref(record), false};
    if (session > 0)
        record_count(&copy, "session", session, NULL);
    return runfile_put(state->file, &copy, why);
}

static enum duel_status take_result(struct gathering *all, const struct duel_reader *reader, json_t *record,
                                    int session, struct duel_why *why)
{
    struct duel_result row;
    enum duel_status status = restore_result(&row, reader, record, why);
    row.session = session;
    if (status == DUEL_OK && !session_cases_add(&all->cases, &row, session))
        status = duel_fail(why, DUEL_ENOMEM, "the sessions cannot be put together", "close other programs",
                           "out of memory for the rows of session %d", session);
    if (status == DUEL_OK)
        status = runfile_result(all->state->file, &row, why);
    result_free(&row);
    return status;
}

/* The highest of all sessions, for the plots. */
static void take_ceiling(struct run_state *state, const json_t *record)
{
    struct duel_ceiling own = {.gflops = reader_real(record, "gflops")};
    const char *device = reader_text(record, "device"), *in = reader_text(record, "precision");
    int64_t threads = reader_count(record, "threads");
    own.threads = threads > 0 ? (int)threads : 0;
    own.in = in ? dtype_parse(in) : DUEL_NONE;
    snprintf(own.device, sizeof own.device, "%s", device ? device : "");
    size_t i = 0;
    while (i < state->ceilings && (strcmp(state->ceiling[i].device, own.device) != 0 ||
                                   state->ceiling[i].in != own.in || state->ceiling[i].threads != own.threads))
        i++;
    if (i == sizeof state->ceiling / sizeof *state->ceiling || !(own.gflops > 0))
        return;
    if (i == state->ceilings)
        state->ceiling[state->ceilings++] = own;
    state->ceiling[i].gflops = fmax(state->ceiling[i].gflops, own.gflops);
}

/* The pictures name the machine. */
static void take_device(struct run_state *state, const json_t *record)
{
    struct duel_device_info *info = &state->registry.place[0].info;
    const char *id = reader_text(record, "id"), *name = reader_text(record, "name");
    if (!id || strcmp(id, "cpu") != 0)
        return;
    snprintf(info->name, sizeof info->name, "%s", name ? name : "CPU");
    info->processors = (int)reader_count(record, "processors");
}

/* Host and devices are the same in all sessions, and what a session says of itself as a whole stays in its own file. */
static enum duel_status take_record(struct gathering *all, const struct duel_reader *reader, json_t *record,
                                    int session, struct duel_why *why)
{
    const bool machine = reader_is(record, "host") || reader_is(record, "device");
    if (reader_is(record, "run") || reader_is(record, "end") || (machine && all->merged > 0))
        return DUEL_OK;
    if (reader_is(record, "result"))
        return take_result(all, reader, record, session, why);
    if (reader_is(record, "ceiling"))
        take_ceiling(all->state, record);
    if (reader_is(record, "device"))
        take_device(all->state, record);
    return copy_record(all->state, record, machine ? 0 : session, why);
}

static void take_session(struct gathering *all, int session)
{
    struct duel_reader *reader = NULL;
    struct duel_why why = {{0}, {0}, {0}};
    json_t *record = NULL;
    char *dir = session_dir(all->state->options.out, session);
    enum duel_status status = dir ? reader_open(&reader, dir, NULL, &why) : DUEL_ENOMEM;
    while (status == DUEL_OK && (status = reader_next(reader, &record, &why)) == DUEL_OK && record) {
        status = take_record(all, reader, record, session, &why);
        json_decref(record);
    }
    if (reader && reader_dropped(reader))
        message_note("duel: session %d: %s", session, reader_dropped(reader));
    all->merged += reader != NULL;
    run_note_trouble(all->state, status, &why);
    reader_close(reader);
    free(dir);
}

/* ---- one after the other ---------------------------------------------------------------------------------------- */

/* The worst of them is told at the end; a wrong result is worse than an error, and that than no clean samples. */
static bool goes_on(struct gathering *all, int code)
{
    static const int known[] = {EXIT_DONE, EXIT_UNMEASURED, EXIT_DEVICE, EXIT_WRONG};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i] == all->worst)
            all->worst = code == EXIT_DONE ? all->worst : code;
        if (known[i] == code)
            return true;
    }
    all->stopped = code;
    return false;
}

static void run_all(struct gathering *all)
{
    struct run_state *state = all->state;
    const int sessions = all->cases.sessions;
    bool going = true;
    progress_start(&state->progress, sessions, sessions, state->options.quiet);
    for (int session = 1; session <= sessions && going && !interrupt_pending(); session++) {
        char where[60];
        int code;
        struct duel_why why = {{0}, {0}, {0}};
        snprintf(where, sizeof where, "session %d of %d", session, sessions);
        progress_show(&state->progress, where, "in a fresh process");
        run_note_trouble(state, session_run(&state->options, all->given, session, &code, &why), &why);
        going = goes_on(all, code);
        progress_clear(&state->progress);
        if (going || interrupt_pending())
            take_session(all, session);
        progress_group_done(&state->progress, 1);
    }
}

/* ---- the end ---------------------------------------------------------------------------------------------------- */

/* People see what most sessions have: sizes that a single session tried on its search for a break-even point are in the
 * run file. A failure is always shown. */
static bool is_shown(const struct gathering *all, const struct session_case *item)
{
    return 2 * item->rows >= all->merged || item->combined.status == ROW_FAILED;
}

static void combine(struct gathering *all)
{
    struct run_state *state = all->state;
    struct duel_why why = {{0}, {0}, {0}};
    struct session_cases *cases = &all->cases;
    state->results = malloc((cases->count + 1) * sizeof *state->results);
    if (!state->results || !session_cases_combine(cases, state->options.base, state->options.seed)) {
        duel_fail(&why, DUEL_ENOMEM, "the rows of the single sessions are in the run file all the same",
                  "close other programs", "out of memory for the rows of all sessions together");
        run_note_trouble(state, DUEL_ENOMEM, &why);
        return;
    }
    for (size_t i = 0; i < cases->count; i++) {
        run_note_trouble(state, runfile_row(state->file, &sessions_sheet, &cases->item[i].record, &why), &why);
        if (is_shown(all, &cases->item[i]))
            state->results[state->count++] = cases->item[i].combined;
    }
}

static int code_of(const struct gathering *all)
{
    int code = run_exit_code(all->state);
    if (all->stopped && !interrupt_pending())
        return all->stopped;
    return code == EXIT_DONE ? all->worst : code;
}

static bool any_timed(const struct run_state *state)
{
    for (size_t i = 0; i < state->count; i++)
        if (result_timed(&state->results[i]))
            return true;
    return false;
}

static void tell_table(const struct gathering *all)
{
    const struct run_state *state = all->state;
    struct duel_console console = console_of(state->talk);
    char text[200];
    if (state->options.quiet || all->merged == 0)
        return;
    table_rows(state->talk, state->results, state->count);
    if (!any_timed(state))
        snprintf(text, sizeof text, "%d session%s, each a fresh process; what is not timed has no medians", all->merged,
                 all->merged == 1 ? "" : "s");
    else
        snprintf(text, sizeof text,
                 "medians of %d session%s, each a fresh process; %s%% is the 95 %% interval over sessions%s",
                 all->merged, all->merged == 1 ? "" : "s", console.utf8 ? "\302\261" : "+-",
                 all->merged == 1 ? ", which one session cannot give" : "");
    console_wrap(state->talk, &console, 2, SHADE_DIM, text);
}

static int finish(struct gathering *all)
{
    struct run_state *state = all->state;
    struct duel_why why = {{0}, {0}, {0}};
    combine(all);
    run_write_plots(state);
    int code = code_of(all);
    const char *outcome = interrupt_pending() ? "interrupted" : code == EXIT_DONE ? "done" : "failed";
    run_note_trouble(state, runfile_end(state->file, outcome, code, &why), &why);
    if (all->merged > 0)
        run_write_page(state);
    code = code_of(all);
    if (all->stopped && !interrupt_pending())
        return code; /* the session has told why */
    state->options.quiet = state->options.quiet || !all->tell;
    tell_table(all);
    run_tell_outcome(state, code);
    return code;
}

/* What is wrong with the command line shows before an earlier run is moved away. */
static enum duel_status prepare(struct run_state *state, const struct words *given, const char *command_line, int *code,
                                struct duel_why *why)
{
    const struct duel_options *options = &state->options;
    struct duel_run_info run = {
        .command = command_line, .version = commands_version(), .seed = options->seed, .identify = options->identify};
    enum duel_status status = session_run(options, given, 0, code, why);
    if (status != DUEL_OK || (*code != EXIT_DONE && *code != EXIT_UNMEASURED))
        return status;
    *code = EXIT_DONE;
    run_info_stamp(&run);
    status = runfile_open(&state->file, options->out, options->json, options->csv, why);
    return status == DUEL_OK ? runfile_run(state->file, &run, why) : status;
}

int run_sessions(const struct duel_options *options, const struct words *given, bool tell, const char *command_line)
{
    struct run_state *state = calloc(1, sizeof *state);
    struct gathering all = {
        .state = state, .given = given, .tell = tell, .cases = {.sessions = (int)options->sessions}};
    struct duel_why why = {{0}, {0}, {0}};
    int code = EXIT_DONE;
    if (!state)
        return message_error(DUEL_ENOMEM, &why);
    state->options = *options;
    state->story = run_is_story(options);
    state->talk = head_talk(options);
    state->input.given = options->input[0] != NULL;
    interrupt_install();
    enum duel_status status = prepare(state, given, command_line, &code, &why);
    if (status != DUEL_OK) {
        code = message_refusal(status, &why);
    } else if (code == EXIT_DONE) {
        run_all(&all);
        code = finish(&all);
    }
    runfile_close(state->file);
    session_cases_free(&all.cases); /* whose rows the results are */
    free(state->results);
    free(state);
    return code;
}
