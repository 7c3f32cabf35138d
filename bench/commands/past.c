/* past.c: where the history lies, and where run files lie. */
#include "bench/commands/past.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/record/directory.h"

#define DEEPEST 16 /* directories inside each other; a link may lead back */

enum duel_status past_path(const struct duel_options *options, char *path, size_t size, struct duel_why *why)
{
    if (!options->db && history_default_path(path, size))
        return DUEL_OK;
    if (options->db && (size_t)snprintf(path, size, "%s", options->db) < size)
        return DUEL_OK;
    return duel_fail(why, DUEL_EINVAL, "there is no place for the history", "name its file with --db",
                     options->db ? "the path given with --db is longer than %zu bytes"
                                 : "neither XDG_DATA_HOME nor HOME names a directory of less than %zu bytes",
                     size);
}

static bool is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool holds_run(const char *path)
{
    struct stat info;
    char *file = directory_path(path, "run.jsonl");
    const bool there = file && stat(file, &info) == 0;
    free(file);
    return there;
}

static bool ends_in_jsonl(const char *path)
{
    const char *end = strrchr(path, '.');
    return end && strcmp(end, ".jsonl") == 0;
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* *found counts what was given to `seen`. */
static bool walk(const char *path, int depth, past_file_seen *seen, void *context, int64_t *found)
{
    struct dirent **entry = NULL;
    bool on = true;
    if (holds_run(path)) {
        ++*found;
        return seen(context, path);
    }
    const int entries = depth < DEEPEST ? scandir(path, &entry, visible, alphasort) : 0;
    for (int i = 0; i < entries; i++) {
        char *below = on ? directory_path(path, entry[i]->d_name) : NULL;
        if (below && is_directory(below)) {
            on = walk(below, depth + 1, seen, context, found);
        } else if (below && ends_in_jsonl(below)) {
            ++*found;
            on = seen(context, below);
        }
        free(below);
        free(entry[i]);
    }
    free(entry);
    return on;
}

bool past_walk(const char *path, past_file_seen *seen, void *context)
{
    int64_t found = 0;
    if (!is_directory(path))
        return seen(context, path);
    const bool on = walk(path, 0, seen, context, &found);
    return on && found == 0 ? seen(context, path) : on;
}
