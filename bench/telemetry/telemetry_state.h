/* telemetry_state.h: what an open telemetry holds; for the files of this folder alone. */
#ifndef DUEL_TELEMETRY_STATE_H
#define DUEL_TELEMETRY_STATE_H

#include "bench/stats/stats.h"
#include "bench/telemetry/cpu_load.h"
#include "bench/telemetry/gpu_meter.h"
#include "bench/telemetry/rapl.h"

#define TELEMETRY_SERIES 8
/* No card and no machine uses more; a counter that says so lies. */
#define TELEMETRY_POWER_MAX_W 10000.0

/* Where a series comes from (GPU_VALUES: the clock of the CPU) and its struct duel_reading in the summary. */
struct telemetry_series_row {
    enum gpu_value gpu;
    size_t offset;
};
extern const struct telemetry_series_row telemetry_series_table[TELEMETRY_SERIES];

/* What is read again and again: its values of this interval, and why the latest failed reading failed. */
struct telemetry_series {
    struct duel_samples samples;
    char why[TELEMETRY_WHY];
};

struct duel_telemetry {
    struct duel_telemetry_options options; /* root and now are never NULL */
    struct gpu_meter *gpu;                 /* NULL: none, for this reason */
    char gpu_why[TELEMETRY_WHY];
    struct rapl rapl;

    bool running;
    double began, next_poll; /* by options.now */
    struct telemetry_series series[TELEMETRY_SERIES];
    uint64_t reasons; /* all bits seen */
    size_t reason_readings, limited_readings;
    char reason_why[TELEMETRY_WHY];
    struct duel_quantity energy_at_begin;
    struct cpu_ticks ticks;
    int64_t waits, preemptions;
};

/* One value of the GPU; without a GPU the reason is why there is none. */
bool telemetry_gpu_read(struct duel_telemetry *telemetry, enum gpu_value which, double *value, char *why, size_t size);
/* One reading of everything, now. */
void telemetry_read(struct duel_telemetry *telemetry);
/* Context switches of this process so far. */
void telemetry_switches(int64_t *waits, int64_t *preemptions);

#endif
