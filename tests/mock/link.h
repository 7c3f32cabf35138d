/* link.h: a device whose only talent is copying: fixed cost and rate are written down, so every time is exact. */
#ifndef DUEL_LINK_H
#define DUEL_LINK_H

#include "bench/duel.h"

#define LINK_FIXED_S 10e-6
#define LINK_RATE 20e9 /* bytes per second in each direction */

/* Two queues and one engine for each direction; half duplex: one engine for both. */
struct link {
    bool half_duplex;
    int corrupt_from; /* from this download on one byte comes back wrong; 0: never */
    double host_s, queue_s[2], engine_s[2], mark_s[DUEL_MAX_MARKS];
    int selected, downloads, allocations;
};

/* One queue and pageable memory; two queues and both kinds of memory. The device is a struct link. */
extern const struct duel_backend plain_link, full_link;

#endif
