/* plots.h: the pictures of a run. Private to bench/report/. */
#ifndef DUEL_PLOTS_H
#define DUEL_PLOTS_H

#include "bench/report/report.h"
#include "bench/report/script.h"
#include "bench/report/series.h"

/* What every picture is made from. */
struct duel_album {
    const struct duel_plot_request *request;
    const struct duel_series_set *set;
    const struct duel_result *results;
    size_t count;
    const struct duel_ceiling *ceilings;
    size_t ceiling_count;
    char machine[300]; /* with the names of the GPUs that were measured */
    char subject[80];  /* "gemm fp32": what all lines have in common */
    char other[80];    /* what the mark behind some names says; empty without one */
};

/* Each writes the variables and the data of one picture of an album. *drawn says whether there was anything to draw.
 */
enum duel_status plot_speedup(const void *album, struct duel_script *script, bool *drawn, struct duel_why *why);
enum duel_status plot_gflops(const void *album, struct duel_script *script, bool *drawn, struct duel_why *why);
enum duel_status plot_phases(const void *album, struct duel_script *script, bool *drawn, struct duel_why *why);

/* Between the parts of a remark: a middle dot. */
#define PLOT_DOT " \302\267 "

#endif
