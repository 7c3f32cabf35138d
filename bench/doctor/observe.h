/* observe.h: what has to be watched for a moment: who uses the machine, and what a look at the clock costs. */
#ifndef DUEL_OBSERVE_H
#define DUEL_OBSERVE_H

#include "bench/telemetry/telemetry.h"

/* NaN where something is unknown. */
struct doctor_observed {
    double seconds; /* that were watched */
    struct duel_cpu_load load;
    double swapped_pages; /* moved to and from swap meanwhile */
    double throttled;     /* times that a core was slowed down by heat since the machine was started, */
    double throttled_now; /* and meanwhile */
    double timer_step_s, timer_read_s;
};

/* Counts, sleeps for `seconds`, counts again, and times the clock. `root` stands before /proc and /sys. */
void doctor_observe(const char *root, double seconds, struct doctor_observed *seen);

#endif
