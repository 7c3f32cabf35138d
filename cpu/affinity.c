/* affinity.c: which CPUs this process may use: taskset, containers and batch systems make them fewer than there are. */
#include "cpu/device.h"

#include <sched.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* With OMP_PROC_BIND the run-time library keeps the first thread, which asks here, on one CPU and the rest of its team
 * on others: the team's places belong to us as well. */
static void add_places(cpu_set_t *set, size_t size)
{
#ifdef _OPENMP
    static const int most = 1024; /* CPUs in one place */
    int id[1024];
    for (int place = 0; place < omp_get_num_places(); place++) {
        const int count = omp_get_place_num_procs(place);
        if (count > most)
            continue;
        omp_get_place_proc_ids(place, id);
        for (int i = 0; i < count; i++)
            if (id[i] >= 0 && id[i] < CPU_MOST)
                CPU_SET_S((size_t)id[i], size, set);
    }
#else
    (void)set;
    (void)size;
#endif
}

int cpu_usable(int *cpu, int most)
{
    const size_t size = CPU_ALLOC_SIZE(CPU_MOST);
    cpu_set_t *set = CPU_ALLOC(CPU_MOST);
    int count = 0;
    if (set && sched_getaffinity(0, size, set) == 0) {
        add_places(set, size);
        for (int i = 0; i < CPU_MOST; i++)
            if (CPU_ISSET_S((size_t)i, size, set)) {
                if (count < most)
                    cpu[count] = i;
                count++;
            }
    }
    CPU_FREE(set);
    if (count > 0)
        return count;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    count = online > 0 ? (int)online : 1;
    for (int i = 0; i < count && i < most; i++)
        cpu[i] = i;
    return count;
}
