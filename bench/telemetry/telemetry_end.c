/* telemetry_end.c: what an interval was like. */
#include "bench/telemetry/telemetry_state.h"

#include <math.h>
#include <string.h>

#define AT(member) offsetof(struct duel_telemetry_summary, member)

const struct telemetry_series_row telemetry_series_table[TELEMETRY_SERIES] = {
    {GPU_SM_CLOCK, AT(sm_clock_mhz)},     {GPU_MEMORY_CLOCK, AT(memory_clock_mhz)},
    {GPU_TEMPERATURE, AT(temperature_c)}, {GPU_POWER, AT(power_w)},
    {GPU_BUSY, AT(gpu_busy_percent)},     {GPU_LINK_GENERATION, AT(pcie_generation)},
    {GPU_LINK_WIDTH, AT(pcie_width)},     {GPU_VALUES, AT(cpu_mhz)},
};

static struct duel_reading *reading_of(struct duel_telemetry_summary *summary, int i)
{
    return (struct duel_reading *)(void *)((char *)summary + telemetry_series_table[i].offset);
}

static void unknown(struct duel_quantity *quantity, const char *why)
{
    quantity->value = NAN;
    snprintf(quantity->why, sizeof quantity->why, "%s", why);
}

void telemetry_unknown(struct duel_telemetry_summary *summary, const char *why)
{
    memset(summary, 0, sizeof *summary);
    summary->seconds = NAN;
    for (int i = 0; i < TELEMETRY_SERIES; i++) {
        struct duel_reading *reading = reading_of(summary, i);
        reading->min = reading->median = reading->max = NAN;
        snprintf(reading->why, sizeof reading->why, "%s", why);
    }
    unknown(&summary->sm_clock_of_max, why);
    unknown(&summary->clock_limited_share, why);
    unknown(&summary->gpu_energy_j, why);
    unknown(&summary->cpu_energy_j, why);
    summary->cpu.foreign_share = summary->cpu.steal_share = NAN;
    snprintf(summary->cpu.why, sizeof summary->cpu.why, "%s", why);
    summary->waits = summary->preemptions = -1;
}

static void end_series(struct duel_telemetry *telemetry, struct duel_telemetry_summary *summary)
{
    for (int i = 0; i < TELEMETRY_SERIES; i++) {
        const struct telemetry_series *series = &telemetry->series[i];
        struct duel_summary of = stats_summary(series->samples.value, series->samples.count);
        struct duel_reading *reading = reading_of(summary, i);
        reading->count = of.count;
        reading->min = of.min;
        reading->median = of.median;
        reading->max = of.max;
        memcpy(reading->why, series->why, sizeof reading->why);
    }
}

static void end_clocks(struct duel_telemetry *telemetry, struct duel_telemetry_summary *summary)
{
    double highest;
    struct duel_quantity *of_max = &summary->sm_clock_of_max, *limited = &summary->clock_limited_share;
    if (!summary->sm_clock_mhz.count)
        unknown(of_max, summary->sm_clock_mhz.why);
    else if (!telemetry_gpu_read(telemetry, GPU_SM_CLOCK_MAX, &highest, of_max->why, sizeof of_max->why))
        of_max->value = NAN;
    else
        *of_max = (struct duel_quantity){.value = summary->sm_clock_mhz.median / highest};
    if (!telemetry->reason_readings) {
        unknown(limited, telemetry->reason_why);
        return;
    }
    gpu_reason_words(telemetry->reasons, summary->clock_reasons, sizeof summary->clock_reasons);
    limited->value = (double)telemetry->limited_readings / (double)telemetry->reason_readings;
    memcpy(limited->why, telemetry->reason_why, sizeof limited->why);
}

/* Joules over seconds that can be believed; else the quantity says why not. */
static void check_energy(struct duel_quantity *energy, double joules, double seconds)
{
    *energy = (struct duel_quantity){.value = NAN};
    if (!(seconds >= TELEMETRY_ENERGY_SECONDS))
        snprintf(energy->why, sizeof energy->why, "%.3g s is too short: energy counters need %.0f s", seconds,
                 TELEMETRY_ENERGY_SECONDS);
    else if (joules < 0)
        snprintf(energy->why, sizeof energy->why, "the energy counter ran backwards by %.4g J", -joules);
    else if (!(joules > 0))
        snprintf(energy->why, sizeof energy->why, "the energy counter stood still for %.3g s", seconds);
    else if (!(joules / seconds <= TELEMETRY_POWER_MAX_W))
        snprintf(energy->why, sizeof energy->why, "%.4g J in %.3g s cannot be true", joules, seconds);
    else
        energy->value = joules;
}

static void end_energy(struct duel_telemetry *telemetry, struct duel_telemetry_summary *summary)
{
    struct duel_quantity *gpu = &summary->gpu_energy_j;
    const struct duel_quantity *begin = &telemetry->energy_at_begin;
    double now;
    if (isnan(begin->value))
        unknown(gpu, begin->why);
    else if (telemetry_gpu_read(telemetry, GPU_ENERGY, &now, gpu->why, sizeof gpu->why))
        check_energy(gpu, now - begin->value, summary->seconds);
    else
        gpu->value = NAN;
    rapl_poll(&telemetry->rapl);
    if (*telemetry->rapl.why)
        unknown(&summary->cpu_energy_j, telemetry->rapl.why);
    else
        check_energy(&summary->cpu_energy_j, telemetry->rapl.joules, summary->seconds);
}

void telemetry_end(struct duel_telemetry *telemetry, struct duel_telemetry_summary *summary)
{
    struct cpu_ticks ticks;
    if (!telemetry || !telemetry->running) {
        telemetry_unknown(summary, telemetry ? "no interval was begun" : "the machine was not watched");
        return;
    }
    memset(summary, 0, sizeof *summary);
    cpu_ticks_read(telemetry->options.root, &ticks);
    summary->seconds = telemetry->options.now(telemetry->options.now_context) - telemetry->began;
    end_energy(telemetry, summary); /* before anything that takes time */
    if (telemetry->next_poll <= telemetry->began)
        telemetry_read(telemetry);
    cpu_load_between(&telemetry->ticks, &ticks, &summary->cpu);
    telemetry_switches(&summary->waits, &summary->preemptions);
    summary->waits -= telemetry->waits;
    summary->preemptions -= telemetry->preemptions;
    end_series(telemetry, summary);
    end_clocks(telemetry, summary);
    telemetry->running = false;
}
