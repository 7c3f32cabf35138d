/* diagnose.h: what is strange about the samples of one quantity. Nothing is deleted and nothing corrected by it. */
#ifndef DUEL_DIAGNOSE_H
#define DUEL_DIAGNOSE_H

#include <stdbool.h>
#include <stddef.h>

struct duel_diagnosis {
    size_t count;
    /* Tukey's fences: beyond 1.5 (mild) or 3 (severe) interquartile ranges outside the quartiles; a severe outlier is
     * not counted as mild as well. Quartiles that are equal make no fences. */
    size_t mild_low, mild_high, severe_low, severe_high;
    double drift;           /* change over the whole run as a share of the median; NaN below 6 samples */
    bool drifting;          /* and it is neither chance nor below 1 % */
    double autocorrelation; /* of ranks of neighbours, -1 .. 1; NaN below 6 samples */
    double effective;       /* samples that would say as much if they were independent */
    bool bimodal;           /* the samples stand in two heaps with little between them; a hint, from 30 samples on */
    double modes_apart;     /* distance of the heaps' medians as a share of the median; NaN unless bimodal */
};

struct duel_diagnosis stats_diagnose(const double *value, size_t count);

#endif
