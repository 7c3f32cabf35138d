/* replacement.c: write beside, then rename. */
#include "bench/matrix/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/matrix/npy_header.h"

enum duel_status replacement_failed(const char *path, struct duel_why *why)
{
    return duel_fail(why, DUEL_EIO, "the result is not saved; an older file of that name is untouched",
                     "free space, or name a file in a directory that you may write to with --output",
                     "%s cannot be written: %s", npy_shown(path), strerror(errno));
}

/* A new file beside `path`, so that rename() stays inside one file system. */
static FILE *open_temporary(struct duel_replacement *replacement)
{
    for (int attempt = 0; attempt < 100; attempt++) {
        int length = snprintf(replacement->name, sizeof replacement->name, "%s.%ld-%d.tmp", replacement->path,
                              (long)getpid(), attempt);
        if (length < 0 || (size_t)length >= sizeof replacement->name) {
            errno = ENAMETOOLONG;
            return NULL;
        }
        int file = open(replacement->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno == EEXIST)
            continue;
        FILE *stream = file < 0 ? NULL : fdopen(file, "wb");
        if (!stream && file >= 0) {
            close(file);
            unlink(replacement->name);
        }
        return stream;
    }
    return NULL;
}

/* Replacing a device or a pipe by a file would be a nasty surprise, and for root it would succeed. */
enum duel_status replacement_begin(struct duel_replacement *replacement, const char *path, struct duel_why *why)
{
    struct stat about;
    replacement->path = path;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return duel_fail(why, DUEL_EINVAL, "only a regular file can be replaced", "name a file such as C.npy",
                         "%s is %s", npy_shown(path),
                         S_ISDIR(about.st_mode) ? "a directory" : "a device, pipe or socket");
    replacement->file = open_temporary(replacement);
    return replacement->file ? DUEL_OK : replacement_failed(path, why);
}

enum duel_status replacement_end(struct duel_replacement *replacement, enum duel_status status, struct duel_why *why)
{
    FILE *file = replacement->file;
    if (status == DUEL_OK && (ferror(file) || fflush(file) != 0 || fsync(fileno(file)) != 0))
        status = replacement_failed(replacement->path, why); /* before fclose() has its own opinion of errno */
    if (fclose(file) != 0 && status == DUEL_OK)
        status = replacement_failed(replacement->path, why);
    if (status == DUEL_OK && rename(replacement->name, replacement->path) != 0)
        status = replacement_failed(replacement->path, why);
    if (status != DUEL_OK)
        unlink(replacement->name);
    return status;
}
