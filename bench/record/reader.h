/* reader.h: run files read back, one record at a time. Whoever reads one may have got it from anywhere, so nothing in
 * it is believed: what breaks a rule of JSON or of the schema is refused with the number of its line. Memory is bounded
 * by the longest line, whatever the length of the file. */
#ifndef DUEL_READER_H
#define DUEL_READER_H

#include <jansson.h>

#include "bench/duel.h"

struct duel_reader_limits {
    size_t line_bytes; /* of one record */
    size_t values;     /* numbers, texts and so on in one record; each costs about 50 bytes while it is held */
    int depth;         /* of objects and arrays inside each other */
};
/* Room for every line that a run can write: a million samples of each kind. */
extern const struct duel_reader_limits reader_usual_limits;

struct duel_reader;

/* `path` is a run file, or a directory that holds run.jsonl. The first record must be a `run` of the same major version
 * of the schema. `limits` may be NULL: the usual ones. On failure *reader is NULL. */
enum duel_status reader_open(struct duel_reader **reader, const char *path, const struct duel_reader_limits *limits,
                             struct duel_why *why);
/* The same; `tap` sees every byte of the file as it is read, also those of lines that are left out. */
typedef void reader_tap(void *context, const char *bytes, size_t size);
enum duel_status reader_open_tapped(struct duel_reader **reader, const char *path,
                                    const struct duel_reader_limits *limits, reader_tap *tap, void *context,
                                    struct duel_why *why);
/* The next record, an object with a text `record`, or NULL at the end; the caller gives it back with json_decref().
 * Fields and kinds of records that are not known here are kept. DUEL_EINVAL: this line breaks a rule, and nothing can
 * be read after it; DUEL_EIO: the file cannot be read. */
enum duel_status reader_next(struct duel_reader *reader, json_t **record, struct duel_why *why);
void reader_close(struct duel_reader *reader); /* safe on NULL */

/* For messages. reader_refuse() says what is wrong with the last record: its line, the file and `fault`. */
enum duel_status reader_refuse(const struct duel_reader *reader, const char *fault, struct duel_why *why);
const char *reader_path(const struct duel_reader *reader); /* of the file itself */
int64_t reader_line(const struct duel_reader *reader);     /* of the last record, from 1 */
/* What was left out, for people: a last line that a crash or a full disk cut off. NULL when nothing was. */
const char *reader_dropped(const struct duel_reader *reader);

/* Members of a record. Absent, or of another type: NULL, NaN, -1, false. */
const char *reader_text(const json_t *record, const char *name);
double reader_real(const json_t *record, const char *name);
int64_t reader_count(const json_t *record, const char *name);
bool reader_is(const json_t *record, const char *kind); /* is it a record of this kind? */

#endif
