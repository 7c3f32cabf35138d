/* replacement.h: a file that appears under its name only when it is whole: a full disk or a killed process leaves an
 * older file of that name as it was. */
#ifndef DUEL_REPLACEMENT_H
#define DUEL_REPLACEMENT_H

#include <limits.h>

#include "bench/duel.h"

struct duel_replacement {
    FILE *file; /* to be written */
    const char *path;
    char name[PATH_MAX]; /* of the temporary file */
};

/* Refuses what is no regular file, and opens a new one beside it. */
enum duel_status replacement_begin(struct duel_replacement *replacement, const char *path, struct duel_why *why);
/* Moves the file into its place when `status` is DUEL_OK and all was written; else takes it away. Returns the first
 * error. */
enum duel_status replacement_end(struct duel_replacement *replacement, enum duel_status status, struct duel_why *why);
/* The status and words for a write that failed, with errno. */
enum duel_status replacement_failed(const char *path, struct duel_why *why);

#endif
