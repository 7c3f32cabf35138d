/* describe.c: what the CPU is and what of it this process may use, from the kernel's own files. What a kernel or a
 * container hides stays unknown. */
#include "cpu/device.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cpu/isa.h"

/* MemTotal and MemAvailable of the kernel, in bytes; 0 when unknown. "Available" counts caches that can be dropped. */
uint64_t cpu_memory_bytes(const char *key)
{
    char text[64];
    return cpu_read_field("/proc/meminfo", key, text, sizeof text) ? strtoull(text, NULL, 10) * 1024 : 0;
}

static void describe_name(char *name, size_t size)
{
    struct utsname system;
    if (cpu_read_field("/proc/cpuinfo", "model name", name, size) ||      /* x86 */
        cpu_read_line("/sys/firmware/devicetree/base/model", name, size)) /* most boards with an Arm processor */
        return;
    snprintf(name, size, "%s CPU", uname(&system) == 0 ? system.machine : "unknown");
}

static struct duel_property *next_property(struct duel_device_info *info, const char *name)
{
    if (info->property_count == DUEL_MAX_PROPERTIES)
        return NULL;
    struct duel_property *property = &info->property[info->property_count++];
    snprintf(property->name, sizeof property->name, "%s", name);
    return property;
}

/* Unknown is absent. */
static void add_number(struct duel_device_info *info, const char *name, double number)
{
    struct duel_property *property = number > 0 ? next_property(info, name) : NULL;
    if (property)
        property->number = number;
}

static void add_text(struct duel_device_info *info, const char *name, const char *text)
{
    struct duel_property *property = *text ? next_property(info, name) : NULL;
    if (property)
        snprintf(property->text, sizeof property->text, "%s", text);
}

static void add_topology(struct duel_device_info *info)
{
    struct cpu_topology topology;
    cpu_topology_read(&topology);
    add_text(info, "topology_source", topology.source);
    add_number(info, "packages", topology.packages);
    add_number(info, "cores", topology.cores);
    add_number(info, "smt_threads", topology.smt_threads);
    add_number(info, "numa_nodes", topology.numa_nodes);
    for (int i = 0; i < topology.cache_count; i++) {
        const struct cpu_cache *cache = &topology.cache[i];
        char name[40];
        snprintf(name, sizeof name, "l%d%s_kib", cache->level, cache->data ? "d" : "");
        add_number(info, name, (double)cache->bytes / 1024);
        snprintf(name, sizeof name, "l%d%s_sharing_threads", cache->level, cache->data ? "d" : "");
        add_number(info, name, cache->sharers);
    }
    add_number(info, "caches_of_usable_cpus_kib", (double)topology.all_caches_bytes / 1024);
}

/* "0-3,8": a list as taskset takes it; what does not fit is left out with three dots. */
static void list_text(const int *cpu, int count, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (int i = 0, last; i < count; i = last + 1) {
        for (last = i; last + 1 < count && cpu[last + 1] == cpu[last] + 1;)
            last++;
        if (at + 32 > size) {
            snprintf(text + at, size - at, ",...");
            return;
        }
        at +=
            (size_t)snprintf(text + at, size - at, last > i ? "%s%d-%d" : "%s%d", i > 0 ? "," : "", cpu[i], cpu[last]);
    }
}

/* Where the kernel may put this process, and where it has put it now. */
static void add_affinity(struct duel_device_info *info)
{
    int cpu[CPU_MOST];
    unsigned int on_cpu = 0, on_node = 0;
    char text[sizeof info->property[0].text];
    const int count = cpu_usable(cpu, CPU_MOST);
    info->processors = count;
    list_text(cpu, count < CPU_MOST ? count : CPU_MOST, text, sizeof text);
    add_text(info, "affinity_cpus", text);
    if (cpu_read_field("/proc/self/status", "Mems_allowed_list", text, sizeof text))
        add_text(info, "affinity_numa_nodes", text);
    if (getcpu(&on_cpu, &on_node) == 0) {
        snprintf(text, sizeof text, "%u", on_node); /* a text, because 0 is a node */
        add_text(info, "numa_node", text);
    }
}

/* The memory that a container may still use (cgroup v2, else v1); 0 when there is no limit. */
static uint64_t cgroup_free_bytes(void)
{
    static const char *const file[][2] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        unsigned long long number[2] = {0, 0};
        int read = 0;
        for (int j = 0; j < 2; j++) {
            FILE *stream = fopen(file[i][j], "r");
            read += stream && fscanf(stream, "%llu", &number[j]) == 1; /* "max" is no number: no limit */
            if (stream)
                fclose(stream);
        }
        if (read == 2)
            return number[0] > number[1] ? number[0] - number[1] : 1;
    }
    return 0;
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
    const uint64_t allowed = cgroup_free_bytes();
    if (allowed > 0 && allowed < info->memory_free_bytes)
        info->memory_free_bytes = allowed;
    add_affinity(info);
    add_topology(info);
    add_number(info, "vector_bits", cpu_vector_bits());
    const struct cpu_isa *isa = cpu_isa_chosen(NULL);
    add_text(info, "vector_isa", isa ? isa->name : ""); /* of the kernels, lowered by DUEL_ISA */
    add_number(info, "cache_line_bytes", (double)sysconf(_SC_LEVEL1_DCACHE_LINESIZE));
    add_number(info, "page_bytes", (double)sysconf(_SC_PAGESIZE));
}
