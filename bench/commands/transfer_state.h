/* transfer_state.h: what `duel transfer` holds while it works. Private to transfer.c and transfer_measure.c. */
#ifndef DUEL_TRANSFER_STATE_H
#define DUEL_TRANSFER_STATE_H

#include "bench/commands/commands.h"
#include "bench/commands/head.h"
#include "bench/commands/link.h"
#include "bench/record/transfer.h"
#include "bench/registry/registry.h"
#include "bench/report/report.h"

/* Everything that the command owns. */
struct transfer_state {
    const struct duel_options *options;
    struct duel_registry registry;
    struct duel_runfile *file;
    struct duel_transfer *rows; /* of the device at work */
    size_t count;
    struct duel_progress progress;
    struct link_watch watch;
    struct duel_drawer drawer;
    FILE *talk;
    double deadline; /* of --budget, by the host clock */
    bool measured, wrong, broken, clean, pictures;
    int devices;
    struct duel_trouble trouble;
};

/* transfer_measure.c: all sizes of one device: measured, recorded, told and drawn. */
void transfer_measure(struct transfer_state *state, struct duel_place *place);
void transfer_free_rows(struct transfer_state *state);

#endif
