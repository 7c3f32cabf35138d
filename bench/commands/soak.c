/* soak.c: minutes of load on a device: does it keep its speed, and do its answers stay right? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/soak_state.h"
#include "bench/harness/interrupt.h"
#include "bench/report/console.h"

#define TOLD 5 /* wrong answers that are told at once; all of them are counted and recorded */

static const char *bus_id(const struct duel_device_info *info)
{
    for (int i = 0; i < info->property_count; i++)
        if (strcmp(info->property[i].name, "pci_bus_id") == 0 && *info->property[i].text)
            return info->property[i].text;
    return NULL;
}

static void begin(void *context)
{
    telemetry_begin(((struct soak_state *)context)->telemetry);
}

static void show(void *context, double at_s)
{
    struct soak_state *state = context;
    telemetry_poll(state->telemetry);
    state->progress.done_cost = fmin(at_s, state->progress.total_cost);
    progress_show(&state->progress, "soak", state->told > 0 ? "wrong answers!" : "");
}

static void take_sensors(struct duel_soak_point *point, const struct duel_telemetry_summary *seen)
{
    const bool cpu = strcmp(point->device, "cpu") == 0;
    const struct duel_reading *clock = cpu ? &seen->cpu_mhz : &seen->sm_clock_mhz;
    point->clock_mhz = clock->median;
    snprintf(point->clock_why, sizeof point->clock_why, "%s", clock->why);
    point->temperature_c = seen->temperature_c.max;
    snprintf(point->heat_why, sizeof point->heat_why, "%s", cpu ? "read of GPUs only" : seen->temperature_c.why);
    point->power_w = cpu ? seen->cpu_energy_j.value / seen->seconds : seen->power_w.median;
    snprintf(point->power_why, sizeof point->power_why, "%s", cpu ? seen->cpu_energy_j.why : seen->power_w.why);
    snprintf(point->clock_reasons, sizeof point->clock_reasons, "%s", seen->clock_reasons);
    point->foreign_cpu_share = seen->cpu.foreign_share;
}

static void keep(struct soak_state *state, const struct duel_soak_point *point)
{
    struct duel_why why = {{0}, {0}, {0}};
    if (state->count == state->capacity) {
        const size_t capacity = state->capacity ? 2 * state->capacity : 256;
        struct duel_soak_point *grown = realloc(state->points, capacity * sizeof *grown);
        if (!grown) {
            duel_fail(&why, DUEL_ENOMEM, "the summary lacks it; the run file has it", "close other programs",
                      "out of memory for a stretch of load");
            trouble_note(&state->trouble, DUEL_ENOMEM, &why);
            return;
        }
        state->points = grown;
        state->capacity = capacity;
    }
    state->points[state->count++] = *point;
}

static void take_point(void *context, struct duel_soak_point *point)
{
    struct soak_state *state = context;
    struct duel_telemetry_summary seen;
    struct duel_why why = {{0}, {0}, {0}};
    telemetry_end(state->telemetry, &seen);
    take_sensors(point, &seen);
    keep(state, point);
    trouble_note(&state->trouble, runfile_row(state->file, &soak_point_sheet, point, &why), &why);
    if (point->right || state->told++ >= TOLD)
        return;
    progress_clear(&state->progress);
    message_note("duel: after %.3g s: %s%s", point->at_s, point->reason,
                 state->told == TOLD ? "; further ones are counted and recorded, not told" : "");
}

static void report(struct soak_state *state, const struct duel_soak *soak)
{
    char machine[200], picture[64];
    struct duel_why why = {{0}, {0}, {0}};
    snprintf(picture, sizeof picture, state->devices > 1 ? "soak-%d" : "soak", state->devices);
    const struct duel_soak_report report = {soak, state->points, state->count, picture};
    if (!state->options->quiet)
        table_soak(state->talk, &report);
    head_machine(&state->registry, machine, sizeof machine);
    const struct duel_plot_request request = {runfile_dir(state->file), machine, state->options->terminal, state->talk,
                                              &state->drawer};
    if (state->options->no_plots || !request.dir || state->count < 2)
        return;
    const enum duel_status status = plot_soak(&request, &report, &why);
    if (status == DUEL_SKIP)
        message_note("duel: %s; %s", why.seen, why.next);
    else
        trouble_note(&state->trouble, status, &why);
    state->pictures = state->pictures || status == DUEL_OK;
}

