/* coverage.h: how often the 95 % interval of the median holds the true one, by simulation: sequences of samples whose
 * median is known, skewed, with two modes, or depending on each other. */
#ifndef DUEL_COVERAGE_H
#define DUEL_COVERAGE_H

#include "bench/harness/sampler.h"

struct coverage_sequence {
    const char *name;
    void (*make)(double *value, size_t count, double correlation, uint64_t *state);
    double correlation; /* of neighbours */
    double median;
    bool promised; /* 93 to 97 % from the default minimum of samples on */
};
extern const struct coverage_sequence coverage_table[]; /* ended by name == NULL */

#define COVERAGE_MOST 1000 /* samples */

/* Per cent of `trials` experiments with `count` samples each. */
double coverage_fixed(const struct coverage_sequence *sequence, size_t count, int trials, uint64_t seed);
/* The same where the sampler decides when to stop, for times around 1 with this noise. */
double coverage_stopped(const struct duel_sampler_rules *rules, double noise, double correlation, int trials,
                        uint64_t seed);

#endif
