/* picture.h: from numbers to pictures: data and script, then PNG, SVG and, on request, characters on the terminal. */
#ifndef DUEL_PICTURE_H
#define DUEL_PICTURE_H

#include "bench/report/report.h"
#include "bench/report/script.h"

struct duel_picture {
    const char *name; /* of its files */
    const char *body; /* the drawing code in reports/ */
    /* Writes the variables and the data. *drawn says whether there was anything to draw; it comes in as false. */
    enum duel_status (*plot)(const void *context, struct duel_script *script, bool *drawn, struct duel_why *why);
    const void *context;
};

/* Writes and draws them all in DIR/plots of the request. One that cannot be drawn does not keep the others from it; the
 * first failure is reported. DUEL_SKIP when there is no gnuplot: data and scripts are there, and *why tells how to draw
 * them. */
enum duel_status pictures_write(const struct duel_plot_request *request, const struct duel_picture *pictures,
                                size_t count, struct duel_why *why);

#endif
