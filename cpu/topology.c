/* topology.c: what the processor is made of, as hwloc tells it (www.open-mpi.org/projects/hwloc): it knows the kernels,
 * the containers and the processors that describe themselves wrongly. */
#include "cpu/device.h"

#ifdef HAVE_HWLOC
#include <hwloc.h>

/* The caches on the way from one CPU to the whole machine are its own. */
static void own_caches(hwloc_topology_t machine, int cpu, struct cpu_topology *topology)
{
    hwloc_obj_t object = hwloc_get_pu_obj_by_os_index(machine, (unsigned int)cpu);
    for (; object && topology->cache_count < CPU_CACHES; object = object->parent)
        if (hwloc_obj_type_is_dcache(object->type) && object->attr->cache.size > 0)
            topology->cache[topology->cache_count++] = (struct cpu_cache){
                .level = (int)object->attr->cache.depth,
                .data = object->attr->cache.type == HWLOC_OBJ_CACHE_DATA,
                .bytes = object->attr->cache.size,
                .sharers = hwloc_bitmap_weight(object->cpuset),
            };
}

/* Bytes in the caches of one kind that any of the usable CPUs has. */
static uint64_t cache_bytes(hwloc_topology_t machine, hwloc_obj_type_t type, hwloc_const_bitmap_t usable)
{
    uint64_t bytes = 0;
    for (hwloc_obj_t cache = NULL; (cache = hwloc_get_next_obj_by_type(machine, type, cache));)
        if (hwloc_bitmap_intersects(cache->cpuset, usable))
            bytes += cache->attr->cache.size;
    return bytes;
}

/* On processors with two kinds of cores this is the number of the richer kind. */
static int most_threads_of_a_core(hwloc_topology_t machine)
{
    int most = 0;
    for (hwloc_obj_t core = NULL; (core = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_CORE, core));)
        if (hwloc_bitmap_weight(core->cpuset) > most)
            most = hwloc_bitmap_weight(core->cpuset);
    return most;
}

/* -1 ("at several depths") is no number of objects. */
static int objects(hwloc_topology_t machine, hwloc_obj_type_t type)
{
    const int count = hwloc_get_nbobjs_by_type(machine, type);
    return count > 0 ? count : 0;
}

static void read_machine(hwloc_topology_t machine, hwloc_bitmap_t usable, int first, struct cpu_topology *topology)
{
    const unsigned int version = hwloc_get_api_version(); /* 2.9 is 0x020900 */
    *topology = (struct cpu_topology){
        .packages = objects(machine, HWLOC_OBJ_PACKAGE),
        .cores = objects(machine, HWLOC_OBJ_CORE),
        .smt_threads = most_threads_of_a_core(machine),
        .numa_nodes = objects(machine, HWLOC_OBJ_NUMANODE),
    };
    snprintf(topology->source, sizeof topology->source, "hwloc API %u.%u", version >> 16, version >> 8 & 0xff);
    own_caches(machine, first, topology);
    for (hwloc_obj_type_t type = HWLOC_OBJ_L1CACHE; type <= HWLOC_OBJ_L5CACHE; type++)
        topology->all_caches_bytes += cache_bytes(machine, type, usable);
}

/* False where hwloc cannot tell; devices other than CPUs are not looked for, which would take long. */
static bool read_hwloc(const int *cpu, int count, struct cpu_topology *topology)
{
    hwloc_topology_t machine = NULL;
    hwloc_bitmap_t usable = hwloc_bitmap_alloc();
    bool read = usable && hwloc_topology_init(&machine) == 0;
    for (int i = 0; read && i < count; i++)
        read = hwloc_bitmap_set(usable, (unsigned int)cpu[i]) == 0;
    /* HWLOC_XMLFILE and HWLOC_SYNTHETIC in the environment put another machine in the place of this one. */
    read = read && hwloc_topology_load(machine) == 0 && hwloc_topology_is_thissystem(machine);
    if (read)
        read_machine(machine, usable, cpu[0], topology);
    if (machine)
        hwloc_topology_destroy(machine);
    hwloc_bitmap_free(usable);
    return read;
}
#else
static bool read_hwloc(const int *cpu, int count, struct cpu_topology *topology)
{
    (void)cpu;
    (void)count;
    (void)topology;
    return false;
}
#endif

void cpu_topology_read(struct cpu_topology *topology)
{
    int cpu[CPU_MOST];
    const int usable = cpu_usable(cpu, CPU_MOST);
    const int count = usable < CPU_MOST ? usable : CPU_MOST;
    if (!read_hwloc(cpu, count, topology))
        cpu_topology_sysfs(cpu, count, topology);
}
