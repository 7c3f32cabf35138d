/* roofline.h: ceilings and what stands under them, for people: tables and picture. */
#ifndef DUEL_REPORT_ROOFLINE_H
#define DUEL_REPORT_ROOFLINE_H

#include "bench/record/roof.h"
#include "bench/report/report.h"

/* What belongs to one device. */
struct duel_roofline_report {
    const char *device, *device_name;
    const char *picture; /* name of its files */
    int threads;         /* whose roofs are drawn solid: all of them; 0 on a GPU */
    const struct duel_roof *roofs;
    size_t roof_count;
    const struct duel_placement *placements;
    size_t placement_count;
};

/* Ceilings by level and thread count, then a row per implementation: its roof, how much of it it reaches, and what
 * makes the roof. */
void table_roofline(FILE *stream, const struct duel_roofline_report *report);
/* DIR/plots/PICTURE.*. As plots_write of report.h. */
enum duel_status plot_roofline(const struct duel_plot_request *request, const struct duel_roofline_report *report,
                               struct duel_why *why);

#endif
