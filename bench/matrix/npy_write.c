/* npy_write.c: writing .npy files, format 1.0. The name appears only when the file behind it is whole: a full disk or
 * a killed process leaves an older file of that name as it was. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/matrix/dtype.h"
#include "bench/matrix/npy.h"
#include "bench/matrix/npy_header.h"

/* The elements start at a multiple of this, for those who map the file. */
#define ALIGNMENT 64
/* Room for the fixed text, two extents of 19 digits and the padding. */
#define HEADER_ROOM 256

static enum duel_status write_failed(const char *path, struct duel_why *why)
{
    return duel_fail(why, DUEL_EIO, "the result is not saved; an older file of that name is untouched",
                     "free space, or name a file in a directory that you may write to with --output",
                     "%s cannot be written: %s", npy_shown(path), strerror(errno));
}

/* Magic, version, length and dictionary into `out`; returns the bytes used. */
static size_t make_header(const struct duel_matrix *matrix, char out[HEADER_ROOM])
{
    const size_t prelude = NPY_MAGIC_BYTES + 4;
    int text = snprintf(out + prelude, HEADER_ROOM - prelude,
                        "{'descr': '%s', 'fortran_order': False, 'shape': (%lld, %lld), }", npy_descr(matrix->type),
                        (long long)matrix->rows, (long long)matrix->columns);
    size_t used = prelude + (size_t)text;
    size_t total = (used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(out + used, ' ', total - used - 1);
    out[total - 1] = '\n';
    memcpy(out, NPY_MAGIC "\1", NPY_MAGIC_BYTES + 2); /* the literal's own end is the minor version, 0 */
    out[8] = (char)((total - prelude) & 0xFF);
    out[9] = (char)((total - prelude) >> 8);
    return total;
}

static bool write_elements(FILE *file, const struct duel_matrix *matrix)
{
    size_t size = dtype_size(matrix->type), columns = (size_t)matrix->columns, ld = (size_t)matrix->ld;
    const char *row = matrix->data;
    for (int64_t i = 0; i < matrix->rows; i++, row += ld * size)
        if (fwrite(row, size, columns, file) != columns)
            return false;
    return true;
}

/* A new file beside `path`, so that rename() stays inside one file system. Its name is left in `name`. */
static FILE *open_temporary(const char *path, char *name, size_t size)
{
    for (int attempt = 0; attempt < 100; attempt++) {
        int length = snprintf(name, size, "%s.%ld-%d.tmp", path, (long)getpid(), attempt);
        if (length < 0 || (size_t)length >= size) {
            errno = ENAMETOOLONG;
            return NULL;
        }
        int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno == EEXIST)
            continue;
        FILE *stream = file < 0 ? NULL : fdopen(file, "wb");
        if (!stream && file >= 0) {
            close(file);
            unlink(name);
        }
        return stream;
    }
    return NULL;
}

/* Replacing a device or a pipe by a file would be a nasty surprise, and for root it would succeed. */
static enum duel_status check_target(const char *path, const struct duel_matrix *matrix, struct duel_why *why)
{
    struct stat about;
    if (!npy_descr(matrix->type))
        return duel_fail(why, DUEL_EINVAL, "NumPy has no such type", "convert the matrix to fp32 before writing it",
                         "%s cannot hold a %s matrix", npy_shown(path), dtype_name(matrix->type));
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return duel_fail(why, DUEL_EINVAL, "only a regular file can be replaced", "name a file such as C.npy",
                         "%s is %s", npy_shown(path),
                         S_ISDIR(about.st_mode) ? "a directory" : "a device, pipe or socket");
    return DUEL_OK;
}

enum duel_status npy_write(const char *path, const struct duel_matrix *matrix, struct duel_why *why)
{
    char name[PATH_MAX], header[HEADER_ROOM];
    enum duel_status status = check_target(path, matrix, why);
    if (status != DUEL_OK)
        return status;
    FILE *file = open_temporary(path, name, sizeof name);
    if (!file)
        return write_failed(path, why);
    size_t length = make_header(matrix, header);
    bool written = fwrite(header, 1, length, file) == length && write_elements(file, matrix) && fflush(file) == 0 &&
                   fsync(fileno(file)) == 0;
    if (!written)
        status = write_failed(path, why); /* before fclose() has its own opinion of errno */
    if (fclose(file) != 0 && status == DUEL_OK)
        status = write_failed(path, why);
    if (status == DUEL_OK && rename(name, path) != 0)
        status = write_failed(path, why);
    if (status != DUEL_OK)
        unlink(name);
    return status;
}
