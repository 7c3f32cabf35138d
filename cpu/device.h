/* device.h: what the files of the CPU back end share. */
#ifndef DUEL_CPU_DEVICE_H
#define DUEL_CPU_DEVICE_H

#include "bench/duel.h"

/* The handle. Queue order is program order, so that a mark is a time. */
struct cpu_device {
    double mark[DUEL_MAX_MARKS]; /* seconds */
    char *flush_buffer;          /* made by the first flush and kept */
    size_t flush_bytes;
};

/* device.c: memory that nobody has touched yet, to be given back with free(), and the back end's `now`. */
enum duel_status cpu_reserve(size_t bytes, void **pointer, struct duel_why *why);
/* Writes one byte of each page, from the threads that will use them. */
void cpu_touch(char *block, size_t bytes);
double cpu_now(void *device);

/* affinity.c: the numbers of the CPUs that this process may use, ascending. Returns how many there are, at least 1, and
 * stores the first `most` of them. */
#define CPU_MOST 8192 /* of the largest configuration of Linux */
int cpu_usable(int *cpu, int most);

/* One data or unified cache, as the first usable CPU sees it. */
struct cpu_cache {
    int level;
    bool data; /* beside a cache for instructions; false: for both */
    uint64_t bytes;
    int sharers; /* CPUs that share it, itself included; 0 when unknown */
};

/* What the processor is made of. 0 is unknown. */
#define CPU_CACHES 5
struct cpu_topology {
    char source[24]; /* who told: "hwloc API 2.8" or "sysfs" */
    int packages, cores, smt_threads, numa_nodes;
    int cache_count; /* innermost first */
    struct cpu_cache cache[CPU_CACHES];
    uint64_t all_caches_bytes; /* those of all usable CPUs together, each counted once */
};

/* topology.c: from hwloc, or where that is missing from sysfs.c. Either is given the usable CPUs. */
void cpu_topology_read(struct cpu_topology *topology);
void cpu_topology_sysfs(const int *cpu, int count, struct cpu_topology *topology);

/* sysfs.c: the first line of a small file of the kernel, and the text after "KEY : " in a file of such lines. */
bool cpu_read_line(const char *path, char *value, size_t size);
bool cpu_read_field(const char *path, const char *key, char *value, size_t size);

/* describe.c: the `describe` of the CPU back end, and a line of /proc/meminfo such as "MemAvailable" in bytes. */
void cpu_describe(int index, struct duel_device_info *info);
uint64_t cpu_memory_bytes(const char *key);

/* flush.c: the `flush` of the CPU back end. */
enum duel_status cpu_flush(void *device, struct duel_why *why);

/* peak.c: the `peak` of the CPU back end, which takes less than 150 ms, and the widest vectors of this processor. */
enum duel_status cpu_peak(void *device, enum duel_dtype in, int threads, double *flops_per_s, struct duel_why *why);
int cpu_vector_bits(void);

/* stream.c: the `bandwidth` of the CPU back end, which takes some 200 ms and the time to touch its memory first. */
enum duel_status cpu_bandwidth(void *device, enum duel_stream kind, size_t bytes, int threads, double *bytes_per_s,
                               struct duel_why *why);

#endif
