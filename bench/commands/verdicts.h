/* verdicts.h: what `duel compare` and `duel gate` say about a comparison: on the terminal, in files for other programs,
 * and as an exit code. */
#ifndef DUEL_VERDICTS_H
#define DUEL_VERDICTS_H

#include "bench/commands/commands.h"
#include "bench/judge/comparison.h"

struct verdicts {
    const struct duel_options *options;
    struct judge_comparison *comparison;
    const char *before, *after; /* names of the sides */
    bool whole;                 /* B should have every case of A */
    bool confirmed;             /* what changed was measured a second time */
};

/* verdicts.c */
int verdicts_code(const struct verdicts *verdicts);
/* "SLOWER: 1 of 12 beyond 3 %, the worst ...": the whole answer in one line. */
void verdicts_line(const struct verdicts *verdicts, char *text, size_t size);
/* "+5.2 %", "x 34": a ratio of times as people read it. */
const char *verdicts_change(double ratio, char *text, size_t size);
/* "+4.1 % to +6.3 %"; empty without an interval. */
const char *verdicts_interval(const struct judge_finding *finding, char *text, size_t size);
/* What a reader should know about one verdict; may be empty. */
const char *verdicts_remark(const struct judge_cell *cell, char *text, size_t size);
/* The same in two or three words, for a column of a table. */
const char *verdicts_brief(const struct judge_cell *cell, char *text, size_t size);
bool verdicts_fails(const struct verdicts *verdicts, const struct judge_cell *cell);

/* compare.c */
/* Reads both sides, whose names are for people, and judges them; release the comparison also after a failure. */
enum duel_status compare_sides(struct judge_comparison *comparison, const struct duel_options *options,
                               const char *const name[2], const char *const path[2], struct duel_why *why);

/* verdicts_text.c: tables for people. */
void verdicts_print(const struct verdicts *verdicts, FILE *stream);
/* verdicts_json.c */
enum duel_status verdicts_json(const struct verdicts *verdicts, const char *path, struct duel_why *why);
/* verdicts_junit.c, verdicts_markdown.c, verdicts_prometheus.c */
void verdicts_junit(const struct verdicts *verdicts, FILE *stream);
void verdicts_markdown(const struct verdicts *verdicts, FILE *stream);
void verdicts_prometheus(const struct verdicts *verdicts, FILE *stream);

/* verdicts_files.c */
/* Can all files of the options be written? Asked before any work. */
enum duel_status verdicts_targets(const struct duel_options *options, struct duel_why *why);
/* --json, --junit, --markdown and --prometheus. */
enum duel_status verdicts_write(const struct verdicts *verdicts, struct duel_why *why);
/* Characters that mean something in another format, and how they are written there; `special` 0 ends the table. */
struct verdicts_escape {
    char special;
    const char *written;
};
void verdicts_put(FILE *stream, const char *text, const struct verdicts_escape *table);
/* "+5.2 % (+4.1 % to +6.3 %): 0.00102 s before, 0.00107 s now; ..." */
void verdicts_words(FILE *stream, const struct judge_cell *cell, const struct verdicts_escape *table);
/* Where people are talked to: stderr when stdout carries data. */
FILE *verdicts_talk(const struct duel_options *options);

#endif
