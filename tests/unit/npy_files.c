/* npy_files.c: files for the tests of .npy reading and writing. */
#include "tests/unit/npy_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/matrix/npy.h"

int npy_place_make(void **state)
{
    struct npy_place *place = calloc(1, sizeof *place);
    const char *top = getenv("TMPDIR");
    if (!place)
        return -1;
    snprintf(place->dir, sizeof place->dir, "%.150s/duel-npy-XXXXXX", top && *top ? top : "/tmp");
    if (!mkdtemp(place->dir))
        return -1;
    snprintf(place->path, sizeof place->path, "%s/x.npy", place->dir);
    *state = place;
    return 0;
}

int npy_count_files(const char *dir)
{
    int count = 0;
    DIR *stream = opendir(dir);
    assert_non_null(stream);
    for (struct dirent *entry; (entry = readdir(stream));)
        count += entry->d_name[0] != '.';
    closedir(stream);
    return count;
}

int npy_place_remove(void **state)
{
    struct npy_place *place = *state;
    unlink(place->path);
    int failed = rmdir(place->dir); /* fails, and the test with it, if something was left behind */
    free(place);
    return failed;
}

void npy_make_raw(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void npy_make(const char *path, int major, const char *header, size_t length, long lie, const void *data, size_t bytes)
{
    static char out[200000];
    size_t at = 8, field = length + (size_t)lie;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (char)major;
    out[7] = 0;
    for (int byte = 0; byte < (major == 1 ? 2 : 4); byte++)
        out[at++] = (char)(field >> (8 * byte) & 0xFF);
    assert_true(at + length + bytes <= sizeof out);
    memcpy(out + at, header, length);
    if (bytes)
        memcpy(out + at + length, data, bytes);
    npy_make_raw(path, out, at + length + bytes);
}

void npy_expect_error(const char *path, enum duel_status wanted, const char *phrase)
{
    struct duel_why why = {0};
    struct duel_matrix matrix;
    memset(&matrix, 0x55, sizeof matrix);
    for (int elements = 0; elements < 2; elements++) {
        enum duel_status status = elements ? npy_read(path, &matrix, &why) : npy_peek(path, &matrix, &why);
        if (status != wanted || !strstr(why.seen, phrase) || !why.matters[0] || !why.next[0])
            fail_msg("status %d with \"%s\"; expected %d with \"%s\"", status, why.seen, wanted, phrase);
        assert_null(matrix.data);
    }
    assert_int_equal(npy_read(path, &matrix, NULL), wanted);
}

const float npy_six[6] = {1, 2, 3, 4, 5, 6};

void npy_expect_six(const char *path, bool fortran)
{
    struct duel_why why = {0};
    struct duel_matrix matrix;
    if (npy_read(path, &matrix, &why) != DUEL_OK)
        fail_msg("%s", why.seen);
    assert_int_equal(matrix.type, DUEL_FP32);
    assert_true(matrix.rows == 2 && matrix.columns == 3 && matrix.ld == 3);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            assert_true(((float *)matrix.data)[i * 3 + j] == npy_six[fortran ? j * 2 + i : i * 3 + j]);
    free(matrix.data);
}
