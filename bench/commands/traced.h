/* traced.h: shared by `duel explain` and `duel trace`. */
#ifndef DUEL_TRACED_H
#define DUEL_TRACED_H

#include "bench/commands/commands.h"
#include "bench/trace/trace.h"

/* The card that --card names and the one whose rates the sentences use, and the compute capability of --arch. */
struct traced_setting {
    struct duel_cards cards;
    const struct duel_card *card;  /* NULL: nothing is to be predicted */
    const struct duel_card *shown; /* never NULL once it is set */
    int capability;
};
enum duel_status traced_setting_read(const struct duel_options *options, struct traced_setting *setting,
                                     struct duel_why *why);
/* Size i of the command line for the workload of `name`; with none given the largest one that it has for the emulated
 * GPU. DUEL_SKIP past the end, DUEL_EINVAL when --shape has another number of extents than the workload. */
enum duel_status traced_size(const struct duel_options *options, const char *name, int i, struct duel_problem *problem,
                             struct duel_why *why);
/* Appends one JSON line per trace to a file, or to stdout for "-". */
enum duel_status traced_write_json(const struct duel_options *options, const struct duel_trace *const *trace,
                                   size_t count, const struct traced_setting *setting, struct duel_why *why);
bool traced_to_stdout(const struct duel_options *options); /* then everything else must be silent */

/* explain.c: a paragraph of at most 96 columns. */
void explain_wrapped(const char *text);
/* explain_workload.c: the lesson of a whole workload, with the numbers of the run in --out. */
struct duel_registry;
struct duel_workload;
void explain_workload(const struct duel_registry *registry, const struct duel_workload *workload,
                      const struct duel_options *options);
/* explain_traced.c: the counted part of the lesson. */
enum duel_status explain_traced(const struct duel_options *options, const struct duel_impl *impl, struct duel_why *why);

#endif
