#include "bench/doctor/observe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/doctor/files.h"
#include "bench/record/clock.h"
#include "bench/record/facts.h"

static double counter(const char *root, const char *path, const char *key)
{
    char text[64];
    return facts_read(root, path, key, text, sizeof text) ? strtod(text, NULL) : NAN;
}

static double swapped_pages(const char *root)
{
    return counter(root, "/proc/vmstat", "pswpin") + counter(root, "/proc/vmstat", "pswpout");
}

static double throttled(const char *root)
{
    return files_sum(root, "/sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/core_throttle_count");
}

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void doctor_observe(const char *root, double seconds, struct doctor_observed *seen)
{
    double pages = swapped_pages(root), times = throttled(root), start = clock_now();
    telemetry_cpu_load(root, seconds, &seen->load);
    seen->seconds = clock_now() - start;
    seen->swapped_pages = swapped_pages(root) - pages;
    seen->throttled = throttled(root);
    seen->throttled_now = seen->throttled - times;
    clock_probe(&seen->timer_step_s, &seen->timer_read_s);
}
