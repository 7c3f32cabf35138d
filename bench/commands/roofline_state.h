/* roofline_state.h: what `duel roofline` holds while it works. Private to roofline.c and roofline_output.c. */
#ifndef DUEL_ROOFLINE_STATE_H
#define DUEL_ROOFLINE_STATE_H

#include "bench/commands/commands.h"
#include "bench/commands/head.h"
#include "bench/harness/roofs.h"
#include "bench/harness/runner.h"
#include "bench/report/report.h"

/* Everything that the command owns. */
struct roofline_state {
    struct duel_options options;
    struct duel_registry registry;
    struct duel_plan plan;
    struct duel_runner runner;
    struct duel_runfile *file;
    struct duel_roofs roofs;
    struct duel_result *results;
    struct duel_placement *placements;
    size_t count;
    bool pictures;  /* gnuplot made some */
    double started; /* the clock of --budget */
    struct duel_progress progress;
    struct duel_drawer drawer;
    FILE *talk;
    struct duel_trouble trouble;
};

/* A device has ceilings here when it is asked for and its times are real. */
bool roofline_measures(const struct roofline_state *state, const struct duel_place *place);
/* roofline_output.c: tables and pictures; then the end of the run file, and the exit code. */
void roofline_report(struct roofline_state *state);
int roofline_finish(struct roofline_state *state);

#endif
