/* directory.c: making, locking and rotating the directory of a run. */
#include "bench/record/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* What one run leaves behind and the next one moves away. */
static const char *const generation[] = {"run.jsonl",   "run.csv",   "plots", "sessions",
                                         "report.html", "report.md", "page"};
#define GENERATION (sizeof generation / sizeof *generation)

char *directory_path(const char *dir, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", dir, name) < 0 ? NULL : path;
}

static enum duel_status no_memory(struct duel_why *why)
{
    return duel_fail(why, DUEL_ENOMEM, "nothing can be recorded", "free some memory", "out of memory for a path");
}

static enum duel_status unusable(const char *path, const char *what, int error, struct duel_why *why)
{
    return duel_fail(why, DUEL_EIO, "nothing was measured yet, because the results could not be kept",
                     error == ENOSPC ? "free some space or give another directory with --out"
                                     : "give a directory that you may write to with --out",
                     "%s %s: %s", path, what, strerror(error));
}

/* mkdir, and fine when it is a directory already. */
static int make_one(const char *path)
{
    struct stat info;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
        return 0;
    return errno == EEXIST ? ENOTDIR : errno;
}

enum duel_status directory_make(const char *dir, struct duel_why *why)
{
    char *path = strdup(dir);
    if (!path)
        return no_memory(why);
    int error = *dir ? 0 : ENOENT;
    for (char *slash = path + 1; *path && error == 0 && (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        error = make_one(path);
        if (error == 0)
            *slash = '/';
    }
    if (error == 0)
        error = make_one(path);
    enum duel_status status = error ? unusable(path, "cannot be created as a directory", error, why) : DUEL_OK;
    free(path);
    return status;
}

static enum duel_status locked(const char *dir, int file, struct duel_why *why)
{
    char owner[24] = "";
    ssize_t length = read(file, owner, sizeof owner - 1);
    owner[length > 0 ? length : 0] = '\0';
    owner[strcspn(owner, "\n")] = '\0';
    return duel_fail(why, DUEL_EIO, "two runs in one directory would mix their results, and disturb each other's times",
                     "wait until it has ended, or give this run a directory of its own with --out",
                     "another run%s%s is writing to %s", *owner ? ", process " : "", owner, dir);
}

enum duel_status directory_lock(const char *dir, int *lock, struct duel_why *why)
{
    char *path = directory_path(dir, ".lock");
    if (!path)
        return no_memory(why);
    enum duel_status status = DUEL_OK;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        status = unusable(dir, "cannot be written to", errno, why);
    else if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        status = locked(dir, file, why);
    /* Other errors: a file system without locks. Working without one is better than not working there at all. */
    if (status == DUEL_OK) {
        /* The number only makes the message above better, so a failure to write it is harmless. */
        if (ftruncate(file, 0) == 0)
            dprintf(file, "%ld\n", (long)getpid());
        *lock = file;
    } else if (file >= 0) {
        close(file);
    }
    free(path);
    return status;
}

bool directory_owns(const char *dir, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char *parent = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    struct stat one, other;
    bool inside = parent && stat(parent, &one) == 0 && stat(dir, &other) == 0 && one.st_dev == other.st_dev &&
                  one.st_ino == other.st_ino;
    bool owned = false;
    for (size_t i = 0; i < GENERATION; i++)
        owned |= inside && strcmp(name, generation[i]) == 0;
    free(parent);
    return owned;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

int directory_remove(const char *path)
{
    if (unlink(path) == 0 || errno == ENOENT)
        return 0;
    return nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0 ? 0 : errno;
}

static bool holds(const char *dir, const char *name)
{
    char *path = directory_path(dir, name);
    bool there = path && access(path, F_OK) == 0;
    free(path);
    return there;
}

/* Moves DIR/name to DIR/previous/name, whatever lies there; without DIR/name only the older one goes. */
static enum duel_status rotate_one(const char *dir, const char *previous, const char *name, struct duel_why *why)
{
    char *from = directory_path(dir, name), *to = directory_path(previous, name);
    enum duel_status status = from && to ? DUEL_OK : no_memory(why);
    if (status == DUEL_OK) {
        int error = directory_remove(to);
        if (error == 0 && rename(from, to) != 0 && errno != ENOENT)
            error = errno;
        if (error)
            status = unusable(from, "of the earlier run cannot be moved to previous/", error, why);
    }
    free(from);
    free(to);
    return status;
}

/* Does DIR hold a run of ours? Its run file begins with a record, or is still empty. */
static bool is_ours(const char *dir)
{
    static const char start[] = "{\"record\":\"";
    char *path = directory_path(dir, "run.jsonl"), text[sizeof start] = "";
    FILE *file = path ? fopen(path, "r") : NULL;
    size_t length = file ? fread(text, 1, sizeof start - 1, file) : 0;
    bool ours = file && (length == 0 || memcmp(text, start, sizeof start - 1) == 0);
    if (file)
        fclose(file);
    free(path);
    return ours;
}

/* Did the run in `dir` leave a row that is right, or a ceiling? */
static bool holds_result(const char *dir)
{
    static const char roof[] = "{\"record\":\"roof\"";
    char *path = directory_path(dir, "run.jsonl"), *line = NULL;
    size_t capacity = 0;
    bool found = false;
    FILE *file = path ? fopen(path, "r") : NULL;
    while (file && !found && getline(&line, &capacity, file) > 0)
        found = strstr(line, "\"status\":\"ok\"") || strstr(line, "\"status\":\"verified\"") ||
                strncmp(line, roof, sizeof roof - 1) == 0;
    if (file)
        fclose(file);
    free(line);
    free(path);
    return found;
}

static enum duel_status drop_one(const char *dir, const char *name, struct duel_why *why)
{
    char *path = directory_path(dir, name);
    enum duel_status status = path ? DUEL_OK : no_memory(why);
    int error = path ? directory_remove(path) : 0;
    if (error)
        status = unusable(path, "of a run without a result cannot be removed", error, why);
    free(path);
    return status;
}

enum duel_status directory_rotate(const char *dir, struct duel_why *why)
{
    const char *earlier = NULL;
    for (size_t i = 0; i < GENERATION && !earlier; i++)
        earlier = holds(dir, generation[i]) ? generation[i] : NULL;
    if (!earlier)
        return DUEL_OK;
    if (!is_ours(dir))
        return duel_fail(why, DUEL_EIO, "a run would move it away, and the next one delete it",
                         "give a directory of its own with --out", "%s holds %s, but no run of duel", dir, earlier);
    char *previous = directory_path(dir, "previous");
    enum duel_status status = previous ? directory_make(previous, why) : no_memory(why);
    /* A run that failed or was interrupted before its first good row is no reason to lose the good one before it. */
    const bool drop = status == DUEL_OK && !holds_result(dir) && holds_result(previous);
    for (size_t i = 0; i < GENERATION && status == DUEL_OK; i++)
        status = drop ? drop_one(dir, generation[i], why) : rotate_one(dir, previous, generation[i], why);
    free(previous);
    return status;
}
