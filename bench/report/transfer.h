/* transfer.h: copies by size, for people: table and picture. */
#ifndef DUEL_REPORT_TRANSFER_H
#define DUEL_REPORT_TRANSFER_H

#include "bench/record/transfer.h"
#include "bench/report/report.h"

/* All rows of one device by rising size, and its curves. */
struct duel_transfer_report {
    const char *device, *device_name;
    const char *picture; /* name of its files */
    const struct duel_transfer *rows;
    size_t count;
    const struct duel_transfer_curve *curves;
    size_t curve_count;
    const struct duel_link *link;
};

/* One row per size with a column per way, then one line per way with what all sizes say together. */
void table_transfer(FILE *stream, const struct duel_transfer_report *report);
/* DIR/plots/PICTURE.*: rate against size. As plots_write of report.h. */
enum duel_status plot_transfer(const struct duel_plot_request *request, const struct duel_transfer_report *report,
                               struct duel_why *why);

#endif
