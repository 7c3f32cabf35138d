/* baselines.h: what `duel baseline`, `duel compare` and `duel gate` have in common. */
#ifndef DUEL_BASELINES_H
#define DUEL_BASELINES_H

#include "bench/commands/commands.h"
#include "bench/commands/words.h"
#include "bench/judge/baseline.h"

/* The identity of this machine, as a run would record it. Returns `text`. */
const char *baselines_here(char *text, size_t size);
/* The baseline of this name, this machine's first; DUEL_EINVAL without one. Release with baseline_free(). */
enum duel_status baselines_find(const struct duel_options *options, const char *name, struct baseline *baseline,
                                struct duel_why *why);
/* `duel run` with these words, in so many fresh processes, into `out`. *code is its exit code; a status only for words
 * that `duel run` does not understand. */
enum duel_status baselines_measure(const struct words *words, int64_t sessions, const char *out, bool quiet, int *code,
                                   struct duel_why *why);
/* baseline_show.c: the actions of `duel baseline` that measure nothing; `root` is where baselines are. */
int baselines_list(const struct duel_options *options, const char *root);
int baselines_show(const struct duel_options *options, const char *root);
int baselines_rm(const struct duel_options *options, const char *root);

#endif
