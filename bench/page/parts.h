/* parts.h: the parts of a page, in the order of its story. Private to bench/page/. */
#ifndef DUEL_PAGE_PARTS_H
#define DUEL_PAGE_PARTS_H

#include "bench/page/figure.h"
#include "bench/page/page.h"
#include "bench/page/recorded.h"
#include "bench/report/console.h"
#include "bench/report/series.h"
#include "bench/report/words_page.h"

struct duel_page {
    struct duel_writer out;
    const struct duel_page_request *request;
    struct duel_recorded *run;
    size_t runs;
    int figures;    /* so far; each has its own names inside */
    size_t drawing; /* bytes of the pictures so far */
};

/* What one run has measured of one workload. */
struct duel_part {
    const struct duel_recorded *run;
    const char *workload;
    struct duel_series_set set;
    double size;     /* that the tables show */
    char at[64];     /* the same in words: "n = 512" */
    bool several;    /* workloads in this run: then their pictures have its name before theirs */
    char where[500]; /* "gemm on AMD EPYC, 2 CPUs, 2026-11-30" */
    char name[500];  /* the same where the page has several runs, else the workload */
};
typedef void page_part(struct duel_page *page, const struct duel_part *part);

/* page_parts.c */
void page_each(struct duel_page *page, page_part *put); /* of every run */
/* The folder whose plots/ has the pictures of a run. */
void page_dir(const struct duel_page *page, const struct duel_recorded *run, char *dir, size_t size);
/* "speedup", or "gemm-speedup" beside other workloads. */
void page_picture(struct duel_page *page, const struct duel_part *part, const char *name, const char *caption);
/* `run` NULL: of all runs together. */
void page_figure(struct duel_page *page, const struct duel_recorded *run, const char *name, const char *caption);
extern const struct duel_console page_paper;                             /* how numbers are written */
void page_seconds(struct duel_page *page, double seconds);               /* a cell */
void page_ratio(struct duel_page *page, const struct duel_ratio *ratio); /* a cell with its interval */
void page_threads(struct duel_page *page, int threads);                  /* a cell; empty on a GPU */
void page_short(struct duel_page *page, double value);                   /* a cell with two digits */
/* "cpu/gemm/openblas fp32, 2 threads". */
const char *page_name(const struct duel_result *row, char *name, size_t size);

/* One file each. */
void page_where(struct duel_page *page);
void page_steps(struct duel_page *page);
void page_speedup(struct duel_page *page);
void page_ladder(struct duel_page *page);
void page_roof(struct duel_page *page);
void page_precision(struct duel_page *page);
void page_energy(struct duel_page *page);
void page_side(struct duel_page *page);
void page_method(struct duel_page *page);
void page_sources(struct duel_page *page);

/* page_draw.c: the pictures of all runs. As page_write. */
enum duel_status page_draw(const struct duel_page *page, struct duel_why *why);
/* page_csv.c: DIR/report.csv. */
enum duel_status page_csv(const struct duel_page *page, struct duel_why *why);

#endif
