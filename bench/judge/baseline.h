/* baseline.h: sessions that are kept to be compared with later:
 *
 *     ROOT/<hash of the machine's identity>/NAME/run.jsonl        all sessions, every sample
 *     ROOT/<hash of the machine's identity>/NAME/baseline.json    how they were measured, and their noise floors
 */
#ifndef DUEL_BASELINE_H
#define DUEL_BASELINE_H

#include <limits.h>

#include "bench/judge/side.h"

#define BASELINE_LEAST_SESSIONS 3

/* What keeps sessions from being a baseline. */
enum baseline_fault { BASELINE_FIT, BASELINE_WRONG, BASELINE_FAILED, BASELINE_NOISY, BASELINE_THROTTLED };
/* `wanted`: sessions that there should be. */
enum baseline_fault baseline_examine(const struct judge_side *side, int wanted, struct duel_why *why);

/* What the kernel of this case shows against itself, relative; NaN: unknown. */
double baseline_noise(const struct judge_case *item);

struct baseline {
    char name[104], machine[24]; /* the hash */
    char dir[PATH_MAX], run[PATH_MAX];
    json_t *record; /* NULL when it cannot be read */
};

/* --dir, or duel/baselines in $XDG_DATA_HOME or ~/.local/share. */
enum duel_status baseline_root(const char *dir, char *root, size_t size, struct duel_why *why);
/* Letters, digits, '.', '_' and '-', not a dot first. */
enum duel_status baseline_check_name(const char *name, struct duel_why *why);
/* Hash of an identity, as it stands in the path. Returns `text`. */
const char *baseline_machine(const char *identity, char *text, size_t size);

/* Calls `seen` for each, machine by machine, in alphabetical order. */
typedef void baseline_seen(void *context, const struct baseline *baseline);
void baseline_each(const char *root, baseline_seen *seen, void *context);
/* That of this machine if there is one, else of another. DUEL_EINVAL: there is none. Release with baseline_free(). */
enum duel_status baseline_find(const char *root, const char *name, const char *machine, struct baseline *baseline,
                               struct duel_why *why);
void baseline_free(struct baseline *baseline);

/* Copies the run of `side` to its place. `words` are the arguments of `duel run` that measured it (borrowed). Refuses
 * to replace one. */
enum duel_status baseline_save(const char *root, const char *name, const struct judge_side *side, json_t *words,
                               const char *version, struct duel_why *why);

#endif
