/* cpu_clock.c: cpufreq where it is, else what /proc/cpuinfo says if that is a measurement. */
#include "bench/telemetry/cpu_clock.h"

#include <stdlib.h>
#include <string.h>

#include "bench/telemetry/root_file.h"

/* The value behind the colon if the line begins with `key`, else NULL. */
static const char *after(const char *line, const char *key)
{
    const char *colon = strncmp(line, key, strlen(key)) == 0 ? strchr(line, ':') : NULL;
    return colon ? colon + 1 : NULL;
}

/* Block of this CPU in /proc/cpuinfo: its clock, and whether the processor counts cycles (then the clock is measured;
 * without the flag aperfmperf it is what the processor is sold with). */
static bool from_cpuinfo(FILE *file, int cpu, double *mhz, bool *measured)
{
    char *line = NULL;
    size_t capacity = 0;
    bool here = false, found = false;
    *measured = false;
    while (getline(&line, &capacity, file) >= 0) {
        const char *number = after(line, "processor"), *clock = after(line, "cpu MHz"), *flags = after(line, "flags");
        if (number && here)
            break;
        if (number)
            here = strtol(number, NULL, 10) == cpu;
        if (here && clock) {
            *mhz = strtod(clock, NULL);
            found = true;
        }
        if (here && flags)
            *measured = strstr(flags, " aperfmperf") != NULL;
    }
    free(line);
    return found;
}

static bool read_cpuinfo(const char *root, int cpu, double *mhz, char *why, size_t size)
{
    char path[4096];
    bool measured = false;
    snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
    FILE *file = fopen(path, "re");
    bool found = file && from_cpuinfo(file, cpu, mhz, &measured);
    if (file)
        fclose(file);
    if (found && measured)
        return true;
    snprintf(why, size, "%s",
             found ? "only the nominal clock is told here, not the real one"
                   : "no frequency is visible here (cpufreq, /proc/cpuinfo)");
    return false;
}

bool cpu_clock_read(const char *root, int cpu, double *mhz, char *why, size_t size)
{
    char path[96];
    uint64_t khz;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", cpu);
    if (root_file_count(root, path, &khz, why, size))
        *mhz = (double)khz * 1e-3;
    else if (!read_cpuinfo(root, cpu, mhz, why, size))
        return false;
    if (*mhz >= 10 && *mhz <= 10000)
        return true;
    snprintf(why, size, "a CPU clock of %.4g MHz cannot be true", *mhz);
    return false;
}
