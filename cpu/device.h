/* device.h: what the files of the CPU back end share. */
#ifndef DUEL_CPU_DEVICE_H
#define DUEL_CPU_DEVICE_H

#include "bench/duel.h"

/* describe.c: the `describe` of the CPU back end, and a line of /proc/meminfo such as "MemAvailable" in bytes. */
void cpu_describe(int index, struct duel_device_info *info);
uint64_t cpu_memory_bytes(const char *key);

/* peak.c: the `peak` of the CPU back end, which takes less than 150 ms, and the widest vectors of this processor. */
enum duel_status cpu_peak(void *device, enum duel_dtype in, int threads, double *flops_per_s, struct duel_why *why);
int cpu_vector_bits(void);

#endif
