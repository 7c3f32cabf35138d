/* files.h: many small files at once, such as one for each CPU. `root` stands before every path. */
#ifndef DUEL_FILES_H
#define DUEL_FILES_H

#include <stddef.h>

/* Told the whole path of a file and its first line. */
typedef void files_visitor(void *context, const char *path, const char *value);

/* Visits every readable file that the pattern of glob(7) selects, in order; returns their number. */
size_t files_visit(const char *root, const char *pattern, files_visitor *visit, void *context);
/* The sum of the numbers in them; NaN when there is no such file. */
double files_sum(const char *root, const char *pattern);
/* The number in one file; NaN when there is none. */
double files_number(const char *root, const char *path);

#endif
