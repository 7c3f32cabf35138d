/* run.c: verify, measure, record, plot. Bare `duel run` is the one-minute class demonstration. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/commands.h"
#include "bench/commands/effects.h"
#include "bench/commands/head.h"
#include "bench/commands/run_state.h"
#include "bench/harness/interrupt.h"
#include "bench/report/report.h"
#include "bench/workload/shape.h"

static double group_cost(const struct duel_group *group)
{
    double cost = 0; /* the reference grows with the work, the samples with the number of cases */
    for (int i = 0; i < group->count; i++)
        if (!group->cases[i].skip[0])
            cost += 1.0;
    return cost;
}

static void show_progress(void *context, const struct duel_group *group, const char *doing)
{
    struct run_state *state = context;
    char where[160], size[100];
    run_telemetry_poll(state); /* a good moment: between two samples */
    snprintf(where, sizeof where, "%s %s", group->workload->name,
             shape_words(group->workload->name, &group->problem, size, sizeof size));
    progress_show(&state->progress, where, doing);
}

static void take_answer(void *context, const struct duel_case *item, const struct duel_matrix *output)
{
    struct run_state *state = context;
    input_answer(&state->input, item, output);
}

static void start_runner(struct run_state *state)
{
    run_set_runner(state);
    state->runner.options.progress = show_progress;
    state->runner.options.answer = take_answer;
    state->runner.options.context = state;
}

static void drop_group(struct run_state *state, struct duel_group *group)
{
    const bool shared = state->runner.options.budget_shared;
    for (int i = 0; i < group->count; i++)
        if (!group->cases[i].skip[0])
            snprintf(group->cases[i].skip, sizeof group->cases[i].skip,
                     "%sthe budget of %g s was used up before this size (--budget)",
                     shared ? "this workload's part of " : "", state->options.budget_s);
}

/* Is this the first row of its implementation? Its one-time costs are told once. */
static bool is_first(const struct run_state *state, const struct duel_result *row)
{
    for (size_t i = 0; i < state->count; i++) {
        const struct duel_result *other = &state->results[i];
        if (other == row)
            return true;
        if (strcmp(other->implementation, row->implementation) == 0 && strcmp(other->device, row->device) == 0 &&
            other->problem.types.in == row->problem.types.in && result_timed(other))
            return false;
    }
    return true;
}

void run_group(struct run_state *state, struct duel_group *group)
{
    struct duel_result *results = realloc(state->results, (state->count + (size_t)group->count) * sizeof *results);
    struct duel_why why = {{0}, {0}, {0}};
    if (!results) {
        duel_fail(&why, DUEL_ENOMEM, "further sizes are left out", "close other programs", "out of memory for results");
        run_note_trouble(state, DUEL_ENOMEM, &why);
        return;
    }
    state->results = results;
    struct duel_result *own = results + state->count;
    double cost = group_cost(group);
    if (run_now(state) >= state->runner.options.deadline)
        drop_group(state, group);
    run_telemetry_begin(state);
    run_note_trouble(state, runner_group(&state->runner, group, own, &why), &why);
    run_telemetry_end(state, group, own);
    state->count += (size_t)group->count;
    for (int i = 0; i < group->count; i++) {
        if (state->input.written_by == &group->cases[i])
            own[i].write_s = state->input.write_s;
        run_check_ceiling(state, &own[i], group->cases[i].place);
        run_note_trouble(state, runfile_result(state->file, &own[i], &why), &why);
        if (result_timed(&own[i]) && is_first(state, &own[i]))
            run_note_trouble(state, runfile_life(state->file, &own[i], &why), &why);
    }
    progress_group_done(&state->progress, cost);
    progress_clear(&state->progress);
    if (!state->options.quiet)
        table_rows(state->talk, own, (size_t)group->count);
    fflush(state->talk); /* should the next size crash, these rows have been shown */
}

/* Each workload gets a part of the budget by its cases; what it does not use is for those after it. */
static void begin_workload(struct run_state *state, int first)
{
    const struct duel_group *groups = state->plan.groups;
    const double now = run_now(state);
    double own = 0, rest = 0;
    for (int i = first; i < state->plan.count; i++)
        *(groups[i].workload == groups[first].workload ? &own : &rest) += group_cost(&groups[i]);
    if (isfinite(state->deadline) && own > 0)
        state->runner.options.deadline = now + fmax(0, state->deadline - now) * own / (own + rest);
    if (state->several && !state->options.quiet)
        table_workload(state->talk, groups[first].workload);
}

static void run_groups(struct run_state *state)
{
    const struct duel_plan *plan = &state->plan;
    double total = 0;
    for (int i = 0; i < plan->count; i++)
        total += group_cost(&plan->groups[i]);
    progress_start(&state->progress, plan->count, total, state->options.quiet);
    for (int i = 0; i < plan->count && !interrupt_pending(); i++) {
        if (i == 0 || plan->groups[i].workload != plan->groups[i - 1].workload)
            begin_workload(state, i);
        run_group(state, &plan->groups[i]);
    }
    state->runner.options.deadline = state->deadline;
    state->runner.options.budget_shared = false;
    progress_clear(&state->progress);
}

