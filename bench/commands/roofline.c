/* roofline.c: measured ceilings, and every implementation under them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/roofline_state.h"
#include "bench/harness/disturbance.h"
#include "bench/harness/interrupt.h"

#define SIZE "512"     /* without --n */
#define LIMIT_S 10.0   /* per case: the textbook loop takes seconds for a single run */
#define TRIES_BEFORE 2 /* of every ceiling, and once more after the cases */
/* Of a budget: ceilings come first, because rows mean nothing without them; further tries get what the rows leave. */
#define CEILINGS_SHARE 0.5
#define ROWS_SHARE 0.9

static double host_now(const struct roofline_state *state)
{
    const struct duel_place *cpu = &state->registry.place[0];
    return cpu->backend->now(cpu->device);
}

static void show_case(void *context, const struct duel_group *group, const char *doing)
{
    const struct roofline_state *state = context;
    progress_show(&state->progress, group->workload->name, doing);
}

static bool show_roof(void *context, const char *doing)
{
    const struct roofline_state *state = context;
    progress_show(&state->progress, "", doing);
    return true;
}

/* When this share of the budget is over. */
static double deadline(const struct roofline_state *state, double share)
{
    return state->options.budget_s > 0 ? state->started + share * state->options.budget_s : INFINITY;
}

static void set_runner(struct roofline_state *state)
{
    const struct duel_options *options = &state->options;
    const double limit = options_limit_s(options, LIMIT_S);
    struct duel_runner_options *to = &state->runner.options;
    to->rules = (struct duel_sampler_rules){
        .target_ci = options->target_ci,
        .min_samples = options->min_samples,
        .max_samples = options->min_samples > 1000 ? options->min_samples : 1000,
        .min_time_s = options->min_time_s,
        .timeout_s = limit,
        .warmup_s = 0.05,
        .warmup_max_s = fmin(0.25, limit / 4),
    };
    to->seed = options->seed;
    to->cache = DUEL_CACHE_HOT; /* so that the nearest level that holds all operands is where they come from */
    to->host_memory = DUEL_PINNED;
    to->reuse = options->reuse;
    to->interruptions = disturbance_count;
    to->read_s = NAN;
    to->budget_s = options->budget_s;
    to->deadline = deadline(state, ROWS_SHARE);
    to->progress = show_case;
    to->context = state;
}

bool roofline_measures(const struct roofline_state *state, const struct duel_place *place)
{
    if (!place->info.usable || !place->backend || place->backend->emulated)
        return false;
    return plan_selects(state->options.device, place);
}

/* ---- ceilings -----------------------------------------------------------------------------------------------------
 */

static bool is_cpu(const struct duel_place *place)
{
    return strcmp(place->id, "cpu") == 0;
}

static void add_threads(int *threads, int *count, int number)
{
    for (int i = 0; i < *count; i++)
        if (threads[i] == number)
            return;
    if (*count < DUEL_MAX_THREADS)
        threads[(*count)++] = number;
}

/* One thread, all of them, and what the cases ask for. */
static void collect(const struct roofline_state *state, const struct duel_place *place, int *threads,
                    struct duel_roofs_request *request)
{
    int count = 0;
    const unsigned cpu = 1u << DUEL_FP32 | 1u << DUEL_FP64, gpu = (1u << DUEL_DTYPES) - 1u;
    request->precisions = is_cpu(place) ? cpu : gpu;
    add_threads(threads, &count, is_cpu(place) ? 1 : 0);
    if (is_cpu(place) && place->info.processors > 1)
        add_threads(threads, &count, place->info.processors);
    for (int g = 0; g < state->plan.count; g++)
        for (int i = 0; i < state->plan.groups[g].count; i++) {
            const struct duel_case *item = &state->plan.groups[g].cases[i];
            if (item->place != place || item->skip[0])
                continue;
            add_threads(threads, &count, item->threads);
            request->first |= 1u << item->problem.types.in;
        }
    request->precisions |= request->first;
    request->thread_counts = count;
}

static void measure_roofs(struct roofline_state *state, double share)
{
    for (int i = 0; i < state->registry.count && !interrupt_pending(); i++) {
        struct duel_place *place = &state->registry.place[i];
        struct duel_why why = {{0}, {0}, {0}};
        int threads[DUEL_MAX_THREADS];
        struct duel_roofs_request request = {.place = place, .threads = threads, .step = show_roof, .context = state};
        request.deadline = deadline(state, share);
        if (!roofline_measures(state, place))
            continue;
        enum duel_status status = place_open(place, &why);
        trouble_note(&state->trouble, status, &why);
        collect(state, place, threads, &request);
        if (status == DUEL_OK)
            roofs_measure(&state->roofs, &request);
    }
}

/* ---- cases --------------------------------------------------------------------------------------------------------
 */

static void run_groups(struct roofline_state *state)
{
    struct duel_why why = {{0}, {0}, {0}};
    for (int g = 0; g < state->plan.count && !interrupt_pending(); g++) {
        struct duel_group *group = &state->plan.groups[g];
        struct duel_result *own = state->results + state->count;
        enum duel_status status = runner_group(&state->runner, group, own, &why);
        trouble_note(&state->trouble, status, &why);
        state->count += (size_t)group->count;
        for (int i = 0; i < group->count; i++)
            trouble_note(&state->trouble, runfile_result(state->file, &own[i], &why), &why);
    }
}

