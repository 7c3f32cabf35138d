/* rapl.h: energy of the processor packages, from the counters that Linux shows under powercap (Intel and AMD; Running
 * Average Power Limit). They hold about 2^32 steps and wrap round within minutes to hours, so they are read often. */
#ifndef DUEL_RAPL_H
#define DUEL_RAPL_H

#include "bench/duel.h"

#define RAPL_PACKAGES 32

struct rapl {
    const char *root;
    int packages;                                             /* 0: none can be read, `why` says why */
    int number[RAPL_PACKAGES];                                /* the N of intel-rapl:N */
    uint64_t last_uj[RAPL_PACKAGES], range_uj[RAPL_PACKAGES]; /* range 0: unknown */
    double joules;                                            /* since begin */
    char why[120];                                            /* not empty: the energy is unknown */
};

/* Finds the packages; `root` must outlive it. */
void rapl_open(struct rapl *rapl, const char *root);
void rapl_begin(struct rapl *rapl);
/* Adds what was used since the last call. Must be called more often than a counter wraps round. */
void rapl_poll(struct rapl *rapl);

#endif
