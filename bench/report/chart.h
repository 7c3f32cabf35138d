/* chart.h: a picture of lines over size, on logarithmic axes, with names at the ends of the lines. */
#ifndef DUEL_CHART_H
#define DUEL_CHART_H

#include "bench/report/layout.h"
#include "bench/report/plots.h"

struct duel_reading {
    double y, lo, hi; /* lo and hi: 95 % interval, NaN when unknown */
};

/* false: this row has no such value. */
typedef bool duel_chart_reader(const struct duel_album *album, const struct duel_result *row,
                               struct duel_reading *reading);

struct duel_curve {
    char label[128];
    struct duel_style style;
    bool dashed, thin;
    double end_x, end_y; /* the last point, where the name belongs */
};

struct duel_level {
    char label[128];
    double y;
};

struct duel_chart {
    const struct duel_album *album;
    struct duel_script *script;
    struct duel_curve *curve; /* room for two per series */
    size_t curves;
    struct duel_level level[24];
    size_t levels;
    bool dashed_levels;
    layout_name *tick;  /* names the marks of the y axis; NULL: plain numbers */
    double low, high;   /* of all y so far */
    double left, right; /* of all x so far */
};

bool chart_init(struct duel_chart *chart, const struct duel_album *album, struct duel_script *script);
/* A chart of other things than the rows of a run, with at most `curves` lines: chart_begin, chart_point... and
 * chart_end for each line, and at last chart_names. */
bool chart_open(struct duel_chart *chart, struct duel_script *script, size_t curves);
void chart_begin(struct duel_chart *chart, const char *label, struct duel_style style);
void chart_point(struct duel_chart *chart, double x, const struct duel_reading *reading);
void chart_end(struct duel_chart *chart, const char *label); /* its final name; a line without a point is no line */
/* Places the names at the ends of lines and levels and writes their variables. false: out of memory. */
bool chart_names(const struct duel_chart *chart, double y_low, double y_high);
/* The left margin that holds tick labels of so many characters. */
void chart_tick_margin(const struct duel_chart *chart, int digits);
/* Writes one line's block of data. Its name is `label` with the last value behind it, as `ending` writes it. A line
 * without any value is no line. */
void chart_curve(struct duel_chart *chart, const struct duel_series *series, bool dashed, const char *label,
                 layout_name *ending, duel_chart_reader *read);
void chart_level(struct duel_chart *chart, const char *label, double y);
/* Places the names and writes axes and variables. false: out of memory. */
bool chart_finish(struct duel_chart *chart, const char *title, const char *remark);
void chart_free(struct duel_chart *chart);

#endif
