/* writer.h: one text for two readers: a page for a browser, and the same as Markdown. Whatever is written is text: what
 * HTML or Markdown would obey is escaped here, and nowhere else. */
#ifndef DUEL_WRITER_H
#define DUEL_WRITER_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/duel.h"

#define WRITER_LEFT "\1"

struct duel_writer {
    FILE *html, *markdown;
    char *html_text, *markdown_text; /* valid after writer_close() */
    size_t html_size, markdown_size;
    size_t columns, cells; /* of the table that is being written, of its row */
};

/* false: out of memory. */
bool writer_open(struct duel_writer *writer);
bool writer_close(struct duel_writer *writer); /* ends both texts; false: something is missing in them */
void writer_free(struct duel_writer *writer);

/* A part of the page, with a name for links; the next one ends it. */
void writer_part(struct duel_writer *writer, const char *id, const char *title);
void writer_heading(struct duel_writer *writer, const char *title);
void writer_say(struct duel_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A table: heads ends with NULL; WRITER_LEFT "name" is over text, which stands left. The first cell of each row is its
 * name. A row that is not full is filled up. */
void writer_table(struct duel_writer *writer, const char *caption, const char *const *heads);
void writer_row(struct duel_writer *writer);
void writer_cell(struct duel_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void writer_text(struct duel_writer *writer, const char *text); /* a cell of text, which stands left */
void writer_link(struct duel_writer *writer, const char *id, const char *text);
void writer_table_end(struct duel_writer *writer);

/* What is only for those who ask for it: closed at first. */
void writer_fold(struct duel_writer *writer, const char *id, const char *title);
void writer_fold_end(struct duel_writer *writer);
void writer_code(struct duel_writer *writer, const char *text); /* in the page only */

/* Text inside elements and attributes: no byte of it is markup. */
void writer_escape(FILE *stream, const char *text);
void writer_plain(FILE *stream, const char *text); /* the same for one line of Markdown */
/* A name for links out of any text: letters, digits and dashes. Returns `id`. */
const char *writer_id(const char *prefix, const char *text, char *id, size_t size);

#endif
