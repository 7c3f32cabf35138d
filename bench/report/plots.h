/* plots.h: the pictures of a run. Private to bench/report/. */
#ifndef DUEL_PLOTS_H
#define DUEL_PLOTS_H

#include "bench/report/report.h"
#include "bench/report/script.h"
#include "bench/report/series.h"

/* What every picture is made from. */
struct duel_album {
    const struct duel_plot_request *request;
    const char *workload; /* whose rows it shows */
    const struct duel_series_set *set;
    const struct duel_result *results;
    size_t count;
    const struct duel_ceiling *ceilings;
    size_t ceiling_count;
    char machine[300]; /* with the names of the GPUs that were measured */
    char subject[80];  /* "gemm fp32": what all lines have in common, and a dot */
    char other[80];    /* what the mark behind some names says; empty without one */
    const char *lead;  /* before the title, and */
    const char *moral; /* instead of how to read it, where pictures tell a story; else NULL */
};

/* Fills what follows from the rows: machine, subject and the mark of other problems. */
void album_describe(struct duel_album *album);
/* What a run without any time is told. */
enum duel_status plots_nothing(struct duel_why *why);
/* "n = 512", or "size 512" where sizes are means. */
void album_size(const struct duel_album *album, double size, char *out, size_t room);

/* Each writes the variables and the data of one picture of an album. *drawn says whether there was anything to draw.
 */
enum duel_status plot_speedup(const void *album, struct duel_script *script, bool *drawn, struct duel_why *why);
enum duel_status plot_rate(const void *album, struct duel_script *script, bool *drawn, struct duel_why *why);
enum duel_status plot_precision(const void *album, struct duel_script *script, bool *drawn, struct duel_why *why);
enum duel_status plot_phases(const void *album, struct duel_script *script, bool *drawn, struct duel_why *why);

/* Between the parts of a remark: a middle dot. */
#define PLOT_DOT " \302\267 "

#endif
