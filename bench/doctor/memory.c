/* memory.c: free memory, its pages, and where it lies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/doctor/checks.h"
#include "bench/doctor/files.h"
#include "bench/record/facts.h"

static double meminfo(const struct doctor_scene *scene, const char *key)
{
    char text[64];
    bool known = facts_read(scene->root, "/proc/meminfo", key, text, sizeof text);
    return known ? (double)facts_bytes(text) / 0x1p30 : NAN;
}

void look_memory_free(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    double free = meminfo(scene, "MemAvailable"), total = meminfo(scene, "MemTotal");
    if (isnan(free) || !(total > 0))
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "it limits the size of the matrices", "see `free`",
                     "/proc/meminfo does not tell");
    else
        doctor_found(finding,
                     free < 0.02 * total  ? DOCTOR_BAD
                     : free < 0.1 * total ? DOCTOR_WARN
                                          : DOCTOR_GOOD,
                     free, "the kernel hunts for pages while samples are taken, and large sizes are refused",
                     "close other programs; `ps aux --sort=-rss` shows the largest", "%.1f of %.1f GiB", free, total);
}

void look_swap(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    double total = meminfo(scene, "SwapTotal"), used = total - meminfo(scene, "SwapFree");
    double pages = scene->seen.swapped_pages;
    const char *next = "close other programs, then: sudo swapoff -a && sudo swapon -a";
    if (isnan(used))
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "swapping would be measured instead of the processor", "see `free`",
                     "/proc/meminfo does not tell");
    else if (pages > 0)
        doctor_found(finding, DOCTOR_BAD, used, "the disk is being measured instead of the processor", next,
                     "%.0f pages moved in %.1f s, %.1f GiB in use", pages, scene->seen.seconds, used);
    else if (used > 0.0625)
        doctor_found(finding, DOCTOR_WARN, used, "memory was short before, and pages may have to come back", next,
                     "%.1f of %.1f GiB in use", used, total);
    else
        doctor_found(finding, DOCTOR_GOOD, used, NULL, NULL, total > 0 ? "not used" : "none");
}

void look_huge_pages(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    char text[128];
    if (!facts_read(scene->root, "/sys/kernel/mm/transparent_hugepage/enabled", NULL, text, sizeof text))
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "with small pages large matrices miss the TLB", "nothing",
                     "this kernel does not tell");
    else if (strstr(text, "[never]"))
        doctor_found(finding, DOCTOR_WARN, 0,
                     "4 KiB pages alone: large matrices miss the TLB, and the CPU is slower than it could be",
                     "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled", "off");
    else
        doctor_found(finding, DOCTOR_GOOD, 1, NULL, NULL,
                     strstr(text, "[madvise]") ? "for those who ask, as duel does" : "for everybody");
}

void look_numa(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    char list[256];
    bool told = facts_read(scene->root, "/sys/devices/system/node/online", NULL, list, sizeof list);
    long nodes = told ? facts_list_length(list) : -1;
    if (nodes < 1)
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "memory of another node is slower", "see `lscpu`",
                     "the kernel does not tell");
    else if (nodes > 1)
        doctor_found(
            finding, DOCTOR_WARN, (double)nodes,
            "memory of another node is slower, and where a page lies depends on the thread that wrote it first",
            "OMP_PROC_BIND=spread OMP_PLACES=cores; for one node: numactl --cpunodebind=0 --membind=0 duel ...",
            "%ld memory nodes", nodes);
    else
        doctor_found(finding, DOCTOR_GOOD, 1, NULL, NULL, "one memory node");
}

void look_smt(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    double active = files_number(scene->root, "/sys/devices/system/cpu/smt/active");
    if (isnan(active))
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "two threads of one core share its arithmetic units", "see `lscpu`",
                     "the kernel does not tell");
    else if (active > 0)
        doctor_found(finding, DOCTOR_WARN, active,
                     "two threads of one core share its arithmetic units: more threads need not be faster",
                     "measure with --threads cores,all and take the better one", "two CPUs or more are one core");
    else
        doctor_found(finding, DOCTOR_GOOD, 0, NULL, NULL, "each CPU is a core");
}
