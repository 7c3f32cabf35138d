/* npy_write.c: writing .npy files, format 1.0. The name appears only when the file behind it is whole: a full disk or
 * a killed process leaves an older file of that name as it was. */
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/matrix/npy.h"
#include "bench/matrix/npy_header.h"
#include "bench/matrix/replacement.h"

/* The elements start at a multiple of this, for those who map the file. */
#define ALIGNMENT 64
/* Room for the fixed text, two extents of 19 digits and the padding. */
#define HEADER_ROOM 256

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

enum duel_status npy_write(const char *path, const struct duel_matrix *matrix, struct duel_why *why)
{
    struct duel_replacement replacement;
    char header[HEADER_ROOM];
    if (!npy_descr(matrix->type))
        return duel_fail(why, DUEL_EINVAL, "NumPy has no such type", "convert the matrix to fp32 before writing it",
                         "%s cannot hold a %s matrix", npy_shown(path), dtype_name(matrix->type));
    enum duel_status status = replacement_begin(&replacement, path, why);
    if (status != DUEL_OK)
        return status;
    const size_t length = make_header(matrix, header);
    if (fwrite(header, 1, length, replacement.file) != length || !write_elements(replacement.file, matrix))
        status = replacement_failed(path, why);
    return replacement_end(&replacement, status, why);
}
