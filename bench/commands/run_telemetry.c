/* run_telemetry.c: what the machine did while a size was measured: one record per size and device, and the load of
 * other work in every row. */
#include <math.h>
#include <string.h>

#include "bench/commands/run_state.h"
#include "bench/record/record.h"

static const char *text_property(const struct duel_device_info *info, const char *name)
{
    for (int i = 0; i < info->property_count; i++)
        if (strcmp(info->property[i].name, name) == 0 && info->property[i].text[0])
            return info->property[i].text;
    return NULL;
}

/* Limits, modes and versions belong to the device: they go into its record beside its properties. */
static void add_fact(void *context, const struct duel_telemetry_fact *fact)
{
    struct duel_device_info *info = context;
    if (info->property_count == DUEL_MAX_PROPERTIES)
        return;
    struct duel_property *property = &info->property[info->property_count++];
    *property = (struct duel_property){.number = fact->number};
    snprintf(property->name, sizeof property->name, "%s%s", fact->name, fact->why ? "_why" : "");
    snprintf(property->text, sizeof property->text, "%s", fact->why ? fact->why : fact->text ? fact->text : "");
}

/* One for the CPU and one for each real GPU that runs something. What cannot be read is told in the records. */
void run_telemetry_open(struct run_state *state)
{
    struct duel_why why;
    for (int i = 0; i < state->registry.count; i++) {
        struct duel_place *place = &state->registry.place[i];
        struct duel_telemetry_options options = {0};
        bool cpu = strcmp(place->id, "cpu") == 0;
        if (!cpu && (!place->info.usable || place->backend->emulated || !plan_selects(state->options.device, place)))
            continue;
        if (!cpu)
            options.gpu = text_property(&place->info, "pci_bus_id");
        if (cpu || options.gpu)
            telemetry_open(&state->telemetry[i], &options, &why);
        if (!cpu && state->telemetry[i])
            telemetry_facts(state->telemetry[i], add_fact, &place->info);
    }
}

void run_telemetry_close(struct run_state *state)
{
    for (int i = 0; i < state->registry.count; i++)
        telemetry_close(state->telemetry[i]);
}

void run_telemetry_begin(struct run_state *state)
{
    for (int i = 0; i < state->registry.count; i++)
        telemetry_begin(state->telemetry[i]);
}

void run_telemetry_poll(struct run_state *state)
{
    for (int i = 0; i < state->registry.count; i++)
        telemetry_poll(state->telemetry[i]);
}

static void put_reading(struct duel_record *record, const char *name, const struct duel_reading *reading)
{
    char field[64];
    static const char *const part[] = {"min", "median", "max"};
    const double value[] = {reading->min, reading->median, reading->max};
    for (int i = 0; i < 3; i++) {
        snprintf(field, sizeof field, "%s_%s", name, part[i]);
        record_real(record, field, value[i], i == 1 ? reading->why : NULL);
    }
}

static void put_gpu(struct duel_record *record, const struct duel_telemetry_summary *summary)
{
    put_reading(record, "sm_clock_mhz", &summary->sm_clock_mhz);
    put_reading(record, "memory_clock_mhz", &summary->memory_clock_mhz);
    put_reading(record, "temperature_c", &summary->temperature_c);
    put_reading(record, "power_w", &summary->power_w);
    put_reading(record, "pcie_generation", &summary->pcie_generation);
    put_reading(record, "pcie_width", &summary->pcie_width);
    record_real(record, "sm_clock_of_max", summary->sm_clock_of_max.value, summary->sm_clock_of_max.why);
    record_text(record, "clock_reasons", summary->clock_reasons, summary->clock_limited_share.why);
    record_real(record, "clock_limited_share", summary->clock_limited_share.value, NULL);
    record_real(record, "energy_j", summary->gpu_energy_j.value, summary->gpu_energy_j.why);
}

static void put_cpu(struct duel_record *record, const struct duel_telemetry_summary *summary)
{
    put_reading(record, "cpu_mhz", &summary->cpu_mhz);
    record_real(record, "foreign_cpu_share", summary->cpu.foreign_share, summary->cpu.why);
    record_real(record, "steal_share", summary->cpu.steal_share, NULL);
    record_count(record, "preemptions", summary->preemptions, NULL);
    record_real(record, "energy_j", summary->cpu_energy_j.value, summary->cpu_energy_j.why);
}

void run_telemetry_end(struct run_state *state, const struct duel_group *group, struct duel_result *rows)
{
    for (int i = 0; i < state->registry.count; i++) {
        struct duel_telemetry_summary summary;
        struct duel_record record;
        struct duel_why why;
        if (!state->telemetry[i])
            continue;
        telemetry_end(state->telemetry[i], &summary);
        record_init(&record, "telemetry");
        record_text(&record, "device", state->registry.place[i].id, NULL);
        record_text(&record, "workload", group->workload->name, NULL);
        record_count(&record, "m", group->problem.m, NULL);
        record_count(&record, "n", group->problem.n, NULL);
        record_count(&record, "k", group->problem.k, NULL);
        record_count(&record, "count", group->problem.count, NULL);
        record_real(&record, "seconds", summary.seconds, NULL);
        if (i == 0)
            put_cpu(&record, &summary);
        else
            put_gpu(&record, &summary);
        run_note_trouble(state, runfile_put(state->file, &record, &why), &why);
        for (int r = 0; i == 0 && r < group->count; r++)
            rows[r].foreign_cpu_share = summary.cpu.foreign_share;
    }
}