static void place_results(struct roofline_state *state)
{
    struct duel_why why = {{0}, {0}, {0}};
    for (size_t i = 0; i < state->roofs.count; i++)
        trouble_note(&state->trouble, runfile_row(state->file, &roof_sheet, &state->roofs.roof[i], &why), &why);
    size_t at = 0;
    for (int g = 0; g < state->plan.count; g++)
        for (int i = 0; i < state->plan.groups[g].count && at < state->count; i++, at++) {
            struct duel_placement *placement = &state->placements[at];
            roofs_place(&state->roofs, &state->results[at], state->plan.groups[g].cases[i].impl, placement);
            if (placement->status != ROW_SKIPPED)
                trouble_note(&state->trouble, runfile_row(state->file, &placement_sheet, placement, &why), &why);
        }
}

/* ---- wiring -------------------------------------------------------------------------------------------------------
 */

static enum duel_status check_emulated(const struct roofline_state *state, struct duel_why *why)
{
    for (int i = 0; i < state->registry.count; i++)
        if (roofline_measures(state, &state->registry.place[i]))
            return DUEL_OK;
    return duel_fail(why, DUEL_SKIP, "its values are real, its times are not", "give --device cuda or --device cpu",
                     "the emulated GPU has neither ceilings nor times");
}

/* Without arithmetic there is no rate that could stand under a ceiling. */
static enum duel_status check_work(const struct roofline_state *state, struct duel_why *why)
{
    for (int g = 0; g < state->plan.count; g++)
        for (int i = 0; i < state->plan.groups[g].count; i++)
            if (state->plan.groups[g].workload->flops(&state->plan.groups[g].cases[i].problem) > 0)
                return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "without arithmetic no rate could stand under a ceiling",
                     "give extents of at least 1, and a workload that calculates", "this size has 0 multiply-adds");
}

static enum duel_status prepare(struct roofline_state *state, const char *command_line, struct duel_why *why)
{
    struct duel_options *options = &state->options;
    enum duel_status status = DUEL_OK;
    registry_load(&state->registry);
    if (options->shape_count == 0)
        status = options_sizes(SIZE, options, why);
    if (options->pattern_count == 0)
        options->pattern[options->pattern_count++] = "gemm";
    if (options->precision_count == 0) {
        options->precision[options->precision_count++] = DUEL_FP32;
        options->precision[options->precision_count++] = DUEL_FP16;
    }
    if (status == DUEL_OK && options->shape_count > 1)
        status = duel_fail(why, DUEL_EINVAL, "several sizes in one roofline could not be told apart",
                           "give one, such as --n 512", "%d sizes were given", options->shape_count);
    if (status == DUEL_OK)
        status = plan_make(&state->plan, &state->registry, options, why);
    if (status == DUEL_OK && state->plan.missing_device) {
        *why = state->plan.missing_why;
        status = DUEL_SKIP;
    }
    if (status == DUEL_OK)
        status = check_emulated(state, why);
    if (status == DUEL_OK)
        status = check_work(state, why);
    state->results = calloc((size_t)state->plan.cases + 1, sizeof *state->results);
    state->placements = calloc((size_t)state->plan.cases + 1, sizeof *state->placements);
    if (status == DUEL_OK && (!state->results || !state->placements))
        status = duel_fail(why, DUEL_ENOMEM, "nothing is measured", "close other programs", "out of memory for rows");
    if (status == DUEL_OK)
        status = head_open(&state->file, options, &state->registry, &placement_sheet, command_line, why);
    return status;
}

static void measure(struct roofline_state *state)
{
    state->started = host_now(state);
    set_runner(state);
    progress_start(&state->progress, 1, 0, state->options.quiet);
    for (int i = 0; i < TRIES_BEFORE; i++)
        measure_roofs(state, CEILINGS_SHARE);
    run_groups(state);
    measure_roofs(state, 1);
    progress_clear(&state->progress);
    place_results(state);
    roofline_report(state);
}

static int run(const struct duel_options *options, const char *command_line)
{
    struct roofline_state *state = calloc(1, sizeof *state);
    struct duel_why why = {{0}, {0}, {0}};
    int code;
    if (!state)
        return message_error(DUEL_ENOMEM, &why);
    state->options = *options;
    state->talk = head_talk(options);
    interrupt_install();
    enum duel_status status = prepare(state, command_line, &why);
    if (status == DUEL_OK) {
        measure(state);
        code = roofline_finish(state);
    } else {
        code = message_refusal(status, &why);
    }
    for (size_t i = 0; i < state->count; i++)
        result_free(&state->results[i]);
    free(state->results);
    free(state->placements);
    runfile_close(state->file);
    plan_free(&state->plan);
    registry_close(&state->registry);
    free(state);
    return code;
}

static const char *const accepted[] = {
    "--n",        "--shape",   "--device",   "--precision", "--threads",   "--out=reports/roofline",
    "--json",     "--csv",     "--terminal", "--no-plots",  "--target-ci", "--min-samples",
    "--min-time", "--timeout", "--budget",   "--seed",      "--identify",  "--quiet",
    NULL};
const struct duel_command roofline_command = {
    .name = "roofline",
    .summary = "This machine's measured ceilings, and every implementation under them",
    .usage = "roofline [PATTERN...] [OPTIONS]",
    .example = "duel roofline\n"
               "          duel roofline 'cpu/gemm/*' --n 2048 --threads 1,all --precision fp32,fp64",
    .detail =
        "Ceilings: multiply-adds in registers per precision, and read, copy and triad per memory level. Below them\n"
        "stands what each implementation reaches, how much of its roof that is, and what makes the roof.\n"
        "Without --n and --shape the size is 512.",
    .options = accepted,
    .patterns = true,
    .computes = true,
    .run = run,
};
