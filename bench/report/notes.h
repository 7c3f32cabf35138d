/* notes.h: what a table says in a numbered footnote, so that a long reason stands there once and not in every row. */
#ifndef DUEL_NOTES_H
#define DUEL_NOTES_H

#include "bench/report/console.h"

#define NOTES_MOST 64
#define NOTES_TEXT 240

/* Zero-initialised it is empty. */
struct duel_notes {
    char text[NOTES_MOST][NOTES_TEXT];
    int count;
};

/* The number of this text, from 1: an old one when it has been noted before; 0 when there is no room. */
int notes_add(struct duel_notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "  [1] text", one below the other. */
void notes_print(const struct duel_notes *notes, FILE *stream, const struct duel_console *console);

#endif
