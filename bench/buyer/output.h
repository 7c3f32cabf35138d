/* output.h: --json and --csv of commands that write rows of one sheet and no run file. */
#ifndef DUEL_BUYER_OUTPUT_H
#define DUEL_BUYER_OUTPUT_H

#include "bench/options/options.h"
#include "bench/record/sheet.h"

/* Does one of them go to stdout? Then no table does. Both at once are refused by output_check(). */
bool output_takes_stdout(const struct duel_options *options);
enum duel_status output_check(const struct duel_options *options, struct duel_why *why);

/* A file, or stdout for "-"; NULL with DUEL_EINVAL. output_close() tells whether everything was written. */
FILE *output_open(const char *path, const char *option, struct duel_why *why);
enum duel_status output_close(FILE *file, const char *path, const char *option, struct duel_why *why);
/* One line of JSON; releases the record. */
enum duel_status output_record(FILE *file, struct duel_record *record, struct duel_why *why);
/* `count` rows of `size` bytes, into both. */
enum duel_status output_rows(const struct duel_options *options, const struct duel_sheet *sheet, const void *rows,
                             size_t size, size_t count, struct duel_why *why);

#endif
