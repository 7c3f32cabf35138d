/* head.h: how the run file of a command that measures begins. */
#ifndef DUEL_HEAD_H
#define DUEL_HEAD_H

#include "bench/options/options.h"
#include "bench/record/runfile.h"
#include "bench/registry/registry.h"

/* Opens the sinks of --out, --json and --csv, whose CSV has the rows of `sheet` (NULL: of results), and writes the
 * records run, host and, for every device that --device selects, device. */
enum duel_status head_open(struct duel_runfile **file, const struct duel_options *options,
                           const struct duel_registry *registry, const struct duel_sheet *sheet,
                           const char *command_line, struct duel_why *why);
/* Where people are talked to: stderr when stdout carries data. */
FILE *head_talk(const struct duel_options *options);
/* Keeps the first failure, and a few later ones of other consequences; work goes on. */
struct duel_trouble {
    enum duel_status status; /* of the first */
    struct duel_why why, later[3];
    int more;
};
/* Says all of them, and names every file of the run that lost records: a full disk seldom hits one alone. */
void trouble_tell(const struct duel_trouble *trouble, const struct duel_runfile *file);
void trouble_note(struct duel_trouble *trouble, enum duel_status status, const struct duel_why *why);
/* "Results: DIR/run.jsonl, DIR/run.csv; pictures: DIR/plots/; also FILE": what is there, and only that. */
void head_tell_files(FILE *talk, const struct duel_runfile *file, const struct duel_options *options, bool pictures);
/* "AMD EPYC, 2 CPUs", for pictures. */
void head_machine(const struct duel_registry *registry, char *out, size_t size);

#endif
