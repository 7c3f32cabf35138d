/* clock.h: the host clock that everything is timed with, CLOCK_MONOTONIC_RAW, as it is on this machine. */
#ifndef DUEL_CLOCK_H
#define DUEL_CLOCK_H

/* The shortest step between two readings and the time that one reading takes, in seconds; NaN when it stands still.
 * Takes some milliseconds. */
void clock_probe(double *step_s, double *read_s);

#endif
