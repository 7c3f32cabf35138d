/* past.h: what the commands around the history share. */
#ifndef DUEL_PAST_H
#define DUEL_PAST_H

#include "bench/history/history.h"
#include "bench/options/options.h"

/* The data base that --db names, or the usual one. */
enum duel_status past_path(const struct duel_options *options, char *path, size_t size, struct duel_why *why);

/* Calls `seen` with `path` itself when it is a file or a directory that holds run.jsonl, and else with all such
 * directories and all files *.jsonl below it, by name. `seen` returns false to stop, and then this does, too. A
 * directory without any run is given to `seen` as it is, which then says what is wrong with it. */
typedef bool past_file_seen(void *context, const char *path);
bool past_walk(const char *path, past_file_seen *seen, void *context);

/* history_export.c: `duel history export [RUN...]`. */
int past_export(struct duel_history *history, const struct duel_options *options);

#endif
