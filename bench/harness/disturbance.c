/* disturbance.c: the kernel counts how often it stopped this process for the sake of another one. */
#include "bench/harness/disturbance.h"

#include <sys/resource.h>

#define TICK_S 0.02 /* one interruption in this time is nothing: half a per cent at most, and nobody is without */

int64_t disturbance_count(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

bool disturbance_spoils(int64_t interruptions, double interval_s)
{
    return (double)interruptions > interval_s / TICK_S;
}
