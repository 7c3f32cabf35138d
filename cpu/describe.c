/* describe.c: what the CPU is and what of it this process may use, from the kernel's own files. What a kernel or a
 * container hides stays unknown. */
#include "cpu/device.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The text after "KEY : " in a file of such lines, without its newline; false when there is no such line. */
static bool read_field(const char *path, const char *key, char *value, size_t size)
{
    char line[512];
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file && !found && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (!colon || strncmp(line, key, strlen(key)) != 0)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(value, size, "%s", colon);
        found = value[0] != '\0';
    }
    if (file)
        fclose(file);
    return found;
}

/* The first line of a small file such as those of sysfs. */
static bool read_line(const char *path, char *value, size_t size)
{
    FILE *file = fopen(path, "r");
    bool found = file && fgets(value, (int)size, file);
    if (file)
        fclose(file);
    if (found)
        value[strcspn(value, "\n")] = '\0';
    return found;
}

/* MemTotal and MemAvailable of the kernel, in bytes; 0 when unknown. "Available" counts caches that can be dropped. */
uint64_t cpu_memory_bytes(const char *key)
{
    char text[64];
    return read_field("/proc/meminfo", key, text, sizeof text) ? strtoull(text, NULL, 10) * 1024 : 0;
}

/* CPUs that this process may run on, which taskset, containers and batch systems make fewer than the machine has. */
static int usable_cpus(void)
{
    cpu_set_t set;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    return online > 0 ? (int)online : 1; /* more than 1024 CPUs: the fixed-size set is too small */
}

static void describe_name(char *name, size_t size)
{
    struct utsname system;
    if (read_field("/proc/cpuinfo", "model name", name, size) ||      /* x86 */
        read_line("/sys/firmware/devicetree/base/model", name, size)) /* most boards with an Arm processor */
        return;
    snprintf(name, size, "%s CPU", uname(&system) == 0 ? system.machine : "unknown");
}

static void add_number(struct duel_device_info *info, const char *name, double number)
{
    if (info->property_count == DUEL_MAX_PROPERTIES)
        return;
    struct duel_property *property = &info->property[info->property_count++];
    snprintf(property->name, sizeof property->name, "%s", name);
    property->number = number;
}

/* Data and unified caches as the first CPU sees them. sysfs writes sizes as "32K". */
static void add_caches(struct duel_device_info *info)
{
    for (int index = 0; index < 8; index++) {
        char path[96], level[8], type[24], size[24], name[40];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/level", index);
        if (!read_line(path, level, sizeof level))
            return;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type", index);
        if (!read_line(path, type, sizeof type) || strcmp(type, "Instruction") == 0)
            continue;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
        if (!read_line(path, size, sizeof size))
            continue;
        snprintf(name, sizeof name, "l%.4s%s_kib", level, strcmp(type, "Data") == 0 ? "d" : "");
        add_number(info, name, strtod(size, NULL));
    }
}

void cpu_describe(int index, struct duel_device_info *info)
{
    memset(info, 0, sizeof *info);
    info->usable = index == 0;
    snprintf(info->status, sizeof info->status, "%s", info->usable ? "ready" : "no device");
    if (!info->usable)
        duel_fail(&info->why, DUEL_SKIP, "all CPUs together are one device", "use --device cpu and --threads",
                  "cpu:%d was asked for", index);
    describe_name(info->name, sizeof info->name);
    info->memory_bytes = cpu_memory_bytes("MemTotal");
    info->memory_free_bytes = cpu_memory_bytes("MemAvailable");
    info->processors = usable_cpus();
    add_caches(info);
    add_number(info, "vector_bits", cpu_vector_bits());
    long line = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
    if (line > 0)
        add_number(info, "cache_line_bytes", (double)line);
    add_number(info, "page_bytes", (double)sysconf(_SC_PAGESIZE));
}
