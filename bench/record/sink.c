/* sink.c: open, write whole lines, notice every error. */
#include "bench/record/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static enum duel_status write_failed(const struct duel_sink *sink, size_t size, int error, struct duel_why *why)
{
    const char *next = error == ENOSPC || error == EDQUOT
                           ? "free some space or give a directory on another disk (--out)"
                       : error == EPIPE ? "let the program that reads this output run to its end"
                                        : "give a directory on another disk (--out)";
    return duel_fail(why, DUEL_EIO, "this record is lost; those written before it stay readable", next,
                     "%zu bytes could not be written to %s: %s", size, sink->path, strerror(error));
}

enum duel_status sink_open(struct duel_sink *sink, const char *path, const char *option, struct duel_why *why)
{
    bool standard = strcmp(path, "-") == 0;
    *sink = (struct duel_sink){.fd = -1, .owned = !standard, .path = strdup(standard ? "standard output" : path)};
    if (!sink->path)
        return duel_fail(why, DUEL_ENOMEM, "nothing can be recorded", "free some memory", "out of memory for a name");
    sink->fd = standard ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (sink->fd < 0) {
        int error = errno;
        sink_close(sink);
        return duel_fail(why, DUEL_EIO, "nothing was measured yet, because the results could not be kept",
                         error == ENOENT ? "create its directory first, or give another path"
                                         : "give a path that you may write to",
                         "%s%s%s cannot be written: %s", option, *option ? " " : "", path, strerror(error));
    }
    struct stat info;
    sink->regular = sink->owned && fstat(sink->fd, &info) == 0 && S_ISREG(info.st_mode);
    return DUEL_OK;
}

/* File systems without locks answer with other errors: working without one is better than not working there at all. */
enum duel_status sink_lock(struct duel_sink *sink, const char *option, struct duel_why *why)
{
    if (!sink->regular || flock(sink->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return DUEL_OK;
    return duel_fail(why, DUEL_EIO, "two runs in one file would mix their records",
                     "wait until it has ended, or give this run a file of its own", "another run is writing to %s%s%s",
                     option, *option ? " " : "", sink->path);
}

enum duel_status sink_empty(struct duel_sink *sink, struct duel_why *why)
{
    if (!sink->regular || ftruncate(sink->fd, 0) == 0)
        return DUEL_OK;
    return duel_fail(why, DUEL_EIO, "old and new results would mix", "remove the file or give another path",
                     "%s cannot be emptied: %s", sink->path, strerror(errno));
}

enum duel_status sink_write(struct duel_sink *sink, const char *bytes, size_t size, struct duel_why *why)
{
    off_t before = sink->regular ? lseek(sink->fd, 0, SEEK_END) : -1;
    size_t done = 0;
    while (done < size) {
        ssize_t wrote = write(sink->fd, bytes + done, size - done);
        if (wrote > 0) {
            done += (size_t)wrote;
        } else if (wrote == 0 || errno != EINTR) {
            int error = wrote == 0 ? ENOSPC : errno;
            /* Half a line would make the whole file unreadable for strict readers. */
            if (before >= 0 && done > 0 && ftruncate(sink->fd, before) != 0)
                error = errno;
            sink->error = sink->lost++ == 0 ? error : sink->error;
            return write_failed(sink, size, error, why);
        }
    }
    return DUEL_OK;
}

enum duel_status sink_flush(struct duel_sink *sink, struct duel_why *why)
{
    if (!sink->regular || fdatasync(sink->fd) == 0 || errno == EINVAL)
        return DUEL_OK;
    sink->error = sink->lost++ == 0 ? errno : sink->error;
    return duel_fail(why, DUEL_EIO, "the last records may be lost",
                     "free some space or give a directory on another disk (--out)", "%s could not be completed: %s",
                     sink->path, strerror(errno));
}

bool sink_lost(const struct duel_sink *sink, char *words, size_t size)
{
    if (sink->lost == 0)
        return false;
    snprintf(words, size, "%s lacks %lld record%s: %s", sink->path, (long long)sink->lost, sink->lost > 1 ? "s" : "",
             strerror(sink->error));
    return true;
}

bool sink_same(const struct duel_sink *a, const struct duel_sink *b)
{
    struct stat one, other;
    return a->regular && b->regular && fstat(a->fd, &one) == 0 && fstat(b->fd, &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

void sink_close(struct duel_sink *sink)
{
    if (sink->owned && sink->fd >= 0)
        close(sink->fd);
    free(sink->path);
    *sink = (struct duel_sink){.fd = -1};
}