static int finish(struct run_state *state)
{
    struct duel_why why = {{0}, {0}, {0}};
    run_note_trouble(state, state->input.write_status, &state->input.write_why);
    run_write_plots(state);
    int code = run_exit_code(state);
    const char *outcome = interrupt_pending() ? "interrupted" : code == EXIT_DONE ? "done" : "failed";
    run_note_trouble(state, runfile_end(state->file, outcome, code, &why), &why);
    run_write_page(state);
    code = run_exit_code(state);
    run_tell_outcome(state, code);
    return code;
}

static enum duel_status prepare(struct run_state *state, const char *command_line, struct duel_why *why)
{
    struct duel_options *options = &state->options;
    registry_load(&state->registry);
    run_set_limits(options);
    enum duel_status status = input_plan(&state->input, options, why);
    if (status == DUEL_OK && options->beta != 0 && options->cache == DUEL_CACHE_ROTATED)
        status = duel_fail(why, DUEL_EINVAL, "with beta each run changes the C that its buffer holds",
                           "give --beta 0, or --cache flushed", "--cache rotated with --beta %g", options->beta);
    state->story = run_is_story(options);
    run_default_precision(options);
    run_default_patterns(options);
    if (status == DUEL_OK)
        status = plan_make(&state->plan, &state->registry, options, why);
    state->several =
        state->plan.count > 0 && state->plan.groups[0].workload != state->plan.groups[state->plan.count - 1].workload;
    if (status == DUEL_OK && state->plan.missing_device) {
        *why = state->plan.missing_why;
        status = DUEL_SKIP;
    }
    if (status == DUEL_OK)
        status = run_tune_begin(state, why);
    if (status == DUEL_OK) {
        effects_of_choice(options, &state->registry);
        effects_of_plan(options, &state->plan);
        run_quicken(state);
        if (state->story && !options_given(options, "--precision"))
            run_story_trim(&state->plan, options);
        run_fit_budget(state);
    }
    if (status == DUEL_OK && options->dry_run)
        return DUEL_OK;
    if (status == DUEL_OK && state->input.given)
        status = input_read(&state->input, options, why);
    if (status == DUEL_OK) {
        run_telemetry_open(state); /* before the device records: it adds the limits of a GPU to them */
        status = head_open(&state->file, options, &state->registry, NULL, command_line, why);
    }
    if (status == DUEL_OK)
        start_runner(state);
    return status;
}

static int run_in_sessions(const struct duel_options *options, const char *command_line)
{
    struct words given = {NULL, 0, false};
    words_add_own(&given, 2);
    const int code = run_sessions(options, &given, true, command_line);
    words_free(&given);
    return code;
}

static int run(const struct duel_options *options, const char *command_line)
{
    if (options->sessions > 1 && !options->dry_run)
        return run_in_sessions(options, command_line);
    struct run_state *state = calloc(1, sizeof *state);
    struct duel_why why = {{0}, {0}, {0}};
    int code;
    if (!state)
        return message_error(DUEL_ENOMEM, &why);
    state->options = *options;
    state->talk = head_talk(options);
    interrupt_install();
    enum duel_status status = prepare(state, command_line, &why);
    if (status == DUEL_OK && state->options.dry_run) {
        code = run_tell_plan(state);
    } else if (status == DUEL_OK) {
        run_measure_ceilings(state);
        run_groups(state);
        run_break_even(state);
        run_tune_end(state);
        run_measure_ceilings(state);
        code = finish(state);
    } else {
        code = message_refusal(status, &why);
    }
    for (size_t i = 0; i < state->count; i++)
        result_free(&state->results[i]);
    free(state->results);
    runfile_close(state->file);
    input_free(&state->input);
    plan_free(&state->plan);
    run_telemetry_close(state);
    registry_close(&state->registry);
    free(state);
    return code;
}

static const char *const accepted[] = {
    "--n",        "--shape",    "--device",   "--precision", "--threads",   "--alpha",
    "--beta",     "--base",     "--input",    "--output",    "--filter",    "--out",
    "--json",     "--csv",      "--terminal", "--no-plots",  "--target-ci", "--min-samples",
    "--min-time", "--timeout",  "--budget",   "--quick",     "--seed",      "--identify",
    "--quiet",    "--samples",  "--order",    "--cache",     "--data",      "--host-memory",
    "--reuse",    "--sessions", "--dry-run",  "--open",      "--tune",      NULL};
const struct duel_command run_command = {
    .name = "run",
    .summary = "Verify, measure, record and plot; without arguments the one-minute demonstration",
    .usage = "run [PATTERN...] [OPTIONS]",
    .example = "duel run gemm --n 512:4096:x2\n"
               "          duel run 'cpu/gemm/*' --n 1024 --threads 1,all --precision fp32,fp64\n"
               "          duel run gemm --input A.npy B.npy --output C.npy\n"
               "          duel run conv2d --input photo.png --filter sobel --output edges.png",
    .detail =
        "A PATTERN is a workload (gemm), a full name (gpu/gemm/tiled), a glob over full names, or all. The result\n"
        "is a table here and run.jsonl, run.csv, plots/ and report.html in the directory of --out. Options that\n"
        "contradict each other are refused; those that change nothing in this run are told.",
    .options = accepted,
    .patterns = true,
    .computes = true,
    .run = run,
};
