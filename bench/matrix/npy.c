/* npy.c: reading .npy files. Nothing is allocated for the data before magic, version, header, shape and the size of
 * the file agree with each other. */
#include "bench/matrix/npy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/matrix/dtype.h"
#include "bench/matrix/npy_header.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are used as they stand in the file");

/* A Fortran-order file is transposed through a panel of this many elements (at most 8 MiB), in columns cut to pieces
 * of at least PIECE elements, so that the disk sees long reads and the cache sees short strides. */
#define PANEL 1048576
#define PIECE 16384
#define TILE 16

struct source {
    const char *shown; /* its name in messages */
    int file;
    uint64_t size; /* of the file, in bytes */
    uint64_t data; /* where the elements start */
    struct npy_header header;
};

static enum duel_status io_failed(const char *shown, const char *doing, struct duel_why *why)
{
    int code = errno;
    /* A name that names no file is a mistake in the command; everything else is the machine's answer. */
    enum duel_status status = code == ENOENT || code == ENOTDIR || code == EISDIR ? DUEL_EINVAL : DUEL_EIO;
    return duel_fail(why, status, "there is no matrix to multiply", "check the path, its permissions and the disk",
                     "%s cannot be %s: %s", shown, doing, strerror(code));
}

/* Reads exactly `bytes` at `offset`, however many calls that takes. */
static enum duel_status read_at(const struct source *source, void *to, size_t bytes, uint64_t offset,
                                struct duel_why *why)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t got = pread(source->file, (char *)to + done, bytes - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return io_failed(source->shown, "read", why);
        if (got == 0)
            return duel_fail(why, DUEL_EIO, "its last numbers are missing", "wait until it is written, then repeat",
                             "%s became shorter while it was read", source->shown);
        done += (size_t)got;
    }
    return DUEL_OK;
}

static enum duel_status open_regular(struct source *source, const char *path, struct duel_why *why)
{
    struct stat about;
    /* O_NONBLOCK: opening a FIFO must not wait for a writer. */
    source->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (source->file < 0 || fstat(source->file, &about) != 0)
        return io_failed(source->shown, "opened", why);
    if (!S_ISREG(about.st_mode))
        return duel_fail(why, DUEL_EINVAL, "a matrix is read from a regular file",
                         "name a .npy file as numpy.save() writes it", "%s is %s", source->shown,
                         S_ISDIR(about.st_mode) ? "a directory" : "a device, pipe or socket");
    source->size = (uint64_t)about.st_size;
    return DUEL_OK;
}

static enum duel_status not_npy(const struct source *source, const char *what, struct duel_why *why)
{
    return duel_fail(why, DUEL_EINVAL, "it is no .npy file, or a damaged one",
                     "write it with numpy.save(path, array); .npz, .csv and .mat files are not read", "%s %s",
                     source->shown, what);
}

/* Magic, version and length field: finds where the header text starts and ends. */
static enum duel_status read_prelude(struct source *source, uint64_t *start, uint64_t *length, struct duel_why *why)
{
    unsigned char prelude[12] = {0};
    if (source->size == 0)
        return not_npy(source, "is empty", why);
    size_t present = source->size < sizeof prelude ? (size_t)source->size : sizeof prelude;
    enum duel_status status = read_at(source, prelude, present, 0, why);
    if (status != DUEL_OK)
        return status;
    if (memcmp(prelude, NPY_MAGIC, NPY_MAGIC_BYTES) != 0)
        return not_npy(source, "does not start with the magic bytes \\x93NUMPY", why);
    int major = prelude[6], minor = prelude[7];
    if (present < sizeof prelude)
        return not_npy(source, "ends inside its header", why);
    if (major < 1 || major > 3 || minor != 0)
        return duel_fail(why, DUEL_EINVAL, "formats 1.0, 2.0 and 3.0 are known",
                         "write it again with numpy.save(path, array)", "%s has .npy format %d.%d", source->shown,
                         major, minor);
    *start = major == 1 ? 10 : 12; /* the length has two bytes in 1.0 and four since 2.0 */
    *length = (uint64_t)prelude[8] | (uint64_t)prelude[9] << 8;
    if (major > 1)
        *length |= (uint64_t)prelude[10] << 16 | (uint64_t)prelude[11] << 24;
    return DUEL_OK;
}

static enum duel_status read_header(struct source *source, struct duel_why *why)
{
    uint64_t start = 0, length = 0;
    enum duel_status status = read_prelude(source, &start, &length, why);
    if (status != DUEL_OK)
        return status;
    if (length > source->size - start)
        return duel_fail(why, DUEL_EINVAL, "the file is truncated or its length field is damaged",
                         "write it again with numpy.save(path, array)",
                         "%s says its header has %llu bytes, but only %llu follow", source->shown,
                         (unsigned long long)length, (unsigned long long)(source->size - start));
    if (length > NPY_HEADER_MOST)
        return duel_fail(why, DUEL_EINVAL, "a matrix needs about 100 bytes of header, and 65535 are believed at most",
                         "write it again with numpy.save(path, array)", "%s says its header has %llu bytes",
                         source->shown, (unsigned long long)length);
    char *text = malloc((size_t)length + 1);
    if (!text)
        return duel_fail(why, DUEL_ENOMEM, "the header cannot be read", "close other programs", "out of memory");
    status = read_at(source, text, (size_t)length, start, why);
    if (status == DUEL_OK)
        status = npy_header_parse(source->shown, text, (size_t)length, &source->header, why);
    free(text);
    source->data = start + length;
    return status;
}

