#include "bench/record/clock.h"

#include <math.h>
#include <time.h>

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void clock_probe(double *step_s, double *read_s)
{
    enum { BLOCKS = 50, READS = 400 }; /* the best block counts: interruptions can only lengthen one */
    *step_s = *read_s = INFINITY;
    for (int block = 0; block < BLOCKS; block++) {
        double start = clock_now(), last = start;
        for (int i = 0; i < READS; i++) {
            double now = clock_now();
            if (now > last && now - last < *step_s)
                *step_s = now - last;
            last = now;
        }
        if (last > start && (last - start) / READS < *read_s)
            *read_s = (last - start) / READS;
    }
    *step_s = isfinite(*step_s) ? *step_s : NAN;
    *read_s = isfinite(*read_s) ? *read_s : NAN;
}