static void load(struct soak_state *state, const struct duel_group *group, struct duel_case *item)
{
    struct duel_soak soak;
    struct duel_why why = {{0}, {0}, {0}};
    struct duel_telemetry_options sensors = {.gpu = bus_id(&item->place->info)};
    struct duel_soak_rules rules = {
        .seed = state->options->seed, .begin = begin, .between = show, .point = take_point, .context = state};
    soak_rules_set(&rules, 60 * state->options->minutes);
    state->count = 0;
    state->told = 0;
    telemetry_open(&state->telemetry, &sensors, &why);
    progress_start(&state->progress, 1, rules.load_s, state->options->quiet);
    const enum duel_status status = soak_run(&rules, group->workload, item, &soak, &why);
    progress_clear(&state->progress);
    telemetry_close(state->telemetry);
    state->telemetry = NULL;
    soak_summarise(&soak, state->points, state->count, group->workload->flops(&item->problem),
                   group->workload->bytes(&item->problem));
    state->wrong = state->wrong || soak.cause == DUEL_EVERIFY;
    state->broken = state->broken || (status != DUEL_OK && status != DUEL_EVERIFY);
    state->done = state->done || state->count > 0;
    if (status != DUEL_OK)
        trouble_note(&state->trouble, status, &why);
    trouble_note(&state->trouble, runfile_row(state->file, &soak_sheet, &soak, &why), &why);
    report(state, &soak);
}

static void soak_place(struct soak_state *state, struct duel_place *place)
{
    struct duel_plan plan = {0};
    const struct duel_group *group = NULL;
    struct duel_case *item = NULL;
    struct duel_why why = {{0}, {0}, {0}};
    enum duel_status status = place_open(place, &why);
    if (status == DUEL_OK)
        status = soak_choose(state, place, &plan, &group, &item, &why);
    state->devices++;
    if (status == DUEL_OK && !interrupt_pending()) {
        load(state, group, item);
    } else if (status != DUEL_OK) {
        state->wrong = state->wrong || status == DUEL_EVERIFY;
        trouble_note(&state->trouble, status, &why);
    }
    plan_free(&plan);
}

/* Without --device: the first GPU, or the CPU where there is none. */
static bool chosen(const struct soak_state *state, const struct duel_place *place)
{
    const struct duel_registry *registry = &state->registry;
    if (!place->info.usable || !place->backend || place->backend->emulated ||
        !plan_selects(state->options->device, place))
        return false;
    for (int i = 0; i < registry->count && !state->options->device; i++) {
        const struct duel_place *other = &registry->place[i];
        if (other->info.usable && other->backend && other->backend->upload && !other->backend->emulated)
            return other == place;
    }
    return true;
}

static enum duel_status check_device(const struct soak_state *state, struct duel_why *why)
{
    const struct duel_registry *registry = &state->registry;
    bool any = false;
    for (int i = 0; i < registry->count; i++) {
        const struct duel_place *place = &registry->place[i];
        any = any || chosen(state, place);
        if (!state->options->device || !plan_selects(state->options->device, place))
            continue;
        if (place->backend && place->backend->emulated)
            duel_fail(why, DUEL_SKIP, "it is a program on the CPU: there is nothing to heat and no clock to fall",
                      "give --device cuda or --device cpu", "the emulated GPU cannot be soaked");
        else if (!place->info.usable)
            *why = place->info.why;
    }
    if (any)
        return DUEL_OK;
    if (!why->seen[0])
        duel_fail(why, DUEL_SKIP, "the device was asked for by name, so nothing else is loaded instead",
                  "`duel devices` shows what is here", "device %s is not here",
                  state->options->device ? state->options->device : "cpu");
    return DUEL_SKIP;
}

