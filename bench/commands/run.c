/* run.c: verify, measure, record, plot. Bare `duel run` is the one-minute class demonstration. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/commands.h"
#include "bench/commands/run_input.h"
#include "bench/harness/interrupt.h"
#include "bench/harness/runner.h"
#include "bench/record/runfile.h"
#include "bench/report/report.h"

#define DEMONSTRATION_BUDGET_S 50.0 /* of the minute that it may take; plots and start-up need the rest */
#define DEMONSTRATION_LIMIT_S 1.0   /* per case */
#define ORDINARY_LIMIT_S 3.0

/* Everything that a run owns; released in one place. */
struct session {
    struct duel_options options;
    struct duel_registry registry;
    struct duel_plan plan;
    struct duel_input input;
    struct duel_runner runner;
    struct duel_runfile *file;
    struct duel_result *results; /* of all groups so far, in order */
    size_t count;
    struct duel_ceiling ceiling[16];
    size_t ceilings;
    struct duel_progress progress;
    FILE *talk;               /* stdout, or stderr when stdout carries data */
    enum duel_status trouble; /* the first thing that went wrong after measuring began */
    struct duel_why trouble_why;
};

static double host_now(const struct session *session)
{
    const struct duel_place *cpu = &session->registry.place[0];
    return cpu->backend->now(cpu->device);
}

static bool is_dash(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Sizes that fit a minute: the CPU half grows to 2048; a GPU needs larger ones before it is busy at all. */
static enum duel_status default_sizes(struct session *session, struct duel_why *why)
{
    struct duel_options *options = &session->options;
    if (options->shape_count > 0)
        return DUEL_OK;
    bool gpu = false, emulated = false;
    for (int i = 0; i < session->registry.count; i++) {
        const struct duel_place *place = &session->registry.place[i];
        if (!place->info.usable || strcmp(place->id, "cpu") == 0 || !plan_selects(options->device, place))
            continue;
        gpu = gpu || !place->backend->emulated;
        emulated = emulated || place->backend->emulated;
    }
    return options_sizes(gpu ? "128:4096:x2" : emulated ? "64,97,128" : "128:2048:x2", options, why);
}

static void set_limits(struct session *session)
{
    struct duel_options *options = &session->options;
    bool demonstration = options->pattern_count == 0 && options->shape_count == 0 && !options->input[0];
    if (options->timeout_s <= 0)
        options->timeout_s = demonstration ? DEMONSTRATION_LIMIT_S : ORDINARY_LIMIT_S;
    if (options->budget_s <= 0 && demonstration)
        options->budget_s = DEMONSTRATION_BUDGET_S;
}

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
    const struct session *session = context;
    char where[96];
    snprintf(where, sizeof where, "%s %lld x %lld x %lld", group->workload->name, (long long)group->shape.m,
             (long long)group->shape.n, (long long)group->shape.k);
    progress_show(&session->progress, where, doing);
}

static void take_answer(void *context, const struct duel_case *item, const struct duel_matrix *output)
{
    struct session *session = context;
    input_answer(&session->input, item, output);
}

static void set_runner(struct session *session)
{
    const struct duel_options *options = &session->options;
    struct duel_runner_options *to = &session->runner.options;
    to->rules = (struct duel_sampler_rules){
        .target_ci = options->target_ci,
        .min_samples = options->min_samples,
        .max_samples = options->min_samples > 1000 ? options->min_samples : 1000,
        .min_time_s = options->min_time_s,
        .timeout_s = options->timeout_s,
        .warmup_s = 0.05,
        .warmup_max_s = fmin(0.25, options->timeout_s / 4),
    };
    to->seed = options->seed;
    to->base = options->base;
    to->read_s = session->input.read_s;
    to->deadline = options->budget_s > 0 ? host_now(session) + options->budget_s : INFINITY;
    to->progress = show_progress;
    to->answer = take_answer;
    to->context = session;
    if (session->input.given) {
        to->input[DUEL_A] = &session->input.a;
        to->input[DUEL_B] = &session->input.b;
    }
}

static void note_trouble(struct session *session, enum duel_status status, const struct duel_why *why)
{
    if (status == DUEL_OK || session->trouble != DUEL_OK)
        return;
    session->trouble = status;
    session->trouble_why = *why;
}

static bool uses(const struct session *session, const struct duel_place *place, enum duel_dtype in)
{
    for (int g = 0; g < session->plan.count; g++)
        for (int i = 0; i < session->plan.groups[g].count; i++) {
            const struct duel_case *item = &session->plan.groups[g].cases[i];
            if (item->place == place && !item->skip[0] && item->problem.types.in == in)
                return true;
        }
    return false;
}

