/* cpu_clock.h: the frequency at which a CPU runs now. */
#ifndef DUEL_CPU_CLOCK_H
#define DUEL_CPU_CLOCK_H

#include "bench/duel.h"

/* false with the reason in *why (of `size` bytes): also for a clock that is only the nominal one, as in most virtual
 * machines, and for one that cannot be true. */
bool cpu_clock_read(const char *root, int cpu, double *mhz, char *why, size_t size);

#endif