/* A load is one problem, again and again. */
static enum duel_status check_work(const struct soak_state *state, struct duel_why *why)
{
    const struct duel_options *options = state->options;
    int workloads = 0;
    for (int w = 0; workload_table[w]; w++)
        workloads += options->pattern_count > 0 && plan_wants(&state->registry, options, workload_table[w]);
    if (workloads > 1)
        return duel_fail(why, DUEL_EINVAL, "a load is one problem, again and again", "name one: duel soak gemm",
                         "%d workloads are selected", workloads);
    if (options->shape_count > 1)
        return duel_fail(why, DUEL_EINVAL, "a load is one problem, again and again", "give one size",
                         "%d sizes were given", options->shape_count);
    return DUEL_OK;
}

static int finish(struct soak_state *state)
{
    struct duel_why why = {{0}, {0}, {0}};
    const int trouble = state->trouble.status == DUEL_OK ? EXIT_DONE : message_exit_code(state->trouble.status);
    int code = state->wrong ? EXIT_WRONG : state->broken ? EXIT_DEVICE : trouble;
    if (code == EXIT_DONE && interrupt_pending())
        code = EXIT_SIGNAL + interrupt_pending();
    const char *outcome = interrupt_pending() ? "interrupted" : code == EXIT_DONE ? "done" : "failed";
    trouble_note(&state->trouble, runfile_end(state->file, outcome, code, &why), &why);
    head_tell_files(state->talk, state->file, state->options, state->pictures);
    if (interrupt_pending())
        message_note("duel: interrupted; what was measured until then is kept");
    trouble_tell(&state->trouble, state->file);
    return code == EXIT_DONE && state->trouble.status != DUEL_OK ? message_exit_code(state->trouble.status) : code;
}

static int run(const struct duel_options *options, const char *command_line)
{
    struct soak_state *state = calloc(1, sizeof *state);
    struct duel_why why = {{0}, {0}, {0}};
    int code;
    if (!state)
        return message_error(DUEL_ENOMEM, &why);
    state->options = options;
    state->talk = head_talk(options);
    state->drawer.interrupt = interrupt_pending;
    interrupt_install();
    registry_load(&state->registry);
    enum duel_status status = plan_check_names(&state->registry, options, &why);
    if (status == DUEL_OK)
        status = check_work(state, &why);
    if (status == DUEL_OK)
        status = check_device(state, &why);
    if (status == DUEL_OK)
        status = head_open(&state->file, options, &state->registry, &soak_point_sheet, command_line, &why);
    if (status == DUEL_OK) {
        for (int i = 0; i < state->registry.count && !interrupt_pending(); i++)
            if (chosen(state, &state->registry.place[i]))
                soak_place(state, &state->registry.place[i]);
        code = finish(state);
    } else {
        code = message_refusal(status, &why);
    }
    free(state->points);
    runfile_close(state->file);
    registry_close(&state->registry);
    free(state);
    return code;
}

static const char *const accepted[] = {"--minutes",  "--device",   "--n",        "--shape", "--precision",
                                       "--threads",  "--seed",     "--json",     "--csv",   "--out=reports/soak",
                                       "--terminal", "--no-plots", "--identify", "--quiet", NULL};
const struct duel_command soak_command = {
    .name = "soak",
    .summary = "Minutes of load: does a device keep its speed, clock and power, and do its answers stay right?",
    .usage = "soak [PATTERN] [OPTIONS]",
    .example = "duel soak --minutes 10\n"
               "          duel soak gpu/gemm/cublas --device cuda:0 --n 8192 --minutes 30",
    .detail = "A short race picks the fastest right implementation (of GEMM in FP32 without a PATTERN); it then runs\n"
              "without pause, on one device after the other, with inputs that take turns. After each stretch of load\n"
              "the last answer is compared with one that was verified before: any wrong one is counted and located,\n"
              "and the exit code is 3. Burst is the median of the first seconds, sustained that of the last third.",
    .options = accepted,
    .patterns = true,
    .computes = true,
    .run = run,
};
