/* facts.c: small text files, read line by line. */
#include "bench/record/facts.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value behind `key` in this line, or NULL. */
static const char *value_of(const char *line, const char *key)
{
    if (!key)
        return line;
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0)
        return NULL;
    const char *rest = line + length + strspn(line + length, " \t");
    if (*rest == ':' || *rest == '=')
        return rest + 1;
    return rest > line + length ? rest : NULL; /* "key value"; another key that only begins alike has no blank here */
}

static void trim(const char *from, char *value, size_t size)
{
    from += strspn(from, " \t\"");
    size_t length = strlen(from);
    while (length > 0 && (isspace((unsigned char)from[length - 1]) || from[length - 1] == '"'))
        length--;
    snprintf(value, size, "%.*s", length < INT_MAX ? (int)length : INT_MAX, from);
}

bool facts_read(const char *root, const char *path, const char *key, char *value, size_t size)
{
    char whole[4096], *line = NULL;
    size_t capacity = 0;
    *value = '\0';
    snprintf(whole, sizeof whole, "%s%s", root, path);
    FILE *file = fopen(whole, "re");
    if (!file)
        return false;
    while (!*value && getline(&line, &capacity, file) >= 0) {
        const char *found = value_of(line, key);
        if (found)
            trim(found, value, size);
        if (!key)
            break;
    }
    free(line);
    fclose(file);
    return *value != '\0';
}

long facts_list_length(const char *list)
{
    long total = 0;
    for (const char *at = list;; at++) {
        char *end;
        if (!isdigit((unsigned char)*at))
            return -1;
        long first = strtol(at, &end, 10), last = first;
        if (*end == '-' && isdigit((unsigned char)end[1]))
            last = strtol(end + 1, &end, 10);
        if (last < first || last - first > 1000000)
            return -1;
        total += last - first + 1;
        if (!*end)
            return total;
        if (*end != ',')
            return -1;
        at = end;
    }
}

long long facts_bytes(const char *text)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return -1;
    long long value = strtoll(text, &end, 10);
    end += strspn(end, " \t");
    int shift = *end == 'K' || *end == 'k' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    return value > LLONG_MAX >> shift ? -1 : value << shift;
}
