/* load.c: who else is here. Two programs on one core take turns, and whoever waits is timed as slow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/doctor/checks.h"
#include "bench/record/facts.h"

/* Average CPUs kept busy by others. One shared core delays a whole parallel loop, because it ends with its slowest
 * thread: so the limit does not grow with the machine. */
#define OTHERS_WARN 0.1
#define OTHERS_BAD 0.5
#define STEAL_WARN 0.01
#define STEAL_BAD 0.05

void look_others(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    const struct duel_cpu_load *load = &scene->seen.load;
    double cpus = (double)(load->cpus > 0 ? load->cpus : 1), others = load->foreign_share * cpus;
    if (isnan(others))
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "other programs would be timed too", "look at `top`",
                     "not known: %s", load->why);
    else
        doctor_found(finding,
                     others >= OTHERS_BAD    ? DOCTOR_BAD
                     : others >= OTHERS_WARN ? DOCTOR_WARN
                                             : DOCTOR_GOOD,
                     others,
                     "a sample that shares its core is slow by an unknown factor, and a parallel loop waits for its "
                     "slowest thread",
                     "see who it is with `top`, end it or wait, then ask again",
                     "%.2f of %.0f CPUs busy with other programs, over %.1f s", others, cpus, scene->seen.seconds);
}

void look_load_average(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    char text[64];
    if (!facts_read(scene->root, "/proc/loadavg", NULL, text, sizeof text)) {
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "it tells what ran before", "look at `top`",
                     "/proc/loadavg is hidden");
        return;
    }
    double load = strtod(text, NULL), cpus = (double)(scene->seen.load.cpus > 0 ? scene->seen.load.cpus : 1);
    doctor_found(finding, load > 0.5 * cpus ? DOCTOR_WARN : DOCTOR_GOOD, load,
                 "what ran a moment ago has warmed up the processor and may come back",
                 "wait a minute; on a shared machine ask for a node of your own", "%.2f processes, last minute", load);
}

/* ---- virtual machines ------------------------------------------------------------------------------------- */

/* Firmware of virtual machines, for processors that have no flag for it. */
static const char *const virtual_vendors[] = {"QEMU",   "Amazon EC2", "Xen",       "VMware",
                                              "Google", "innotek",    "Parallels", "Microsoft Corporation"};

/* 1: a virtual machine, 0: none, -1: not told. */
static int is_virtual(const char *root, char *vendor, size_t size)
{
    char flags[8192];
    bool named = facts_read(root, "/sys/class/dmi/id/sys_vendor", NULL, vendor, size);
    if (facts_read(root, "/proc/cpuinfo", "flags", flags, sizeof flags))
        return strstr(flags, " hypervisor") != NULL;
    for (size_t i = 0; named && i < sizeof virtual_vendors / sizeof *virtual_vendors; i++)
        if (strstr(vendor, virtual_vendors[i]))
            return 1;
    return named ? 0 : -1;
}

void look_virtual(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    char vendor[64];
    int answer = is_virtual(scene->root, vendor, sizeof vendor);
    const char *matters = "other guests share the cores, caches and memory of the host, and the times that they take "
                          "cannot be seen from here";
    const char *next = "repeat at another hour and compare (--sessions); for numbers to publish use the bare machine";
    if (answer > 0)
        doctor_found(finding, DOCTOR_WARN, 1, matters, next, "this is a virtual machine%s%s", vendor[0] ? ": " : "",
                     vendor);
    else if (answer == 0)
        doctor_found(finding, DOCTOR_GOOD, 0, NULL, NULL, "no, the bare machine");
    else
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, matters, next, "this processor does not tell");
}

void look_steal(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    double steal = scene->seen.load.steal_share;
    if (isnan(steal))
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "other guests would be timed too", "look at st in `top`",
                     "not known: %s", scene->seen.load.why);
    else
        doctor_found(finding,
                     steal >= STEAL_BAD    ? DOCTOR_BAD
                     : steal >= STEAL_WARN ? DOCTOR_WARN
                                           : DOCTOR_GOOD,
                     100 * steal, "the hypervisor stops this machine in order to run another one, within samples too",
                     "ask for dedicated cores, or measure at another hour", "%.1f %% of the CPU time, over %.1f s",
                     100 * steal, scene->seen.seconds);
}
