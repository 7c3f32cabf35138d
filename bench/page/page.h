/* page.h: the report: one self-contained page for a browser, the same as Markdown and CSV, from one or several run
 * files. It needs no device: everything that it says was recorded. */
#ifndef DUEL_PAGE_H
#define DUEL_PAGE_H

#include "bench/registry/registry.h"
#include "bench/report/report.h"

#define DUEL_MOST_RUNS 40 /* that stand side by side */

struct duel_page_request {
    const char *const *file; /* run files, or directories that hold one */
    size_t files;
    const char *dir;                      /* gets report.html, report.md, report.csv */
    const char *pictures;                 /* gets plots/ */
    const struct duel_registry *registry; /* tells the lessons of its implementations */
    bool own;                             /* of the run that just ended: its CSV lies in `dir` already */
    bool drawn;                           /* its pictures lie in plots/ already */
    bool no_plots;                        /* tables only */
    struct duel_drawer *drawer;           /* NULL: nobody interrupts */
};

/* DUEL_EINVAL: a file is no run; DUEL_EIO: something cannot be written. DUEL_SKIP: the page is there, without pictures,
 * and *why says what is missing for them. */
enum duel_status page_write(const struct duel_page_request *request, struct duel_why *why);

#endif
