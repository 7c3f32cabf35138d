/* side.h: the picture of several runs: one bar for each machine and implementation. Private to bench/page/. */
#ifndef DUEL_PAGE_SIDE_H
#define DUEL_PAGE_SIDE_H

#include "bench/page/parts.h"

#define SIDE_BARS 16 /* more could not be read */

struct side_bar {
    const struct duel_result *row;
    const char *machine;
};

struct side_picture {
    char name[64], at[96], when[120]; /* of its files; the size in words; when it was recorded */
    struct side_bar bar[SIDE_BARS];
    size_t count;
};

/* Draws it in the plots/ of the page. As page_write. */
enum duel_status side_draw(const struct duel_page *page, const struct side_picture *picture, struct duel_why *why);

#endif
