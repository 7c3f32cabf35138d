#include <stdlib.h>
#include <string.h>

#include "bench/history/history.h"

/* The XDG Base Directory Specification: a relative XDG_DATA_HOME is invalid and ignored. */
bool history_default_path(char *path, size_t size)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length = -1;
    if (data && *data == '/')
        length = snprintf(path, size, "%s/duel/history.db", data);
    else if (home && *home)
        length = snprintf(path, size, "%s/.local/share/duel/history.db", home);
    return length > 0 && (size_t)length < size;
}

bool history_is_id(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:+.";
    return text && *text && *text != '.' && strlen(text) <= 80 && text[strspn(text, allowed)] == '\0';
}
