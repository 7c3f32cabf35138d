/* history_state.h: what `duel history` holds while it works. Private to history.c and history_show.c. */
#ifndef DUEL_HISTORY_STATE_H
#define DUEL_HISTORY_STATE_H

#include "bench/history/history.h"
#include "bench/options/options.h"
#include "bench/registry/registry.h"
#include "bench/report/history.h"

struct history_state {
    const struct duel_options *options;
    struct duel_history *history;
    struct history_series *series; /* those that were asked for */
    size_t count, capacity;
    struct duel_drawer drawer;
    FILE *talk;
    bool csv_wanted;
};

/* history_show.c: the trend of each series: table and picture when `people` look, and the CSV. */
enum duel_status history_show(struct history_state *state, bool people, struct duel_why *why);

#endif
