/* soak_state.h: what `duel soak` holds while it works. Private to soak.c and soak_choose.c. */
#ifndef DUEL_SOAK_STATE_H
#define DUEL_SOAK_STATE_H

#include "bench/commands/commands.h"
#include "bench/commands/head.h"
#include "bench/harness/runner.h"
#include "bench/harness/soak.h"
#include "bench/report/soak.h"
#include "bench/telemetry/telemetry.h"

/* Everything that the command owns. */
struct soak_state {
    const struct duel_options *options;
    struct duel_registry registry;
    struct duel_runfile *file;
    struct duel_progress progress;
    struct duel_drawer drawer;
    struct duel_telemetry *telemetry; /* of the device that is loaded */
    struct duel_soak_point *points;   /* of it, in order */
    size_t count, capacity;
    FILE *talk;
    int devices, told; /* told: wrong answers, of this device */
    bool wrong, broken, done, pictures;
    struct duel_trouble trouble;
};

/* soak_choose.c: plans what was asked for on this place, lets it race for a moment, and picks the fastest right one.
 * *item lies in *plan, which the caller frees in any case. DUEL_EVERIFY: all that ran was wrong. */
enum duel_status soak_choose(struct soak_state *state, struct duel_place *place, struct duel_plan *plan,
                             const struct duel_group **group, struct duel_case **item, struct duel_why *why);

#endif
