/* soak.h: a sustained load, for people: a few lines, and a picture over time. */
#ifndef DUEL_REPORT_SOAK_H
#define DUEL_REPORT_SOAK_H

#include "bench/record/soak.h"
#include "bench/report/report.h"

struct duel_soak_report {
    const struct duel_soak *soak;
    const struct duel_soak_point *points;
    size_t count;
    const char *picture; /* name of its files */
};

void table_soak(FILE *stream, const struct duel_soak_report *report);
/* DIR/plots/PICTURE.*: rate, clock and power over time, and where answers were wrong. As plots_write of report.h. */
enum duel_status plot_soak(const struct duel_plot_request *request, const struct duel_soak_report *report,
                           struct duel_why *why);

#endif
