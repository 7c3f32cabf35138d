/* gpu.h: what is known about one GPU: settings, and how it stands at this moment. */
#ifndef DUEL_DOCTOR_GPU_H
#define DUEL_DOCTOR_GPU_H

#include "bench/registry/registry.h"
#include "bench/telemetry/telemetry.h"

#define DOCTOR_FACTS 32

struct doctor_fact {
    char name[40];
    char text[120]; /* empty: the number counts */
    double number;  /* NaN: unknown, or text */
    char why[TELEMETRY_WHY];
};

struct doctor_gpu {
    struct doctor_fact fact[DOCTOR_FACTS]; /* as telemetry_facts() names them */
    int facts;
    struct duel_telemetry_summary now;
};

/* Asks the driver; what it does not tell is unknown with its reason. Takes a tenth of a second. */
void doctor_gpu_ask(struct doctor_gpu *gpu, const struct duel_place *place);
/* Never NULL: a fact that nobody told is unknown. */
const struct doctor_fact *doctor_gpu_fact(const struct doctor_gpu *gpu, const char *name);
/* A property of the place, or NULL. */
const struct duel_property *doctor_property(const struct duel_place *place, const char *name);

#endif
