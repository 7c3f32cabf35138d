/* recorded.h: one run file, whole in memory, as pages need it. */
#ifndef DUEL_RECORDED_H
#define DUEL_RECORDED_H

#include <jansson.h>

#include "bench/record/roof.h"
#include "bench/record/runfile.h"

struct duel_recorded {
    char path[400];                           /* as the user named it */
    char machine[300];                        /* "AMD EPYC, 2 CPUs" */
    char title[400];                          /* the same with the names of GPUs that were measured */
    char day[16];                             /* "2026-11-30" */
    char dropped[200];                        /* what was cut off at its end; empty: nothing */
    int64_t usable;                           /* CPUs that the run could use; -1: not told */
    int sessions;                             /* 0: not repeated in sessions */
    json_t *run, *host, *end;                 /* NULL: not there; members of those are read with reader.h */
    json_t *devices, *telemetry, *break_even; /* arrays of records */
    struct duel_result *row;                  /* of several sessions the one in the middle */
    size_t count, capacity;
    struct duel_ceiling ceiling[32];
    size_t ceilings;
    struct duel_roof *roof;
    struct duel_placement *placement;
    size_t roofs, placements;
};

/* `path` is a run file, or a directory that holds run.jsonl. Release with recorded_free(), also after a failure. */
enum duel_status recorded_read(struct duel_recorded *recorded, const char *path, struct duel_why *why);
void recorded_free(struct duel_recorded *recorded);

/* recorded_roof.c: records of `duel roofline`. DUEL_ENOMEM is the only failure: what is damaged is left out. */
enum duel_status recorded_roof(struct duel_recorded *recorded, const json_t *record);
enum duel_status recorded_placement(struct duel_recorded *recorded, const json_t *record);
enum duel_dtype recorded_type(const json_t *record); /* its `precision`; DUEL_NONE */

#endif
