/* words.h: command lines of this program, word by word: read, changed, and given to another process of it. */
#ifndef DUEL_COMMANDS_WORDS_H
#define DUEL_COMMANDS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Ended by NULL; `failed` remembers that memory ran out. Zero-initialised it is empty. */
struct words {
    char **word;
    size_t count;
    bool failed;
};

void words_add(struct words *words, const char *text);
void words_free(struct words *words);
/* Adds those that this process was started with, from the `first` on: the joined line of a record has lost where a
 * word ends. */
void words_add_own(struct words *words, int first);
/* Adds `from` without the options named in `left_out` (ended by NULL) and their values, and without its first
 * `arguments` words that belong to no option. */
void words_add_without(struct words *words, const struct words *from, const char *const *left_out, int arguments);

#endif
