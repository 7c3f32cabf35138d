/* link.h: which link a device hangs on, watched while copies run: an idle link lowers its generation. */
#ifndef DUEL_COMMANDS_LINK_H
#define DUEL_COMMANDS_LINK_H

#include "bench/record/transfer.h"
#include "bench/registry/registry.h"
#include "bench/telemetry/telemetry.h"

struct link_watch {
    struct duel_telemetry *telemetry; /* NULL: cannot be watched */
    char why[160];
};

/* Starts watching. *link is what the device itself tells; unknown when it tells nothing. */
void link_before(struct link_watch *watch, const struct duel_place *place, struct duel_link *link);
/* To be called between copies. */
void link_poll(struct link_watch *watch);
/* Ends watching; *link is what was seen under load, unless the device told it already. */
void link_after(struct link_watch *watch, struct duel_link *link);

#endif
