/* crossing.h: from which size on does it pay? The size at which a speed-up passes 1, bracketed by measured points and
 * narrowed by measuring between them. Knows no device: a test gives it any function. */
#ifndef DUEL_CROSSING_H
#define DUEL_CROSSING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct duel_crossing {
    bool found;
    int64_t below,
        above;     /* found: the largest measured size that does not pay, and the next measured one, which does */
    int measured;  /* further sizes that were measured to find it */
    char why[160]; /* not found: an honest sentence */
};

/* Measures the speed-up at one size between others. false: no time left, or it failed. */
typedef bool duel_speedup_at(void *context, int64_t n, double *speedup);

/* `n` ascending with the speed-up at each. Narrows until above / below <= 1 + tolerance, at most `most` measurements.
 * With several crossings the last one counts: from there on it pays at every measured size. */
struct duel_crossing crossing_find(const int64_t *n, const double *speedup, size_t count, double tolerance, int most,
                                   duel_speedup_at *measure, void *context);

#endif
