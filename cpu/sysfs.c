/* sysfs.c: what the processor is made of, from the kernel's own files: less than hwloc knows, on every Linux. */
#include "cpu/device.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cpu_read_field(const char *path, const char *key, char *value, size_t size)
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

bool cpu_read_line(const char *path, char *value, size_t size)
{
    FILE *file = fopen(path, "r");
    bool found = file && fgets(value, (int)size, file);
    if (file)
        fclose(file);
    if (found)
        value[strcspn(value, "\n")] = '\0';
    return found;
}

/* How many numbers a list such as "0-7,64-71" holds; 0 when it is none. */
static int list_length(const char *text)
{
    long length = 0;
    for (char *end = NULL; *text; text = *end == ',' ? end + 1 : "") {
        const long first = strtol(text, &end, 10);
        if (end == text)
            return 0;
        const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        length += last - first + 1;
    }
    return (int)length;
}

static bool read_cache_file(int cpu, int index, const char *name, char *value, size_t size)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cache/index%d/%s", cpu, index, name);
    return cpu_read_line(path, value, size);
}

/* The kernel numbers caches from the core outwards and writes their sizes as "32K". */
static void read_caches(int cpu, struct cpu_topology *topology)
{
    char level[8], type[24], size[24], shared[256];
    for (int index = 0; index < 8 && topology->cache_count < CPU_CACHES; index++) {
        if (!read_cache_file(cpu, index, "level", level, sizeof level))
            return;
        if (!read_cache_file(cpu, index, "type", type, sizeof type) || strcmp(type, "Instruction") == 0 ||
            !read_cache_file(cpu, index, "size", size, sizeof size))
            continue;
        const bool told = read_cache_file(cpu, index, "shared_cpu_list", shared, sizeof shared);
        topology->cache[topology->cache_count++] = (struct cpu_cache){
            .level = (int)strtol(level, NULL, 10),
            .data = strcmp(type, "Data") == 0,
            .bytes = strtoull(size, NULL, 10) * 1024,
            .sharers = told ? list_length(shared) : 0,
        };
    }
}

/* All CPUs are taken to be like the first; where a cache is shared by CPUs that we may not use, it counts in full. */
void cpu_topology_sysfs(const int *cpu, int count, struct cpu_topology *topology)
{
    char nodes[256];
    memset(topology, 0, sizeof *topology);
    snprintf(topology->source, sizeof topology->source, "sysfs");
    if (cpu_read_line("/sys/devices/system/node/online", nodes, sizeof nodes))
        topology->numa_nodes = list_length(nodes);
    read_caches(cpu[0], topology);
    for (int i = 0; i < topology->cache_count; i++) {
        const int sharers = topology->cache[i].sharers > 0 ? topology->cache[i].sharers : 1;
        topology->all_caches_bytes += topology->cache[i].bytes * (uint64_t)((count + sharers - 1) / sharers);
    }
}
