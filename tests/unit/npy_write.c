/* Writing .npy files: what is written is read back, and nothing half-written stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/matrix/dtype.h"
#include "bench/matrix/npy.h"
#include "tests/unit/npy_files.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void what_is_written_is_read_back(void **state)
{
    const struct npy_place *place = *state;
    static const enum duel_dtype types[] = {DUEL_FP16, DUEL_FP32, DUEL_FP64};
    for (size_t t = 0; t < COUNT(types); t++) {
        double storage[7 * 20];
        struct duel_matrix out = {types[t], 7, 13, 20, storage}, in;
        matrix_fill(&out, DUEL_UNIFORM, 5, DUEL_C, NULL); /* ld > columns: the NaN padding must not reach the file */
        assert_int_equal(npy_write(place->path, &out, NULL), DUEL_OK);
        assert_int_equal(npy_write(place->path, &out, NULL), DUEL_OK); /* replaces */
        assert_int_equal(npy_count_files(place->dir), 1);
        assert_int_equal(npy_read(place->path, &in, NULL), DUEL_OK);
        assert_true(in.type == types[t] && in.rows == 7 && in.columns == 13 && in.ld == 13);
        for (size_t i = 0; i < 7; i++)
            for (size_t j = 0; j < 13; j++)
                assert_true(dtype_load(types[t], in.data, i * 13 + j) == dtype_load(types[t], storage, i * 20 + j));
        free(in.data);
        struct stat about;
        assert_int_equal(stat(place->path, &about), 0);
        assert_int_equal((size_t)about.st_size % 64, 7 * 13 * dtype_size(types[t]) % 64); /* data is aligned */
    }
}

static void expect_no_write(const char *path, const struct duel_matrix *matrix, enum duel_status wanted,
                            const char *phrase)
{
    struct duel_why why = {0};
    enum duel_status status = npy_write(path, matrix, &why);
    if (status != wanted || !strstr(why.seen, phrase) || !why.matters[0] || !why.next[0])
        fail_msg("status %d with \"%s\"; expected %d with \"%s\"", status, why.seen, wanted, phrase);
}

static void places_that_cannot_be_written_are_refused(void **state)
{
    const struct npy_place *place = *state;
    char path[300];
    struct duel_matrix matrix = {DUEL_FP32, 2, 3, 3, (void *)(uintptr_t)npy_six};
    snprintf(path, sizeof path, "%s/missing/x.npy", place->dir);
    expect_no_write(path, &matrix, DUEL_EIO, "No such file");
    expect_no_write("", &matrix, DUEL_EIO, "No such file");
    expect_no_write(place->dir, &matrix, DUEL_EINVAL, "is a directory");
    expect_no_write("/dev/full", &matrix, DUEL_EINVAL, "device");
    if (geteuid() != 0) { /* root may write anywhere */
        assert_int_equal(chmod(place->dir, 0500), 0);
        expect_no_write(place->path, &matrix, DUEL_EIO, "Permission denied");
        assert_int_equal(chmod(place->dir, 0700), 0);
    }
    expect_no_write("/proc/x.npy", &matrix, DUEL_EIO, "cannot be written"); /* no files are made there, by anyone */
    matrix.type = DUEL_BF16;
    expect_no_write(place->path, &matrix, DUEL_EINVAL, "bf16");
    matrix.type = DUEL_TF32;
    expect_no_write(place->path, &matrix, DUEL_EINVAL, "tf32");
    assert_int_equal(npy_count_files(place->dir), 0);
}

/* A file size limit stands for a full disk: write() fails in the middle of the elements in the same way. */
static void a_full_disk_leaves_the_older_file_and_nothing_else(void **state)
{
    const struct npy_place *place = *state;
    static float large[300 * 300];
    struct duel_matrix small = {DUEL_FP32, 2, 3, 3, (void *)(uintptr_t)npy_six},
                       matrix = {DUEL_FP32, 300, 300, 300, large};
    struct rlimit before, tight;
    assert_int_equal(npy_write(place->path, &small, NULL), DUEL_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tight = (struct rlimit){100000, before.rlim_max};
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    struct duel_why why = {0};
    enum duel_status status = npy_write(place->path, &matrix, &why);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, old);
    assert_int_equal(status, DUEL_EIO);
    assert_non_null(strstr(why.seen, "cannot be written"));
    assert_int_equal(npy_count_files(place->dir), 1);
    npy_expect_six(place->path, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NPY_TEST(what_is_written_is_read_back),
        NPY_TEST(places_that_cannot_be_written_are_refused),
        NPY_TEST(a_full_disk_leaves_the_older_file_and_nothing_else),
    };
    return cmocka_run_group_tests_name("npy_write", tests, NULL, NULL);
}
