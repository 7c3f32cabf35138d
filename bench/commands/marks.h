/* marks.h: a list of verdicts for people and for programs, as `duel doctor` and `duel selftest` give it: a table,
 * advice for whatever is not good, and one JSON object. */
#ifndef DUEL_MARKS_H
#define DUEL_MARKS_H

#include "bench/record/record.h"
#include "bench/report/console.h"

struct duel_mark {
    const char *topic, *title; /* a topic is printed once for the rows that share it */
    const char *word;          /* the verdict */
    enum duel_shade shade;
    const struct duel_why *why; /* seen: in the table; why it matters and what to do next: in the advice */
    bool advise;
};

void marks_table(FILE *stream, const struct duel_mark *marks, size_t count);
/* Of those that want it: what was seen, why it matters, what to do next. */
void marks_advice(FILE *stream, const struct duel_mark *marks, size_t count);
/* One item of the array "checks". `name` and the words of a verdict are stable; value NaN is left out. */
json_t *marks_item(const char *name, const char *verdict, double value, const char *unit, const struct duel_why *why);
/* Can FILE be written? Asked before any work; - and NULL can. */
enum duel_status marks_target(const char *path, struct duel_why *why);
/* Writes the record to --json FILE or - for stdout. Frees the record. */
enum duel_status marks_write(struct duel_record *record, const char *path, struct duel_why *why);

#endif
