/* facts.h: reading facts from the small text files of /proc, /sys and /etc. */
#ifndef DUEL_FACTS_H
#define DUEL_FACTS_H

#include <stdbool.h>
#include <stddef.h>

/* Finds the value of `key` in a text file and trims blanks and quotes: "key : value", "key=value" and "key value" are
 * understood, and the first match counts. Without a key the value is the first line. false when there is none. */
bool facts_read(const char *root, const char *path, const char *key, char *value, size_t size);
/* How many CPUs or nodes a list such as "0-3,8" names; -1 when it is not such a list. */
long facts_list_length(const char *list);
/* "32K", "1024 kB", "8M" or "512" in bytes; -1 when it is not a size. */
long long facts_bytes(const char *text);

#endif
