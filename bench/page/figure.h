/* figure.h: a picture of DIR/plots inside a page: the SVG that gnuplot made, and the numbers behind each point. */
#ifndef DUEL_FIGURE_H
#define DUEL_FIGURE_H

#include "bench/page/writer.h"

struct duel_figure {
    const char *dir, *name, *caption; /* the caption says what it shows, for those who see it and those who do not */
    const char *link;                 /* to its PNG, of the Markdown */
    int number;                       /* tells the pictures of a page apart */
};

/* Nothing is written when DIR/plots/NAME.svg is no SVG of gnuplot; false then. */
bool figure_put(struct duel_writer *writer, const struct duel_figure *figure);

#endif
