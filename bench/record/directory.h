/* directory.h: the directory of a run: made, locked, and cleared of the run before. */
#ifndef DUEL_DIRECTORY_H
#define DUEL_DIRECTORY_H

#include "bench/duel.h"

/* Creates `dir` and its parents. */
enum duel_status directory_make(const char *dir, struct duel_why *why);
/* Locks `dir` for this process; *lock is to be closed to unlock it. The kernel drops the lock when its owner ends, in
 * whatever way, so the file DIR/.lock that stays behind never locks anybody out. DUEL_EIO when another run holds it. */
enum duel_status directory_lock(const char *dir, int *lock, struct duel_why *why);
/* True when `path` names one of the files that a run itself writes in `dir`. */
bool directory_owns(const char *dir, const char *path);
/* Moves run.jsonl, run.csv, plots/ and sessions/ of an earlier run to DIR/previous/, replacing the run that lay there;
 * but a run without one good row is removed instead when that one has some. Does nothing when there is no earlier run.
 */
enum duel_status directory_rotate(const char *dir, struct duel_why *why);
/* Removes a file or a whole tree; links are removed, not followed. 0, or an errno. */
int directory_remove(const char *path);
/* DIR/name, or NULL; the caller frees it. */
char *directory_path(const char *dir, const char *name);

#endif
