/* series.h: the timed rows of a run, sorted into lines: one per implementation, device, precision and thread count. */
#ifndef DUEL_SERIES_H
#define DUEL_SERIES_H

#include "bench/record/result.h"
#include "bench/report/style.h"

struct duel_series {
    char label[96];   /* "CPU openblas", with precision, threads or device where that tells lines apart */
    const char *name; /* the label without the side, for pictures that show only one */
    struct duel_style style;
    bool cpu;
    bool thin;                      /* the FP64 line of an implementation that has another one: same colour, less ink */
    bool other;                     /* its inputs are narrower than those of others: another problem, and marked so */
    const struct duel_result **row; /* by rising size */
    size_t count;
};

/* Lines of one workload; only rows with a time are in here, so nothing that is drawn can show any other. */
struct duel_series_set {
    struct duel_series *series; /* CPU first, each half in the order in which the run has them */
    size_t count;
    double *size; /* every size once, rising */
    size_t sizes;
    bool square; /* --n could have given all sizes; else they are the geometric mean of the extents that it sets */
    bool gpu;    /* some line is not a CPU's */
};

double series_size(const struct duel_result *row);
/* The row of this line at `size`; NULL when it has none there. */
const struct duel_result *series_at(const struct duel_series *series, double size);
/* The size that shows a duel: the largest at which the best CPU line and the best GPU line both have a time. Without
 * such a pair the largest that most lines share. */
double series_duel_size(const struct duel_series_set *set);
/* The rows of one workload. false: out of memory. Rows are borrowed. */
bool series_collect(struct duel_series_set *set, const char *workload, const struct duel_result *results, size_t count);
void series_free(struct duel_series_set *set);

#endif
