/* root_file.h: the small files of /proc and /sys, below a root that tests replace. */
#ifndef DUEL_ROOT_FILE_H
#define DUEL_ROOT_FILE_H

#include "bench/duel.h"

/* The first line of root + path without its line end. false: *why (of `size` bytes) names file and error. */
bool root_file_line(const char *root, const char *path, char *line, size_t length, char *why, size_t size);
/* The same as a whole number of at least 0. */
bool root_file_count(const char *root, const char *path, uint64_t *value, char *why, size_t size);

#endif