static void measure_ceiling(struct session *session, struct duel_place *place, enum duel_dtype in, int threads)
{
    struct duel_why why = {{0}, {0}, {0}};
    double flops_per_s = 0;
    if (session->ceilings == sizeof session->ceiling / sizeof session->ceiling[0] ||
        place_open(place, &why) != DUEL_OK ||
        place->backend->peak(place->device, in, threads, &flops_per_s, &why) != DUEL_OK)
        return; /* a plot without its ceiling is still a plot */
    struct duel_ceiling *ceiling = &session->ceiling[session->ceilings++];
    *ceiling = (struct duel_ceiling){.in = in, .threads = threads, .gflops = flops_per_s / 1e9};
    snprintf(ceiling->device, sizeof ceiling->device, "%s", place->id);
    note_trouble(session, runfile_ceiling(session->file, ceiling, &why), &why);
}

/* The measured arithmetic peak of what will run: one thread and all threads on the CPU. */
static void measure_ceilings(struct session *session)
{
    for (int i = 0; i < session->registry.count; i++) {
        struct duel_place *place = &session->registry.place[i];
        for (int in = DUEL_FP64; in < DUEL_DTYPES; in++) {
            if (!place->info.usable || !place->backend->peak || !uses(session, place, (enum duel_dtype)in))
                continue;
            bool cpu = strcmp(place->id, "cpu") == 0;
            measure_ceiling(session, place, (enum duel_dtype)in, cpu ? 1 : 0);
            if (cpu && place->info.processors > 1)
                measure_ceiling(session, place, (enum duel_dtype)in, place->info.processors);
        }
    }
}

static enum duel_status write_head(struct session *session, const char *command_line, struct duel_why *why)
{
    const struct duel_options *options = &session->options;
    struct duel_run_info run = {.command = command_line, .seed = options->seed, .identify = options->identify};
    run_info_stamp(&run);
    enum duel_status status = runfile_run(session->file, &run, why);
    if (status == DUEL_OK)
        status = runfile_host(session->file, options->identify, why);
    for (int i = 0; i < session->registry.count && status == DUEL_OK; i++) {
        const struct duel_place *place = &session->registry.place[i];
        if (plan_selects(options->device, place))
            status = runfile_device(session->file, place->id, place->backend ? place->backend->name : place->id,
                                    place->backend && place->backend->emulated, &place->info, options->identify, why);
    }
    return status;
}

static void drop_group(struct session *session, struct duel_group *group)
{
    for (int i = 0; i < group->count; i++)
        if (!group->cases[i].skip[0])
            snprintf(group->cases[i].skip, sizeof group->cases[i].skip,
                     "the time budget of %.3g s was used up by smaller sizes (--budget)", session->options.budget_s);
}

static void run_group(struct session *session, struct duel_group *group)
{
    struct duel_result *results = realloc(session->results, (session->count + (size_t)group->count) * sizeof *results);
    struct duel_why why = {{0}, {0}, {0}};
    if (!results) {
        duel_fail(&why, DUEL_ENOMEM, "further sizes are left out", "close other programs", "out of memory for results");
        note_trouble(session, DUEL_ENOMEM, &why);
        return;
    }
    session->results = results;
    struct duel_result *own = results + session->count;
    double cost = group_cost(group);
    if (host_now(session) >= session->runner.options.deadline)
        drop_group(session, group);
    note_trouble(session, runner_group(&session->runner, group, own, &why), &why);
    session->count += (size_t)group->count;
    for (int i = 0; i < group->count; i++) {
        if (session->input.writer[0] && own[i].status == ROW_OK)
            own[i].write_s = session->input.write_s;
        note_trouble(session, runfile_result(session->file, &own[i], &why), &why);
    }
    progress_group_done(&session->progress, cost);
    progress_clear(&session->progress);
    if (!session->options.quiet)
        table_results(session->talk, own, (size_t)group->count);
}

static void run_groups(struct session *session)
{
    double total = 0;
    for (int i = 0; i < session->plan.count; i++)
        total += group_cost(&session->plan.groups[i]);
    progress_start(&session->progress, session->plan.count, total, session->options.quiet);
    for (int i = 0; i < session->plan.count && !interrupt_pending(); i++)
        run_group(session, &session->plan.groups[i]);
    progress_clear(&session->progress);
}

static void write_plots(struct session *session)
{
    char machine[200];
    struct duel_why why = {{0}, {0}, {0}};
    const struct duel_device_info *cpu = &session->registry.place[0].info;
    snprintf(machine, sizeof machine, "%s, %d %s", cpu->name, cpu->processors, cpu->processors == 1 ? "core" : "cores");
    struct duel_plot_request request = {runfile_dir(session->file), machine, session->options.terminal, session->talk};
    if (session->options.no_plots || !request.dir)
        return;
    enum duel_status status =
        plots_write(&request, session->results, session->count, session->ceiling, session->ceilings, &why);
    if (status == DUEL_SKIP)
        message_note("duel: %s; %s", why.seen, why.next);
    else
        note_trouble(session, status, &why);
}

