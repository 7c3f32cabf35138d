#include "bench/commands/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/options/options.h"

void words_free(struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->word[i]);
    free(words->word);
    *words = (struct words){NULL, 0, false};
}

void words_add(struct words *words, const char *text)
{
    char **grown = realloc(words->word, (words->count + 2) * sizeof *grown);
    char *copy = strdup(text);
    if (grown)
        words->word = grown;
    if (!grown || !copy) {
        words->failed = true;
        free(copy);
        return;
    }
    words->word[words->count++] = copy;
    words->word[words->count] = NULL;
}

void words_add_own(struct words *words, int first)
{
    FILE *file = fopen("/proc/self/cmdline", "re");
    char *word = NULL;
    size_t capacity = 0;
    words->failed |= !file;
    for (int i = 0; file && getdelim(&word, &capacity, '\0', file) > 0; i++)
        if (i >= first)
            words_add(words, word);
    free(word);
    if (file)
        fclose(file);
}

static bool is_one_of(const char *word, size_t length, const char *const *names)
{
    while (*names && (strlen(*names) != length || strncmp(*names, word, length) != 0))
        names++;
    return *names != NULL;
}

/* How many of the words behind the i-th are its values. */
static size_t values_of(const struct words *words, size_t i)
{
    const char *word = words->word[i];
    const size_t length = strcspn(word, "=");
    for (const struct duel_option *option = duel_option_table; option->name; option++) {
        if (strlen(option->name) != length || strncmp(option->name, word, length) != 0)
            continue;
        const size_t first = option->kind == OPTION_FLAG || word[length] ? 0 : 1;
        const char *behind = i + first + 1 < words->count ? words->word[i + first + 1] : NULL;
        return first + options_second_value(option, behind);
    }
    return 0;
}

void words_add_without(struct words *words, const struct words *from, const char *const *left_out, int arguments)
{
    bool ended = false;
    for (size_t i = 0; i < from->count; i++) {
        const char *word = from->word[i];
        const bool option = !ended && word[0] == '-' && word[1] != '\0';
        const size_t with = option ? values_of(from, i) : 0;
        const bool dropped = option ? is_one_of(word, strcspn(word, "="), left_out) : arguments > 0;
        arguments -= !option && arguments > 0;
        ended = ended || strcmp(word, "--") == 0;
        for (size_t last = i + with; i <= last && i < from->count; i++)
            if (!dropped)
                words_add(words, from->word[i]);
        i--;
    }
}
