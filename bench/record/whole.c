#include "bench/record/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum duel_status refused(const char *path, const char *option, int error, struct duel_why *why)
{
    return duel_fail(why, DUEL_EIO, "whoever waits for this file would not get it",
                     error == ENOENT ? "create its directory first, or give another path"
                                     : "give a path in a directory that you may write to",
                     "%s %s cannot be written: %s", option, path, strerror(error));
}

/* In the same directory: a rename is a replacement only within one file system. */
static int open_beside(const char *path, char **beside)
{
    *beside = NULL;
    if (asprintf(beside, "%s.XXXXXX", path) < 0) {
        *beside = NULL;
        return -1;
    }
    return mkstemp(*beside);
}

static int write_all(int file, const char *text, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t wrote = write(file, text + done, size - done);
        if (wrote < 0 && errno != EINTR)
            return errno;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return 0;
}

/* Below /dev only shared memory has files of its own; /dev/stdout may lead to one, but that is not ours to replace. */
static bool is_special(const char *path)
{
    struct stat info;
    return (strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0) ||
           (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
}

enum duel_status whole_check(const char *path, const char *option, struct duel_why *why)
{
    struct stat info;
    char *beside = NULL;
    if (!path || strcmp(path, "-") == 0)
        return DUEL_OK;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return refused(path, option, EISDIR, why);
    if (is_special(path))
        return access(path, W_OK) == 0 ? DUEL_OK : refused(path, option, errno, why);
    int file = open_beside(path, &beside), error = errno;
    if (file >= 0) {
        close(file);
        unlink(beside);
    }
    free(beside);
    return file >= 0 ? DUEL_OK : refused(path, option, error, why);
}

/* Readable for others as any new file: a collector runs under another name. */
static int fill(int file, const char *beside, const char *path, const char *text, size_t size)
{
    const mode_t mask = umask(0);
    umask(mask);
    int error = write_all(file, text, size);
    if (error == 0 && (fchmod(file, 0666 & ~mask) != 0 || (fsync(file) != 0 && errno != EINVAL)))
        error = errno;
    if (close(file) != 0 && error == 0)
        error = errno;
    if (error == 0 && rename(beside, path) != 0)
        error = errno;
    if (error)
        unlink(beside);
    return error;
}

/* A pipe or a terminal cannot be replaced, only written to. */
static int write_into(const char *path, const char *text, size_t size)
{
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC), error = file < 0 ? errno : write_all(file, text, size);
    if (file >= 0 && close(file) != 0 && error == 0)
        error = errno;
    return error;
}

enum duel_status whole_write(const char *path, const char *option, const char *text, size_t size, struct duel_why *why)
{
    char *beside = NULL;
    if (strcmp(path, "-") == 0) {
        fwrite(text, 1, size, stdout); /* main() looks for errors of stdout */
        return DUEL_OK;
    }
    if (is_special(path)) {
        int error = write_into(path, text, size);
        return error ? refused(path, option, error, why) : DUEL_OK;
    }
    char *real = realpath(path, NULL); /* a link stays a link */
    int file = open_beside(real ? real : path, &beside);
    int error = file < 0 ? errno : fill(file, beside, real ? real : path, text, size);
    free(beside);
    free(real);
    return error ? refused(path, option, error, why) : DUEL_OK;
}