/* The shape must account for every byte of the file. */
static enum duel_status check_size(const struct source *source, size_t *bytes, struct duel_why *why)
{
    const struct npy_header *header = &source->header;
    uint64_t present = source->size - source->data;
    if (header->rows == 0 || header->columns == 0)
        return duel_fail(why, DUEL_EINVAL, "there is nothing to multiply", "give a matrix of at least 1 x 1",
                         "%s is a matrix of %lld x %lld", source->shown, (long long)header->rows,
                         (long long)header->columns);
    enum duel_status status = matrix_bytes(header->type, header->rows, header->columns, bytes, NULL);
    if (status == DUEL_OK && *bytes == present)
        return DUEL_OK;
    if (status != DUEL_OK)
        return duel_fail(why, status, "no file can hold such a matrix", "write it again with numpy.save(path, array)",
                         "%s says it is %lld x %lld, which is more than 2^63 bytes", source->shown,
                         (long long)header->rows, (long long)header->columns);
    return duel_fail(why, DUEL_EINVAL,
                     present < *bytes ? "the file is truncated: part of the matrix is missing"
                                      : "the file is longer than its shape: something else was written into it",
                     "write it again with numpy.save(path, array)",
                     "%s has %llu bytes of data, but %lld x %lld %s needs %llu", source->shown,
                     (unsigned long long)present, (long long)header->rows, (long long)header->columns,
                     dtype_name(header->type), (unsigned long long)*bytes);
}

/* to[i * stride + j] = panel[j * height + i]. `size` is a constant at every call, so that memcpy becomes one move. */
static inline void transpose(char *to, size_t stride, const char *panel, size_t height, size_t width, size_t size)
{
    for (size_t i0 = 0; i0 < height; i0 += TILE)
        for (size_t j0 = 0; j0 < width; j0 += TILE)
            for (size_t i = i0; i < height && i < i0 + TILE; i++)
                for (size_t j = j0; j < width && j < j0 + TILE; j++)
                    memcpy(to + (i * stride + j) * size, panel + (j * height + i) * size, size);
}

static void transpose_sized(char *to, size_t stride, const char *panel, size_t height, size_t width, size_t size)
{
    if (size == 8)
        transpose(to, stride, panel, height, width, 8);
    else if (size == 4)
        transpose(to, stride, panel, height, width, 4);
    else
        transpose(to, stride, panel, height, width, 2);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static enum duel_status read_fortran(const struct source *source, char *to, struct duel_why *why)
{
    const size_t rows = (size_t)source->header.rows, columns = (size_t)source->header.columns;
    const size_t size = dtype_size(source->header.type);
    /* Whole columns while 64 of them fit into the panel, pieces of columns beyond that. */
    const size_t height = smaller(rows, PIECE), width = smaller(columns, PANEL / height);
    enum duel_status status = DUEL_OK;
    char *panel = malloc(height * width * size);
    if (!panel)
        return duel_fail(why, DUEL_ENOMEM, "the columns of the file cannot be turned into rows", "close other programs",
                         "out of memory: %zu bytes for a panel of %s", height * width * size, source->shown);

    for (size_t j = 0; j < columns && status == DUEL_OK; j += width) {
        size_t wide = smaller(width, columns - j);
        for (size_t i = 0; i < rows && status == DUEL_OK; i += height) {
            size_t high = smaller(height, rows - i);
            if (high == rows) /* neighbouring columns follow each other in the file: one read takes them all */
                status = read_at(source, panel, wide * rows * size, source->data + j * rows * size, why);
            else
                for (size_t piece = 0; piece < wide && status == DUEL_OK; piece++)
                    status = read_at(source, panel + piece * high * size, high * size,
                                     source->data + ((j + piece) * rows + i) * size, why);
            if (status == DUEL_OK)
                transpose_sized(to + (i * columns + j) * size, columns, panel, high, wide, size);
        }
    }
    free(panel);
    return status;
}

/* Everything but the elements. The caller closes source->file when it is not negative. */
static enum duel_status open_source(struct source *source, const char *path, size_t *bytes, struct duel_why *why)
{
    enum duel_status status = open_regular(source, path, why);
    if (status == DUEL_OK)
        status = read_header(source, why);
    if (status == DUEL_OK)
        status = check_size(source, bytes, why);
    return status;
}

static enum duel_status load(const char *path, bool elements, struct duel_matrix *matrix, struct duel_why *why)
{
    struct source source = {.shown = npy_shown(path), .file = -1};
    size_t bytes = 0;
    char *data = NULL;

    *matrix = (struct duel_matrix){0};
    enum duel_status status = open_source(&source, path, &bytes, why);
    if (status != DUEL_OK)
        goto cleanup;
    if (elements) {
        data = malloc(bytes);
        if (!data) {
            status = duel_fail(why, DUEL_ENOMEM, "the matrix must be in memory to be multiplied",
                               "use a smaller matrix or a machine with more memory",
                               "%s needs %zu bytes, which this process cannot have", source.shown, bytes);
            goto cleanup;
        }
        status =
            source.header.fortran ? read_fortran(&source, data, why) : read_at(&source, data, bytes, source.data, why);
        if (status != DUEL_OK)
            goto cleanup;
    }
    *matrix = (struct duel_matrix){.type = source.header.type,
                                   .rows = source.header.rows,
                                   .columns = source.header.columns,
                                   .ld = source.header.columns,
                                   .data = data};
    data = NULL;
cleanup:
    free(data);
    if (source.file >= 0)
        close(source.file);
    return status;
}

enum duel_status npy_read(const char *path, struct duel_matrix *matrix, struct duel_why *why)
{
    return load(path, true, matrix, why);
}

enum duel_status npy_peek(const char *path, struct duel_matrix *matrix, struct duel_why *why)
{
    return load(path, false, matrix, why);
}
