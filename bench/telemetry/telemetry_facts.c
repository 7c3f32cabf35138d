/* telemetry_facts.c: what a machine is set to: limits, modes, versions, and who else is on the GPU. */
#include "bench/telemetry/telemetry_state.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "bench/telemetry/root_file.h"

/* Where facts go. */
struct teller {
    struct duel_telemetry *telemetry;
    telemetry_fact_seen *seen;
    void *context;
};

static void tell(const struct teller *teller, const char *name, const char *text, double number, const char *why)
{
    struct duel_telemetry_fact fact = {name, why ? NULL : text, why || text ? NAN : number, why};
    teller->seen(teller->context, &fact);
}

/* ---- the GPU ---------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum gpu_value value;
    bool is_mode; /* told as on or off */
} gpu_facts[] = {
    {"ecc", GPU_ECC, true},
    {"mig", GPU_MIG, true},
    {"persistence", GPU_PERSISTENCE, true},
    {"power_limit_w", GPU_POWER_LIMIT, false},
    {"power_limit_default_w", GPU_POWER_LIMIT_DEFAULT, false},
    {"clock_sm_max_mhz", GPU_SM_CLOCK_MAX, false},
    {"clock_memory_max_mhz", GPU_MEMORY_CLOCK_MAX, false},
    {"pcie_generation_max", GPU_LINK_GENERATION_MAX, false},
    {"pcie_width_max", GPU_LINK_WIDTH_MAX, false},
};

static void tell_gpu_values(const struct teller *teller)
{
    for (size_t i = 0; i < sizeof gpu_facts / sizeof *gpu_facts; i++) {
        double value = NAN;
        char why[TELEMETRY_WHY];
        bool known = telemetry_gpu_read(teller->telemetry, gpu_facts[i].value, &value, why, sizeof why);
        const char *mode = gpu_facts[i].is_mode ? (value > 0 ? "on" : "off") : NULL;
        tell(teller, gpu_facts[i].name, mode, value, known ? NULL : why);
    }
}

static void tell_versions(const struct teller *teller)
{
    static const char *const names[] = {"management_library", "driver"};
    for (int driver = 1; driver >= 0; driver--) {
        char text[96] = "", why[TELEMETRY_WHY];
        struct gpu_meter *gpu = teller->telemetry->gpu;
        bool known = gpu && gpu_meter_version(gpu, driver, text, sizeof text, why, sizeof why);
        tell(teller, names[driver], text, 0, known ? NULL : gpu ? why : teller->telemetry->gpu_why);
    }
}

/* The driver names processes by their numbers on the host; inside a container this program has another one. The first
 * namespace of a machine has a number that the kernel fixes. */
static bool sees_host_processes(const char *root)
{
    char path[4096], link[64] = "";
    snprintf(path, sizeof path, "%s/proc/self/ns/pid", root);
    return readlink(path, link, sizeof link - 1) > 0 && strcmp(link, "pid:[4026531836]") == 0;
}

static void tell_processes(const struct teller *teller)
{
    const char *name = "gpu_processes_other";
    char why[TELEMETRY_WHY];
    int total = 0;
    bool own = false;
    struct gpu_meter *gpu = teller->telemetry->gpu;
    if (!gpu || !gpu_meter_processes(gpu, &total, &own, why, sizeof why)) {
        tell(teller, name, NULL, 0, gpu ? why : teller->telemetry->gpu_why);
        return;
    }
    snprintf(why, sizeof why, "%d in all; in a container this program cannot find itself among them", total);
    bool known = total == 0 || own || sees_host_processes(teller->telemetry->options.root);
    tell(teller, name, NULL, total - own, known ? NULL : why);
}

/* ---- the CPU ---------------------------------------------------------------------------------------------------- */

#define CPU "/sys/devices/system/cpu/"

static void tell_governor(const struct teller *teller)
{
    char text[64], why[TELEMETRY_WHY];
    bool known = root_file_line(teller->telemetry->options.root, CPU "cpu0/cpufreq/scaling_governor", text, sizeof text,
                                why, sizeof why);
    tell(teller, "governor", text, 0, known ? NULL : why);
}

/* intel_pstate has a switch of its own, which says the opposite. */
static void tell_boost(const struct teller *teller)
{
    const char *root = teller->telemetry->options.root;
    char why[TELEMETRY_WHY], unused[TELEMETRY_WHY];
    uint64_t on = 0, off = 0;
    if (root_file_count(root, CPU "cpufreq/boost", &on, why, sizeof why))
        tell(teller, "boost", on ? "on" : "off", 0, NULL);
    else if (root_file_count(root, CPU "intel_pstate/no_turbo", &off, unused, sizeof unused))
        tell(teller, "boost", off ? "off" : "on", 0, NULL);
    else
        tell(teller, "boost", NULL, 0, why);
}

static void tell_cpu(const struct teller *teller)
{
    char why[TELEMETRY_WHY];
    uint64_t khz = 0;
    tell_governor(teller);
    tell_boost(teller);
    bool known =
        root_file_count(teller->telemetry->options.root, CPU "cpu0/cpufreq/cpuinfo_max_freq", &khz, why, sizeof why);
    tell(teller, "cpu_clock_max_mhz", NULL, (double)khz * 1e-3, known ? NULL : why);
    struct rapl probe = teller->telemetry->rapl; /* a copy: a running interval goes on */
    rapl_begin(&probe);
    tell(teller, "cpu_energy_packages", NULL, probe.packages, *probe.why ? probe.why : NULL);
}

void telemetry_facts(struct duel_telemetry *telemetry, telemetry_fact_seen *seen, void *context)
{
    struct teller teller = {telemetry, seen, context};
    if (!telemetry)
        return;
    if (!telemetry->options.gpu) {
        tell_cpu(&teller);
        return;
    }
    tell_versions(&teller);
    tell_gpu_values(&teller);
    tell_processes(&teller);
}
