/* open.h: a page in the user's browser. */
#ifndef DUEL_OPEN_H
#define DUEL_OPEN_H

#include <stdbool.h>
#include <stdio.h>

/* Says on `talk` where DIR/report.html is, and with `open` gives it to xdg-open. Returns the exit code. */
int open_page(FILE *talk, const char *dir, bool open);

#endif
