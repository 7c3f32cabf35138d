/* report.h: results for people: terminal table and plots. Reads results, changes nothing. */
#ifndef DUEL_REPORT_H
#define DUEL_REPORT_H

#include <stdio.h>

#include "bench/record/runfile.h"

/* The table of a run: one row per result, grouped by problem size; FAILED and skipped rows show a reason and no rate.
 * Colour only on a terminal and without NO_COLOR; plain ASCII unless the locale is UTF-8. table_results is table_rows
 * followed by table_skipped; a run that prints each size as it is done calls table_rows for it, and table_skipped once
 * at the end, so that a reason that holds for all sizes is told once. */
void table_results(FILE *stream, const struct duel_result *results, size_t count);
void table_rows(FILE *stream, const struct duel_result *results, size_t count);
void table_skipped(FILE *stream, const struct duel_result *results, size_t count);
/* What comes before the tables of a workload, where a run has several. */
struct duel_workload;
void table_workload(FILE *stream, const struct duel_workload *workload);
/* Two or three sentences for each workload under the table: best CPU, best GPU (or what a GPU would add), speed-up
 * kernel only and end to end, against which baseline. */
void table_summary(FILE *stream, const struct duel_result *results, size_t count);
/* The four steps of a GPU program (read, copy in, kernel, copy back) with their times, for --input. */
void table_steps(FILE *stream, const struct duel_result *results, size_t count);

/* Who draws all pictures of a command: it can be interrupted, and gives up once instead of at every picture. */
struct duel_drawer {
    int (*interrupt)(void);    /* the signal that is pending, or 0; NULL: nobody interrupts */
    enum duel_status given_up; /* DUEL_OK: not yet */
    struct duel_why why;       /* why it has */
};

struct duel_plot_request {
    const char *dir;     /* where data, scripts and pictures go */
    const char *machine; /* for the title: "AMD EPYC, 2 cores" */
    bool terminal;       /* draw to `stream` with gnuplot's dumb terminal as well */
    FILE *stream;
    struct duel_drawer *drawer; /* NULL: this request stands alone */
};

/* Writes DIR/plots/NAME.dat and NAME.gp and, if gnuplot is there, NAME.png and NAME.svg: speedup, gflops, phases.
 * Without gnuplot data and scripts are written, DUEL_SKIP comes back and *why tells how to render them. */
enum duel_status plots_write(const struct duel_plot_request *request, const struct duel_result *results, size_t count,
                             const struct duel_ceiling *ceilings, size_t ceiling_count, struct duel_why *why);

#endif
