/* tiles.h: the tile shape that is best for an implementation on this GPU at about this size, measured once by
 * `duel run --tune` and remembered in a small JSON file of the user's cache. */
#ifndef DUEL_TILES_H
#define DUEL_TILES_H

#include <jansson.h>

#include "bench/harness/plan.h"
#include "bench/record/result.h"

/* Is it selected by the patterns, or a tile shape, with --tune, of one that is? */
bool tiles_selected(const struct duel_options *options, const char *name);
/* Is there a case that can be timed, of an implementation with more than one tile shape? */
bool tiles_can_be_tuned(const struct duel_plan *plan);

/* "$XDG_CACHE_HOME/duel/tiles.json", or below ~/.cache; false when neither is known. */
bool tiles_path(char *path, size_t size);
/* What is remembered; the caller releases it. Without a file, or from a damaged one, nothing: then *why says so, else
 * it stays empty. NULL only without memory. */
json_t *tiles_read(const char *path, struct duel_why *why);
/* Replaces the file as a whole, and makes its directory. */
enum duel_status tiles_write(const char *path, const json_t *tiles, struct duel_why *why);

/* From the rows of a tuning run: for each GPU, implementation, precision and size class the shape with the shortest
 * median at the largest problem of that class, the implementation's own among them. Returns how many it remembered. */
int tiles_remember(json_t *tiles, const struct duel_result *results, size_t count);
/* Lets every case of a GPU run in the shape that is remembered for it, under its own name. Returns how many changed. */
int tiles_use(const json_t *tiles, struct duel_plan *plan);

#endif
