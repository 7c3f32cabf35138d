/* frequency.c: how fast the cores run. A clock that moves between two samples moves every number with it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/doctor/checks.h"
#include "bench/doctor/files.h"
#include "bench/record/facts.h"

#define CPU "/sys/devices/system/cpu/"

/* ---- governor --------------------------------------------------------------------------------------------- */

/* The governors of all CPUs: how many have the same one as the first. */
struct governors {
    char first[32];
    int cpus, alike;
};

static void visit_governor(void *context, const char *path, const char *value)
{
    struct governors *all = context;
    (void)path;
    if (all->cpus++ == 0)
        snprintf(all->first, sizeof all->first, "%.31s", value);
    all->alike += strcmp(all->first, value) == 0;
}

/* What is known about each governor. An own entry for the drivers with hardware-managed clocks, where "powersave" only
 * means that the hardware decides. */
static const struct governor {
    const char *name;
    bool hardware; /* only under intel_pstate, amd-pstate and the like */
    enum doctor_mark mark;
    const char *matters;
} governor_table[] = {
    {"performance", false, DOCTOR_GOOD, NULL},
    {"powersave", true, DOCTOR_WARN, "the clock rises only after some load: short runs see a slower processor"},
    {"powersave", false, DOCTOR_BAD, "the cores stay at their lowest clock: every CPU row is slower than it could be"},
    {"userspace", false, DOCTOR_WARN, "someone set the clock by hand, and it may not be the highest"},
    {"", false, DOCTOR_WARN, "the clock follows the load: it rises while the first samples are taken"},
};

static bool is_hardware_managed(const char *driver)
{
    return strstr(driver, "pstate") || strstr(driver, "cppc");
}

void look_governor(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    struct governors all = {"", 0, 0};
    char driver[64];
    const struct governor *known = governor_table;
    files_visit(scene->root, CPU "cpu[0-9]*/cpufreq/scaling_governor", visit_governor, &all);
    if (all.cpus == 0) {
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "the clock may change without being seen",
                     "in a virtual machine the host decides; ask whoever runs it", "no frequency control here");
        return;
    }
    facts_read(scene->root, CPU "cpu0/cpufreq/scaling_driver", NULL, driver, sizeof driver);
    while (known->name[0] && (strcmp(known->name, all.first) != 0 || (known->hardware && !is_hardware_managed(driver))))
        known++;
    const char *next = "sudo cpupower frequency-set -g performance";
    if (all.alike < all.cpus)
        doctor_found(finding, DOCTOR_WARN, all.cpus, "cores with different governors run at different clocks", next,
                     "%s on %d of %d CPUs", all.first, all.alike, all.cpus);
    else
        doctor_found(finding, known->mark, all.cpus, known->matters, next, "%s on %d CPUs%s%s", all.first, all.cpus,
                     driver[0] ? ", driver " : "", driver);
}

/* ---- boost and limits ------------------------------------------------------------------------------------- */

void look_boost(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    double boost = files_number(scene->root, CPU "cpufreq/boost");
    double no_turbo = files_number(scene->root, CPU "intel_pstate/no_turbo");
    bool intel = !isnan(no_turbo), on = intel ? no_turbo == 0 : boost == 1;
    if (!intel && isnan(boost))
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "a boosted clock depends on heat and on the number of busy cores",
                     "in a virtual machine the host decides", "whether cores may boost is not told");
    else if (on)
        doctor_found(finding, DOCTOR_WARN, 1,
                     "one busy core is clocked higher than many: rows of 1 and of all threads differ by that too, and "
                     "a warm machine is slower than a cold one",
                     intel ? "to compare runs of different days: echo 1 | sudo tee " CPU "intel_pstate/no_turbo"
                           : "to compare runs of different days: echo 0 | sudo tee " CPU "cpufreq/boost",
                     "on");
    else
        doctor_found(finding, DOCTOR_GOOD, 0, NULL, NULL, "off");
}

/* The lowest share of its highest clock that a CPU is allowed. */
static void visit_limit(void *context, const char *path, const char *value)
{
    double *lowest = context;
    char sibling[4096], most[64];
    const char *slash = strrchr(path, '/');
    snprintf(sibling, sizeof sibling, "%.*s/cpuinfo_max_freq", (int)(slash - path), path);
    if (!facts_read("", sibling, NULL, most, sizeof most) || !(strtod(most, NULL) > 0))
        return;
    double share = strtod(value, NULL) / strtod(most, NULL);
    if (isnan(*lowest) || share < *lowest)
        *lowest = share;
}

void look_clock_limit(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    double lowest = NAN;
    files_visit(scene->root, CPU "cpu[0-9]*/cpufreq/scaling_max_freq", visit_limit, &lowest);
    if (isnan(lowest))
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "a limit would slow every CPU row",
                     "in a virtual machine the host decides", "no frequency control here");
    else if (lowest < 0.99)
        doctor_found(finding, DOCTOR_WARN, 100 * lowest,
                     "the CPU is measured below what it was bought for, and a GPU looks better beside it",
                     "sudo cpupower frequency-set -u with the highest clock of `cpupower frequency-info`",
                     "the clock is limited to %.0f %% of the highest", 100 * lowest);
    else
        doctor_found(finding, DOCTOR_GOOD, 100 * lowest, NULL, NULL, "up to the highest clock");
}

