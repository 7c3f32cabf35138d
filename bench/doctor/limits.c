/* limits.c: what of the machine this process may use. Containers, batch systems and taskset make it less than there is,
 * and most programs notice nothing but that they are slow. */
#include <math.h>
#include <stdlib.h>

#include "bench/doctor/cgroup.h"
#include "bench/doctor/checks.h"
#include "bench/record/facts.h"

static double list_length(const char *root, const char *path, const char *key)
{
    char list[1024];
    long count = facts_read(root, path, key, list, sizeof list) ? facts_list_length(list) : -1;
    return count > 0 ? (double)count : NAN;
}

static double usable_cpus(const char *root)
{
    return list_length(root, "/proc/self/status", "Cpus_allowed_list");
}

void look_affinity(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    double usable = usable_cpus(scene->root);
    double online = list_length(scene->root, "/sys/devices/system/cpu/online", NULL);
    if (isnan(usable) || isnan(online))
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "it decides how many threads can run at once", "see `nproc`",
                     "the kernel does not tell");
    else if (usable < online)
        doctor_found(finding, DOCTOR_WARN, usable,
                     "this is part of a machine: do not name the whole machine beside these numbers, and whoever uses "
                     "the rest shares memory and caches",
                     "start duel without taskset, or ask the batch system for a whole node",
                     "%.0f of %.0f CPUs may be used", usable, online);
    else
        doctor_found(finding, DOCTOR_GOOD, usable, NULL, NULL, "all %.0f CPUs may be used", online);
}

void look_cpu_quota(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    double quota = cgroup_cpus(scene->root), usable = usable_cpus(scene->root);
    if (isnan(quota))
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "a quota stops all threads when it is used up",
                     "in a container ask for its --cpus", "no control group can be read");
    else if (isinf(quota))
        doctor_found(finding, DOCTOR_GOOD, NAN, NULL, NULL, "no limit");
    else if (!isnan(usable) && quota < usable)
        doctor_found(finding, DOCTOR_BAD, quota,
                     "with more threads than that the kernel stops all of them for the rest of each period (100 ms), "
                     "within samples too",
                     "give --threads up to the quota, or raise it (docker run --cpus, Kubernetes limits.cpu, systemd "
                     "CPUQuota)",
                     "%.2f CPUs, but %.0f may be used at once", quota, usable);
    else
        doctor_found(finding, DOCTOR_GOOD, quota, NULL, NULL, "%.2f CPUs, as many as may be used", quota);
}

void look_memory_limit(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    char text[64];
    double limit = cgroup_memory_bytes(scene->root);
    bool known = facts_read(scene->root, "/proc/meminfo", "MemTotal", text, sizeof text);
    double total = known ? (double)facts_bytes(text) : NAN;
    if (isnan(limit))
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "a process beyond its limit is ended",
                     "in a container ask for its --memory", "no control group can be read");
    else if (limit < total)
        doctor_found(finding, DOCTOR_WARN, limit / 0x1p30,
                     "matrices are checked against the free memory of the machine, so that larger ones than this end "
                     "the program without a word",
                     "keep three matrices below the limit, or raise it (docker run --memory)",
                     "%.1f GiB of the machine's %.1f GiB", limit / 0x1p30, total / 0x1p30);
    else
        doctor_found(finding, DOCTOR_GOOD, NAN, NULL, NULL, "no limit");
}
