/* cpu_load.h: how the kernel says that all CPUs spent their time, and how much of it was ours. */
#ifndef DUEL_CPU_LOAD_H
#define DUEL_CPU_LOAD_H

#include "bench/telemetry/telemetry.h"

struct cpu_ticks {
    double busy, steal, total; /* ticks of all CPUs since the machine started */
    double own_s;              /* CPU time of this process */
    int64_t cpus;
    char why[TELEMETRY_WHY]; /* not empty: unreadable */
};

void cpu_ticks_read(const char *root, struct cpu_ticks *ticks);
void cpu_load_between(const struct cpu_ticks *before, const struct cpu_ticks *after, struct duel_cpu_load *load);

#endif