/* ---- heat ------------------------------------------------------------------------------------------------- */

/* The sensor nearest to its limit; without a limit the hottest one. */
struct heat {
    double celsius, limit; /* limit: INFINITY when it is not told */
    int sensors;
};

/* Limits outside of this are placeholders of the firmware. */
static bool is_limit(double celsius)
{
    return celsius >= 40 && celsius <= 130;
}

static void note_heat(struct heat *heat, double celsius, double limit)
{
    if (!(celsius > 0 && celsius < 150))
        return;
    double margin = limit - celsius, known = heat->limit - heat->celsius;
    if (heat->sensors++ == 0 || margin < known || (isinf(margin) && isinf(known) && celsius > heat->celsius))
        *heat = (struct heat){celsius, limit, heat->sensors};
}

static void visit_trip(void *context, const char *path, const char *kind)
{
    char other[4096], value[64];
    double *limit = context;
    if (strcmp(kind, "passive") != 0 && strcmp(kind, "hot") != 0 && strcmp(kind, "critical") != 0)
        return; /* "active" only starts a fan */
    snprintf(other, sizeof other, "%.*stemp", (int)(strlen(path) - strlen("type")), path);
    double celsius = facts_read("", other, NULL, value, sizeof value) ? strtod(value, NULL) / 1000 : NAN;
    if (is_limit(celsius) && celsius < *limit)
        *limit = celsius;
}

static void visit_zone(void *context, const char *path, const char *value)
{
    char trips[4096];
    double limit = INFINITY;
    snprintf(trips, sizeof trips, "%.*strip_point_*_type", (int)(strlen(path) - strlen("temp")), path);
    files_visit("", trips, visit_trip, &limit);
    note_heat(context, strtod(value, NULL) / 1000, limit);
}

/* Sensors that sit in a processor. Others, of disks and fans, have limits that say nothing here. */
static void visit_sensors(void *context, const char *path, const char *name);

static void visit_sensor(void *context, const char *path, const char *value)
{
    static const char *const ends[] = {"max", "crit"};
    char other[4096], text[64];
    double limit = INFINITY;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(other, sizeof other, "%.*s%s", (int)(strlen(path) - strlen("input")), path, ends[i]);
        double celsius = facts_read("", other, NULL, text, sizeof text) ? strtod(text, NULL) / 1000 : NAN;
        if (is_limit(celsius) && celsius < limit)
            limit = celsius;
    }
    note_heat(context, strtod(value, NULL) / 1000, limit);
}

static void visit_sensors(void *context, const char *path, const char *name)
{
    static const char *const processors[] = {"coretemp", "k10temp", "zenpower", "cpu_thermal"};
    char inputs[4096];
    snprintf(inputs, sizeof inputs, "%.*stemp*_input", (int)(strlen(path) - strlen("name")), path);
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
        if (strcmp(name, processors[i]) == 0)
            files_visit("", inputs, visit_sensor, context);
}

void look_temperature(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    struct heat heat = {0, INFINITY, 0};
    files_visit(scene->root, "/sys/class/thermal/thermal_zone[0-9]*/temp", visit_zone, &heat);
    files_visit(scene->root, "/sys/class/hwmon/hwmon[0-9]*/name", visit_sensors, &heat);
    double margin = heat.limit - heat.celsius;
    const char *matters = "a hot processor lowers its clock, and later samples are slower than earlier ones";
    const char *next = "let it cool down, clean the fans, put a laptop on a hard surface; then ask again";
    if (heat.sensors == 0)
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, matters, "look at drift in the results instead",
                     "no temperature sensor is visible");
    else if (isinf(margin))
        doctor_found(finding, heat.celsius < 85 ? DOCTOR_GOOD : DOCTOR_WARN, heat.celsius, matters, next,
                     "%.0f degrees C at the hottest of %d sensors, limit not told", heat.celsius, heat.sensors);
    else
        doctor_found(finding,
                     margin <= 3    ? DOCTOR_BAD
                     : margin <= 12 ? DOCTOR_WARN
                                    : DOCTOR_GOOD,
                     heat.celsius, matters, next, "%.0f degrees C, slowed down from %.0f on", heat.celsius, heat.limit);
}

void look_throttling(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    const struct doctor_observed *seen = &scene->seen;
    const char *next = "improve the cooling; the counters stand in " CPU "cpu*/thermal_throttle";
    if (isnan(seen->throttled))
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "cores that are too hot lower their clock", "see temperature",
                     "this processor does not count it");
    else if (seen->throttled_now > 0)
        doctor_found(finding, DOCTOR_BAD, seen->throttled_now, "the clock is being lowered at this moment", next,
                     "%.0f times in %.1f s", seen->throttled_now, seen->seconds);
    else if (seen->throttled > 0)
        doctor_found(finding, DOCTOR_WARN, seen->throttled, "long runs may become too hot again", next,
                     "%.0f times since the machine was started, not now", seen->throttled);
    else
        doctor_found(finding, DOCTOR_GOOD, 0, NULL, NULL, "never since the machine was started");
}
