/* root_file.c: one value in one file. */
#include "bench/telemetry/root_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool failed(const char *path, int error, char *why, size_t size)
{
    const char *name = strrchr(path, '/');
    snprintf(why, size, "%s: %s", name ? name + 1 : path, error ? strerror(error) : "empty");
    return false;
}

bool root_file_line(const char *root, const char *path, char *line, size_t length, char *why, size_t size)
{
    char whole[4096];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    FILE *file = fopen(whole, "re");
    if (!file)
        return failed(path, errno, why, size);
    errno = 0;
    bool read = fgets(line, (int)length, file) != NULL;
    int error = errno;
    fclose(file);
    if (!read)
        return failed(path, error, why, size);
    line[strcspn(line, "\n")] = '\0';
    return true;
}

bool root_file_count(const char *root, const char *path, uint64_t *value, char *why, size_t size)
{
    char line[64], *end;
    if (!root_file_line(root, path, line, sizeof line, why, size))
        return false;
    errno = 0;
    *value = strtoull(line, &end, 10);
    if (isdigit((unsigned char)*line) && !*end && !errno)
        return true;
    const char *name = strrchr(path, '/');
    snprintf(why, size, "%s: \"%.24s\" is not a count", name ? name + 1 : path, line);
    return false;
}
