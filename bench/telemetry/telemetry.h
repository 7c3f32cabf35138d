/* telemetry.h: what the machine did while it was measured: clocks, power, temperature, energy, link, and other work.
 *
 * Every field is optional. One that is unknown is NaN and its `why` says in a few words why (no permission, not
 * supported, no GPU, impossible value). Nothing here changes a setting of the machine, and a call that fails costs one
 * field, never the run. */
#ifndef DUEL_TELEMETRY_H
#define DUEL_TELEMETRY_H

#include "bench/duel.h"

#define TELEMETRY_WHY 120
/* Energy over less than this is unknown: counters of GPUs move in steps of about a tenth of a second. */
#define TELEMETRY_ENERGY_SECONDS 2.0
/* Readings of poll() are at least this far apart, and at least TELEMETRY_REST times as long as the last one took. */
#define TELEMETRY_POLL_SECONDS 0.05
#define TELEMETRY_REST 20

/* All may be NULL. Texts must live as long as the telemetry. */
struct duel_telemetry_options {
    const char *gpu;              /* PCI bus id ("0000:17:00.0") or uuid ("GPU-...") of the card; NULL: the CPU alone */
    const char *library;          /* the driver's management library; NULL: $DUEL_NVML, else libnvidia-ml.so.1 */
    const char *root;             /* stands before /proc and /sys; NULL: this machine */
    double (*now)(void *context); /* host clock in seconds; NULL: CLOCK_MONOTONIC_RAW */
    void *now_context;
};

/* One quantity, read again and again. */
struct duel_reading {
    size_t count;            /* readings that gave a value */
    double min, median, max; /* NaN without one */
    char why[TELEMETRY_WHY]; /* why the latest failed reading failed; empty when none did */
};

/* One quantity of the whole interval. */
struct duel_quantity {
    double value; /* NaN: unknown */
    char why[TELEMETRY_WHY];
};

/* Work of others on this machine's CPUs. Shares are of all CPU time of the interval, 0 .. 1. */
struct duel_cpu_load {
    double foreign_share; /* busy, less the CPU time of this process; NaN: unknown */
    double steal_share;   /* taken by the hypervisor for other guests */
    int64_t cpus;         /* that the kernel counts for; 0: unknown */
    char why[TELEMETRY_WHY];
};

struct duel_telemetry_summary {
    double seconds; /* the interval's length */
    /* While it ran. The link lowers its generation when idle: its max is what counts. */
    struct duel_reading sm_clock_mhz, memory_clock_mhz, temperature_c, power_w, gpu_busy_percent;
    struct duel_reading pcie_generation, pcie_width, cpu_mhz;
    /* Median SM clock over the highest that the card has: well below 1 with a limiting reason says what held it back.
     */
    struct duel_quantity sm_clock_of_max;
    char clock_reasons[160]; /* "power cap, thermal slowdown"; "none"; empty: unknown, as the share below */
    struct duel_quantity clock_limited_share; /* share of the readings in which power or heat held the clock back */
    struct duel_quantity gpu_energy_j;        /* the whole card's */
    struct duel_quantity cpu_energy_j;        /* all processor packages, whoever used them; without memory */
    struct duel_cpu_load cpu;
    int64_t waits, preemptions; /* context switches of this process: of its own will, and by force */
};

struct duel_telemetry;

/* DUEL_OK. DUEL_SKIP with *why: the GPU cannot be read; what the CPU tells is still there. DUEL_ENOMEM: *telemetry is
 * NULL. All functions below accept NULL and then know nothing. */
enum duel_status telemetry_open(struct duel_telemetry **telemetry, const struct duel_telemetry_options *options,
                                struct duel_why *why);
void telemetry_close(struct duel_telemetry *telemetry);

/* begin() starts an interval, poll() reads if it is time to, end() closes it. Call poll() between samples: it takes
 * time, and the clock of a GPU falls soon after its work is done. An interval without a reading gets one at its end. */
void telemetry_begin(struct duel_telemetry *telemetry);
void telemetry_poll(struct duel_telemetry *telemetry);
void telemetry_end(struct duel_telemetry *telemetry, struct duel_telemetry_summary *summary);
/* Everything unknown, for this reason. */
void telemetry_unknown(struct duel_telemetry_summary *summary, const char *why);

/* What does not change while measuring: text, or a number, or the reason why it is unknown. */
struct duel_telemetry_fact {
    const char *name; /* with its unit */
    const char *text; /* NULL: the value is the number */
    double number;
    const char *why; /* NULL when known */
};
typedef void telemetry_fact_seen(void *context, const struct duel_telemetry_fact *fact);
/* Tells all facts of the GPU that was asked for, or of the CPU when none was. */
void telemetry_facts(struct duel_telemetry *telemetry, telemetry_fact_seen *seen, void *context);

/* How busy is this machine with other work right now: watches for `seconds` (at least 0.1). `root` as above. */
void telemetry_cpu_load(const char *root, double seconds, struct duel_cpu_load *load);

#endif
