/* history.c: what many runs say over time. */
#include <stdlib.h>
#include <string.h>

#include "bench/commands/commands.h"
#include "bench/commands/head.h"
#include "bench/commands/history_state.h"
#include "bench/commands/past.h"
#include "bench/harness/interrupt.h"
#include "bench/matrix/dtype.h"
#include "bench/report/grid.h"

#define MOST_TRENDS 8 /* more are listed */

/* ---- which series ----------------------------------------------------------------------------------------------- */

static bool has_size(const struct duel_options *options, const struct history_series *series)
{
    bool any = options->shape_count == 0;
    for (int i = 0; i < options->shape_count; i++) {
        const struct duel_shape *shape = &options->shape[i];
        any = any || (shape->m == series->m && (shape->given == 1 || shape->n == series->n) &&
                      ((shape->given > 0 && shape->given < 3) || shape->k == series->k) &&
                      (shape->given < 4 || shape->count == series->count));
    }
    return any;
}

static bool has_precision(const struct duel_options *options, const struct history_series *series)
{
    bool any = options->precision_count == 0;
    for (int i = 0; i < options->precision_count; i++)
        any = any || strcmp(dtype_name(options->precision[i]), series->precision) == 0;
    return any;
}

static bool has_device(const struct duel_options *options, const struct history_series *series)
{
    const char *device = options->device;
    const size_t length = device ? strlen(device) : 0;
    return !device || strcmp(device, "all") == 0 ||
           (strncmp(device, series->device, length) == 0 && strchr(":", series->device[length]));
}

static enum duel_status see_series(void *context, const struct history_series *series, struct duel_why *why)
{
    struct history_state *state = context;
    if (!registry_selected(state->options->pattern, state->options->pattern_count, series->implementation) ||
        !has_size(state->options, series) || !has_precision(state->options, series) ||
        !has_device(state->options, series))
        return DUEL_OK;
    if (state->count == state->capacity) {
        const size_t more = state->capacity ? 2 * state->capacity : 64;
        struct history_series *grown = realloc(state->series, more * sizeof *grown);
        if (!grown)
            return duel_fail(why, DUEL_ENOMEM, "the history is not shown", "close other programs",
                             "out of memory for %zu series", more);
        state->series = grown;
        state->capacity = more;
    }
    state->series[state->count++] = *series;
    return DUEL_OK;
}

/* ---- lists ------------------------------------------------------------------------------------------------------ */

static void list_series(const struct history_state *state)
{
    const struct duel_console console = console_of(state->talk);
    struct duel_grid grid = {.left = 1 | 2};
    grid_row(&grid, SHADE_DIM);
    grid_cell(&grid, "series");
    grid_cell(&grid, "on");
    grid_cell(&grid, "sessions");
    grid_cell(&grid, "last (UTC)");
    for (size_t i = 0; i < state->count; i++) {
        const struct history_series *series = &state->series[i];
        char title[400], day[24];
        trend_title(series, title, sizeof title);
        trend_time_words(series->last, false, day, sizeof day);
        grid_row(&grid, SHADE_PLAIN);
        grid_cell(&grid, "%s", title);
        grid_cell(&grid, "%s", strcmp(series->device, "cpu") == 0 ? series->host : series->device_name);
        grid_cell(&grid, "%lld", (long long)series->sessions);
        grid_cell(&grid, "%s", day);
    }
    grid_print(&grid, state->talk, &console);
    grid_free(&grid);
    if (state->count > MOST_TRENDS && !state->csv_wanted)
        fprintf(state->talk,
                "\n%zu series; up to %d are shown with their trend: narrow them down with a pattern, --n, "
                "--precision or --device.\n",
                state->count, MOST_TRENDS);
}

static enum duel_status put_run(void *context, const struct history_run *run, struct duel_why *why)
{
    char when[24], command[200];
    (void)context;
    (void)why;
    trend_time_words(run->started, true, when, sizeof when);
    format_plain(run->command ? run->command : "", command, sizeof command);
    printf("%s  %s  %5lld results  %8lld bytes  %-11s  %s\n", run->id, when, (long long)run->results,
           (long long)run->bytes, run->outcome ? run->outcome : "cut short", command);
    return DUEL_OK;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static int show_trends(struct history_state *state)
{
    struct duel_why why = {{0}, {0}, {0}};
    enum duel_status status = history_each_series(state->history, see_series, state, &why);
    if (status == DUEL_OK && state->count == 0)
        status = duel_fail(&why, DUEL_EINVAL, "there is nothing to show",
                           "`duel history` without arguments lists what is there",
                           "no series in the history matches what was asked for");
    if (status == DUEL_OK && !state->options->quiet && state->count > MOST_TRENDS)
        list_series(state);
    if (status == DUEL_OK && (state->count <= MOST_TRENDS || state->csv_wanted))
        status = history_show(state, state->count <= MOST_TRENDS, &why);
    if (interrupt_pending())
        return EXIT_SIGNAL + interrupt_pending();
    return status == DUEL_OK ? EXIT_DONE : message_error(status, &why);
}

static bool is_word(const struct duel_options *options, const char *word)
{
    return options->pattern_count > 0 && strcmp(options->pattern[0], word) == 0;
}

static int run(const struct duel_options *options, const char *command_line)
{
    struct history_state state = {.options = options, .talk = head_talk(options), .csv_wanted = options->csv != NULL};
    struct duel_why why = {{0}, {0}, {0}};
    char db[4096];
    int code = EXIT_DONE;
    (void)command_line;
    const bool check = is_word(options, "check");
    enum duel_status status = past_path(options, db, sizeof db, &why);
    if (status == DUEL_OK)
        status = history_open(&state.history, db, check ? HISTORY_CHECK : HISTORY_READ, &why);
    if (status != DUEL_OK)
        return message_refusal(status, &why);
    interrupt_install();
    if (is_word(options, "export"))
        code = past_export(state.history, options);
    else if (is_word(options, "runs") && (status = history_runs(state.history, put_run, NULL, &why)) != DUEL_OK)
        code = message_error(status, &why);
    else if (check)
        printf("%s is whole\n", db);
    else if (!is_word(options, "runs"))
        code = show_trends(&state);
    history_close(state.history);
    free(state.series);
    return code;
}

static const char *const accepted[] = {
    "--db",  "--n",        "--shape",    "--precision", "--device", "--out=reports/history",
    "--csv", "--terminal", "--no-plots", "--quiet",     NULL};
const struct duel_command history_command = {
    .name = "history",
    .summary = "Times over many runs and driver versions: where they changed, and what changed with them",
    .usage = "history [PATTERN... | runs | export [RUN...] | check] [OPTIONS]",
    .example = "duel import reports/latest\n"
               "          duel history gpu/gemm/cublas --n 4096\n"
               "          duel history export --out all-runs",
    .detail =
        "A point is a session: the median of a fresh process. A change of level is one that chance alone would show\n"
        "in about one of a hundred series, and of at least 1 %; it takes about five sessions on each side. `runs`\n"
        "lists the runs, `export` gives their files back byte for byte, `check` reads every page of the data base.",
    .options = accepted,
    .patterns = true,
    .run = run,
};
