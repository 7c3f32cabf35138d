/* cgroup.c: groups are directories; what a process may use is the least of all directories from its own up to the top.
 * Version 2 has one tree for everything; version 1 has one for each controller, mounted under its name or under the
 * names of several. Inside a container the path of the group may be that of the host, which is not there: then the top
 * itself is the container's group. */
#include "bench/doctor/cgroup.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/doctor/files.h"
#include "bench/record/facts.h"

#define MOUNT "/sys/fs/cgroup"

/* What one directory allows; NaN when it has no such file. */
typedef double group_reader(const char *directory);

/* "50000 100000", or "max 100000". */
static double cpus_of_two(const char *directory)
{
    char text[64], *end;
    if (!facts_read(directory, "/cpu.max", NULL, text, sizeof text))
        return NAN;
    if (strncmp(text, "max", 3) == 0)
        return INFINITY;
    double quota = strtod(text, &end), period = strtod(end, NULL);
    return quota > 0 && period > 0 ? quota / period : NAN;
}

static double cpus_of_one(const char *directory)
{
    double quota = files_number(directory, "/cpu.cfs_quota_us");
    double period = files_number(directory, "/cpu.cfs_period_us");
    return quota < 0 ? INFINITY : quota > 0 && period > 0 ? quota / period : NAN;
}

static double memory_of_two(const char *directory)
{
    char text[64];
    if (!facts_read(directory, "/memory.max", NULL, text, sizeof text))
        return NAN;
    return strcmp(text, "max") == 0 ? INFINITY : strtod(text, NULL);
}

static double memory_of_one(const char *directory)
{
    double bytes = files_number(directory, "/memory.limit_in_bytes");
    return bytes > 0x1p60 ? INFINITY : bytes; /* "no limit" is the largest number of whole pages */
}

/* The least of `path` below `top` and its parents. */
static double least_upwards(const char *top, const char *path, group_reader *read)
{
    char directory[4096];
    double least = NAN;
    size_t end = strlen(top);
    snprintf(directory, sizeof directory, "%s%s", top, path);
    for (;;) {
        double here = read(directory);
        if (!isnan(here) && !(least <= here))
            least = here;
        char *slash = strrchr(directory, '/');
        if (strlen(directory) <= end || !slash)
            return least;
        *slash = '\0';
        if (strlen(directory) < end)
            return least;
    }
}

/* "cpu,cpuacct" holds "cpu". */
static bool holds(const char *list, size_t length, const char *controller)
{
    size_t wanted = strlen(controller);
    for (const char *at = list; at < list + length;) {
        size_t word = strcspn(at, ",:");
        if (word == wanted && strncmp(at, controller, wanted) == 0)
            return true;
        at += word + 1;
    }
    return false;
}

/* One line of /proc/self/cgroup: "4:cpu,cpuacct:/a/b", or "0::/a/b" for version 2. */
static double of_line(const char *root, char *line, const char *controller, group_reader *one, group_reader *two)
{
    char top[4096];
    char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
    if (!path)
        return NAN;
    *path++ = '\0';
    list++;
    path[strcspn(path, "\n")] = '\0';
    if (!*list) {
        snprintf(top, sizeof top, "%s" MOUNT, root);
        return least_upwards(top, path, two);
    }
    if (!holds(list, strlen(list), controller))
        return NAN;
    snprintf(top, sizeof top, "%s" MOUNT "/%s", root, list);
    double least = least_upwards(top, path, one);
    snprintf(top, sizeof top, "%s" MOUNT "/%s", root, controller); /* most systems link one name to the other */
    return isnan(least) ? least_upwards(top, path, one) : least;
}

static double least_of(const char *root, const char *controller, group_reader *one, group_reader *two)
{
    char name[4096], *line = NULL;
    size_t capacity = 0;
    double least = NAN;
    snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
    FILE *file = fopen(name, "re");
    while (file && getline(&line, &capacity, file) >= 0) {
        double here = of_line(root, line, controller, one, two);
        if (!isnan(here) && !(least <= here))
            least = here;
    }
    free(line);
    if (file)
        fclose(file);
    return least;
}

double cgroup_cpus(const char *root)
{
    return least_of(root, "cpu", cpus_of_one, cpus_of_two);
}

double cgroup_memory_bytes(const char *root)
{
    return least_of(root, "memory", memory_of_one, memory_of_two);
}