static int exit_code(const struct session *session)
{
    bool measured = false;
    int code = EXIT_DONE;
    for (size_t i = 0; i < session->count; i++) {
        const struct duel_result *row = &session->results[i];
        measured = measured || row->status == ROW_OK || row->status == ROW_VERIFIED;
        if (row->status == ROW_FAILED && code != EXIT_WRONG)
            code = row->cause == DUEL_EVERIFY ? EXIT_WRONG : EXIT_DEVICE;
    }
    if (interrupt_pending())
        return EXIT_SIGNAL + interrupt_pending();
    if (code == EXIT_DONE && session->trouble != DUEL_OK)
        code = message_exit_code(session->trouble);
    return code == EXIT_DONE && !measured ? EXIT_UNMEASURED : code;
}

static void tell_outcome(struct session *session, int code)
{
    FILE *talk = session->talk;
    const char *dir = runfile_dir(session->file);
    if (session->input.given)
        table_steps(talk, session->results, session->count);
    if (!session->options.quiet) {
        table_summary(talk, session->results, session->count);
        if (dir)
            fprintf(talk, "\nResults: %s/run.jsonl, %s/run.csv%s%s%s\n", dir, dir,
                    session->options.no_plots ? "" : "; pictures: ", session->options.no_plots ? "" : dir,
                    session->options.no_plots ? "" : "/plots/");
        if (session->input.writer[0] && session->input.write_status == DUEL_OK)
            fprintf(talk, "Answer:  %s, by %s\n", session->input.output_path, session->input.writer);
    }
    fflush(talk);
    if (interrupt_pending())
        message_note("duel: interrupted; what was measured until then is kept");
    if (session->trouble != DUEL_OK)
        message_error(session->trouble, &session->trouble_why);
    if (code == EXIT_UNMEASURED)
        message_note("duel: not one case could be measured; each row above says why");
}

static int finish(struct session *session)
{
    struct duel_why why = {{0}, {0}, {0}};
    note_trouble(session, session->input.write_status, &session->input.write_why);
    write_plots(session);
    int code = exit_code(session);
    const char *outcome = interrupt_pending() ? "interrupted" : code == EXIT_DONE ? "done" : "failed";
    note_trouble(session, runfile_end(session->file, outcome, code, &why), &why);
    code = exit_code(session);
    tell_outcome(session, code);
    return code;
}

static enum duel_status prepare(struct session *session, const char *command_line, struct duel_why *why)
{
    struct duel_options *options = &session->options;
    registry_load(&session->registry);
    set_limits(session);
    enum duel_status status = input_plan(&session->input, options, why);
    if (status == DUEL_OK)
        status = default_sizes(session, why);
    if (status == DUEL_OK)
        status = plan_make(&session->plan, &session->registry, options, why);
    if (status == DUEL_OK && session->plan.missing_device) {
        *why = session->plan.missing_why;
        status = DUEL_SKIP;
    }
    if (status == DUEL_OK && session->input.given)
        status = input_read(&session->input, options, why);
    if (status == DUEL_OK)
        status = runfile_open(&session->file, options->out, options->json, options->csv, why);
    if (status == DUEL_OK)
        status = write_head(session, command_line, why);
    if (status == DUEL_OK)
        set_runner(session);
    return status;
}

static int run(const struct duel_options *options, const char *command_line)
{
    struct session *session = calloc(1, sizeof *session);
    struct duel_why why = {{0}, {0}, {0}};
    int code;
    if (!session)
        return message_error(DUEL_ENOMEM, &why);
    session->options = *options;
    session->talk = is_dash(options->json) || is_dash(options->csv) ? stderr : stdout;
    interrupt_install();
    enum duel_status status = prepare(session, command_line, &why);
    if (status == DUEL_OK) {
        measure_ceilings(session);
        run_groups(session);
        code = finish(session);
    } else {
        code = message_error(status, &why);
        code = status == DUEL_EIO ? EXIT_USAGE : code; /* a file or directory named by the user, before any work */
    }
    for (size_t i = 0; i < session->count; i++)
        result_free(&session->results[i]);
    free(session->results);
    runfile_close(session->file);
    input_free(&session->input);
    plan_free(&session->plan);
    registry_close(&session->registry);
    free(session);
    return code;
}

static const char *const accepted[] = {
    "--n",           "--shape",    "--device",  "--precision", "--threads", "--alpha",    "--beta",     "--base",
    "--input",       "--output",   "--out",     "--json",      "--csv",     "--terminal", "--no-plots", "--target-ci",
    "--min-samples", "--min-time", "--timeout", "--budget",    "--seed",    "--identify", "--quiet",    NULL};
const struct duel_command run_command = {
    .name = "run",
    .summary = "Verify, measure, record and plot; without arguments the one-minute demonstration",
    .usage = "run [PATTERN...] [OPTIONS]",
    .example = "duel run gemm --n 512:4096:x2\n"
               "          duel run 'cpu/gemm/*' --n 1024 --threads 1,all --precision fp32,fp64\n"
               "          duel run gemm --input A.npy B.npy --output C.npy",
    .detail =
        "A PATTERN is a workload (gemm), a full name (gpu/gemm/tiled), a glob over full names, or all. The result\n"
        "is a table here and run.jsonl, run.csv and plots/ in the directory of --out.",
    .options = accepted,
    .patterns = true,
    .run = run,
};
