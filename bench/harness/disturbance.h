/* disturbance.h: did other work hold up a sample? */
#ifndef DUEL_DISTURBANCE_H
#define DUEL_DISTURBANCE_H

#include <stdbool.h>
#include <stdint.h>

/* How often the kernel has taken a CPU away from this process so far. */
int64_t disturbance_count(void);
/* Is a timed interval spoilt by so many interruptions? One that lasts long is interrupted now and then on every
 * machine. */
bool disturbance_spoils(int64_t interruptions, double interval_s);

#endif
