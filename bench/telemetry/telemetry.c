/* telemetry.c: opens the sources, and reads them between samples. telemetry_end.c makes the summary. */
#include "bench/telemetry/telemetry.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "bench/telemetry/cpu_clock.h"
#include "bench/telemetry/telemetry_state.h"

static double raw_clock(void *context)
{
    (void)context;
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- open and close --------------------------------------------------------------------------------------------- */

enum duel_status telemetry_open(struct duel_telemetry **telemetry, const struct duel_telemetry_options *options,
                                struct duel_why *why)
{
    struct duel_why unheard = {"", "", ""}, *said = why ? why : &unheard;
    struct duel_telemetry *made = *telemetry = calloc(1, sizeof *made);
    if (!made)
        return duel_fail(why, DUEL_ENOMEM, "clocks, power and other work stay unknown", "free some memory",
                         "out of memory");
    if (options)
        made->options = *options;
    if (!made->options.root)
        made->options.root = "";
    if (!made->options.now)
        made->options.now = raw_clock;
    rapl_open(&made->rapl, made->options.root);
    snprintf(made->gpu_why, sizeof made->gpu_why, "no GPU was asked for");
    if (!made->options.gpu)
        return DUEL_OK;
    enum duel_status status = gpu_meter_open(&made->gpu, made->options.library, made->options.gpu, said);
    if (status != DUEL_OK)
        snprintf(made->gpu_why, sizeof made->gpu_why, "%.*s", TELEMETRY_WHY - 1, said->seen);
    return status == DUEL_OK ? DUEL_OK : DUEL_SKIP;
}

void telemetry_close(struct duel_telemetry *telemetry)
{
    if (!telemetry)
        return;
    gpu_meter_close(telemetry->gpu);
    for (int i = 0; i < TELEMETRY_SERIES; i++)
        samples_free(&telemetry->series[i].samples);
    free(telemetry);
}

/* ---- readings --------------------------------------------------------------------------------------------------- */

bool telemetry_gpu_read(struct duel_telemetry *telemetry, enum gpu_value which, double *value, char *why, size_t size)
{
    if (telemetry->gpu)
        return gpu_meter_read(telemetry->gpu, which, value, why, size);
    snprintf(why, size, "%s", telemetry->gpu_why);
    return false;
}

/* The clock of the CPU that this thread is on: it was just at work, while others may have been idle. */
static bool read_cpu_clock(struct duel_telemetry *telemetry, double *mhz, char *why, size_t size)
{
    int cpu = sched_getcpu();
    return cpu_clock_read(telemetry->options.root, cpu < 0 ? 0 : cpu, mhz, why, size);
}

static void read_series(struct duel_telemetry *telemetry, int i)
{
    struct telemetry_series *series = &telemetry->series[i];
    enum gpu_value which = telemetry_series_table[i].gpu;
    double value;
    char why[TELEMETRY_WHY];
    bool known = which == GPU_VALUES ? read_cpu_clock(telemetry, &value, why, sizeof why)
                                     : telemetry_gpu_read(telemetry, which, &value, why, sizeof why);
    if (known && samples_add(&series->samples, value))
        return;
    snprintf(series->why, sizeof series->why, "%s", known ? "out of memory" : why);
}

static void read_reasons(struct duel_telemetry *telemetry)
{
    double bits;
    char why[TELEMETRY_WHY];
    if (!telemetry_gpu_read(telemetry, GPU_CLOCK_REASONS, &bits, why, sizeof why)) {
        memcpy(telemetry->reason_why, why, sizeof why);
        return;
    }
    telemetry->reasons |= (uint64_t)bits;
    telemetry->reason_readings++;
    telemetry->limited_readings += gpu_reason_limits((uint64_t)bits);
}

void telemetry_read(struct duel_telemetry *telemetry)
{
    double started = telemetry->options.now(telemetry->options.now_context);
    for (int i = 0; i < TELEMETRY_SERIES; i++)
        read_series(telemetry, i);
    read_reasons(telemetry);
    rapl_poll(&telemetry->rapl);
    double ended = telemetry->options.now(telemetry->options.now_context);
    double rest = TELEMETRY_REST * (ended - started);
    telemetry->next_poll = ended + (rest > TELEMETRY_POLL_SECONDS ? rest : TELEMETRY_POLL_SECONDS);
}

/* ---- the interval ----------------------------------------------------------------------------------------------- */

void telemetry_switches(int64_t *waits, int64_t *preemptions)
{
    struct rusage usage;
    bool known = getrusage(RUSAGE_SELF, &usage) == 0;
    *waits = known ? usage.ru_nvcsw : 0;
    *preemptions = known ? usage.ru_nivcsw : 0;
}

void telemetry_begin(struct duel_telemetry *telemetry)
{
    if (!telemetry)
        return;
    for (int i = 0; i < TELEMETRY_SERIES; i++) {
        telemetry->series[i].samples.count = 0;
        *telemetry->series[i].why = '\0';
    }
    telemetry->reasons = 0;
    telemetry->reason_readings = telemetry->limited_readings = 0;
    *telemetry->reason_why = '\0';
    struct duel_quantity *energy = &telemetry->energy_at_begin;
    energy->value = NAN;
    telemetry_gpu_read(telemetry, GPU_ENERGY, &energy->value, energy->why, sizeof energy->why);
    rapl_begin(&telemetry->rapl);
    telemetry_switches(&telemetry->waits, &telemetry->preemptions);
    cpu_ticks_read(telemetry->options.root, &telemetry->ticks);
    telemetry->running = true;
    telemetry->began = telemetry->options.now(telemetry->options.now_context);
    telemetry->next_poll = telemetry->began; /* the first sample is worth a reading: short runs have few */
}

void telemetry_poll(struct duel_telemetry *telemetry)
{
    if (telemetry && telemetry->running &&
        telemetry->options.now(telemetry->options.now_context) >= telemetry->next_poll)
        telemetry_read(telemetry);
}
