/* sink.h: one target of a run's data: a file or stdout. Lines go out whole, in one write() with O_APPEND, so that they
 * are in the file as soon as they are known and two writers could not tear them apart. */
#ifndef DUEL_SINK_H
#define DUEL_SINK_H

#include "bench/duel.h"

struct duel_sink {
    int fd; /* -1: not open */
    bool owned;
    bool regular; /* a file that can be cut back after a failed write */
    char *path;   /* as in messages */
    int64_t lost; /* records that could not be written, */
    int error;    /* and why the first one could not */
};

/* `path` is "-" for stdout. `option` names the option for messages ("--json"). An existing file keeps its content until
 * sink_empty(). */
enum duel_status sink_open(struct duel_sink *sink, const char *path, const char *option, struct duel_why *why);
/* Keeps other runs from a regular file until it is closed; DUEL_EIO when another one writes to it. */
enum duel_status sink_lock(struct duel_sink *sink, const char *option, struct duel_why *why);
/* Empties a regular file. */
enum duel_status sink_empty(struct duel_sink *sink, struct duel_why *why);
/* DUEL_EIO when not everything could be written; a regular file then ends where it ended before. */
enum duel_status sink_write(struct duel_sink *sink, const char *bytes, size_t size, struct duel_why *why);
/* Asks the file system whether all of it has arrived: some of them report a full disk only now. */
enum duel_status sink_flush(struct duel_sink *sink, struct duel_why *why);
/* Which file lacks how many records, in words; false when it has all. */
bool sink_lost(const struct duel_sink *sink, char *words, size_t size);
bool sink_same(const struct duel_sink *a, const struct duel_sink *b); /* the same regular file? */
void sink_close(struct duel_sink *sink);                              /* safe on a sink that is not open */

#endif
