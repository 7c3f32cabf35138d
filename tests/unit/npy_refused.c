/* Files that are no .npy matrix: each is refused for its own reason, by reading and by peeking. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/matrix/npy.h"
#include "tests/unit/npy_files.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void names_that_are_no_file_are_refused(void **state)
{
    const struct npy_place *place = *state;
    npy_expect_error(place->path, DUEL_EINVAL, "No such file");
    npy_expect_error("", DUEL_EINVAL, "No such file");
    npy_expect_error(place->dir, DUEL_EINVAL, "directory");
    npy_expect_error("/dev/zero", DUEL_EINVAL, "device");
    assert_int_equal(mkfifo(place->path, 0600), 0);
    npy_expect_error(place->path, DUEL_EINVAL, "pipe"); /* and does not wait for a writer */
    unlink(place->path);
    char deep[6000];
    memset(deep, 'a', sizeof deep);
    deep[sizeof deep - 1] = '\0';
    npy_expect_error(deep, DUEL_EIO, "too long"); /* the reason has room beside the name */
}

static void files_that_are_no_npy_are_refused(void **state)
{
    const struct npy_place *place = *state;
    static const struct {
        const char *data;
        size_t size;
        const char *phrase;
    } table[] = {
        {"", 0, "is empty"},
        {"\x93", 1, "magic"},
        {"\x93NUMPX\1\0\0\0\0\0\0", 12, "magic"},
        {"PK\3\4 this is an npz", 20, "magic"},
        {"1.0,2.0\n3.0,4.0\n", 16, "magic"},
        {"\x93NUMPY", 6, "ends inside its header"},
        {"\x93NUMPY\1\0\x76", 9, "ends inside its header"},
        {"\x93NUMPY\2\0\x76\0\0", 11, "ends inside its header"},
        {"\x93NUMPY\0\0\x76\0{ }", 13, "format 0.0"},
        {"\x93NUMPY\4\0\x76\0{ }", 13, "format 4.0"},
        {"\x93NUMPY\1\1\x76\0{ }", 13, "format 1.1"},
        {"\x93NUMPY\xff\xff\x76\0{ }", 13, "format 255.255"},
    };
    for (size_t t = 0; t < COUNT(table); t++) {
        npy_make_raw(place->path, table[t].data, table[t].size);
        npy_expect_error(place->path, DUEL_EINVAL, table[t].phrase);
    }
}

static void headers_that_are_malformed_are_refused(void **state)
{
    const struct npy_place *place = *state;
    static const struct {
        const char *header, *phrase;
    } table[] = {
        {"\n", "\"{\""},
        {"{}\n", "'descr', 'fortran_order' and 'shape'"},
        {"{'descr': '<f4', 'fortran_order': False}\n", "'descr', 'fortran_order' and 'shape'"},
        {"{'descr': '<f4', 'shape': (2, 3)}\n", "'descr', 'fortran_order' and 'shape'"},
        {"{'fortran_order': False, 'shape': (2, 3)}\n", "'descr', 'fortran_order' and 'shape'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'extra': 1}\n", "no other key"},
        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}\n", "once"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} x\n", "nothing after"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}}\n", "nothing after"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)\n", "\"}\""},
        {"{'descr': '<f4' 'fortran_order': False, 'shape': (2, 3)}\n", "\"}\""},
        {"{'descr' '<f4', 'fortran_order': False, 'shape': (2, 3)}\n", "after a key"},
        {"{descr: '<f4', 'fortran_order': False, 'shape': (2, 3)}\n", "key in quotes"},
        {"{,'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}\n", "key in quotes"},
        {"{'descr': <f4, 'fortran_order': False, 'shape': (2, 3)}\n", "a type"},
        {"{'descr': '<f4, 'fortran_order': False, 'shape': (2, 3)}\n", ""},
        {"{'descr': '\\x3cf4', 'fortran_order': False, 'shape': (2, 3)}\n", "a type"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}\n", "True or False"},
        {"{'descr': '<f4', 'fortran_order': false, 'shape': (2, 3)}\n", "True or False"},
        {"{'descr': '<f4', 'fortran_order': Falsey, 'shape': (2, 3)}\n", "\"}\""},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': [2, 3]}\n", "a shape"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}\n", "extent of 0 or more"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3)}\n", "extent of 0 or more"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2.0, 3)}\n", "\",\""},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}\n", "\",\""},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (,)}\n", "extent"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3\n", "\")\""},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", "line end"},
        {"{\x1b[31m'descr': '<f4'}\n", "?[31m"}, /* bytes that would colour a terminal are not repeated */
    };
    for (size_t t = 0; t < COUNT(table); t++)
        for (int major = 1; major <= 3; major++) {
            npy_make(place->path, major, table[t].header, strlen(table[t].header), 0, npy_six, sizeof npy_six);
            npy_expect_error(place->path, DUEL_EINVAL, table[t].phrase);
        }
    static const char zero[] = "{'descr': '<f4',\0 'fortran_order': False, 'shape': (2, 3)}\n";
    npy_make(place->path, 1, zero, sizeof zero - 1, 0, npy_six, sizeof npy_six);
    npy_expect_error(place->path, DUEL_EINVAL, "key in quotes");
}

static void shapes_that_are_no_matrix_are_refused(void **state)
{
    const struct npy_place *place = *state;
    static const struct {
        const char *shape, *phrase;
    } table[] = {
        {"()", "has 0 dimensions"},
        {"(6,)", "has 1 dimension"},
        {"(6)", "has 1 dimension"},
        {"(1, 2, 3)", "has 3 dimensions"},
        {"(0, 5)", "0 x 5"},
        {"(5, 0)", "5 x 0"},
        {"(99999999999999999999, 1)", "2^63 or more"},
        {"(9223372036854775808, 1)", "2^63 or more"},
        {"(9223372036854775807, 9223372036854775807)", "more than 2^63 bytes"},
        {"(4294967296, 4294967296)", "more than 2^63 bytes"},
        {"(2305843009213693952, 1)", "more than 2^63 bytes"},
        {"(4611686018427387904, 4)", "more than 2^63 bytes"},
        {"(1000000, 1000000)", "needs 4000000000000"},
        {"(2, 4)", "needs 32"},
        {"(2, 2)", "needs 16"},
    };
    for (size_t t = 0; t < COUNT(table); t++) {
        char header[200];
        int length = snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }\n",
                              table[t].shape);
        npy_make(place->path, 1, header, (size_t)length, 0, npy_six, sizeof npy_six);
        npy_expect_error(place->path, DUEL_EINVAL, table[t].phrase);
    }
}

static void types_other_than_little_endian_floats_are_refused(void **state)
{
    const struct npy_place *place = *state;
    static const struct {
        const char *descr, *phrase;
    } table[] = {
        {"'>f4'", "big-endian"},      {"'>f8'", "big-endian"},
        {"'<i4'", "whole numbers"},   {"'|u1'", "whole numbers"},
        {"'|b1'", "truth values"},    {"'<c8'", "complex numbers"},
        {"'|O'", "Python objects"},   {"'<U5'", "text"},
        {"'<f16'", "of a width"},     {"'|f4'", "of a width"},
        {"'<M8[s]'", "dates"},        {"''", "unknown type"},
        {"'f'", "unknown type"},      {"[('a', '<f4'), ('b', '<f4')]", "named fields"},
        {"'<f4\x1b[31m'", "('<f4')"},
    };
    for (size_t t = 0; t < COUNT(table); t++) {
        char header[200];
        int length = snprintf(header, sizeof header, "{'descr': %s, 'fortran_order': False, 'shape': (2, 3), }\n",
                              table[t].descr);
        npy_make(place->path, 1, header, (size_t)length, 0, npy_six, sizeof npy_six);
        npy_expect_error(place->path, DUEL_EINVAL, table[t].phrase);
    }
}

static void header_lengths_that_lie_are_refused(void **state)
{
    const struct npy_place *place = *state;
    static const char *const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n";
    static char padded[150000];
    size_t length = strlen(header);
    for (long lie = -(long)length; lie <= 24; lie++) { /* every length from none to the end of the file */
        if (lie == 0)
            continue;
        npy_make(place->path, 1, header, length, lie, npy_six, sizeof npy_six);
        npy_expect_error(place->path, DUEL_EINVAL, "the header should have");
    }
    npy_make(place->path, 1, header, length, 25, npy_six, sizeof npy_six);
    npy_expect_error(place->path, DUEL_EINVAL, "says its header has 88 bytes, but only 87 follow");
    npy_make(place->path, 2, header, length, (long)(UINT32_MAX - length), npy_six, sizeof npy_six);
    npy_expect_error(place->path, DUEL_EINVAL, "says its header has 4294967295 bytes");
    memset(padded, ' ', sizeof padded);
    memcpy(padded, header, length - 1);
    padded[sizeof padded - 1] = '\n';
    npy_make(place->path, 2, padded, sizeof padded, 0, npy_six, sizeof npy_six);
    npy_expect_error(place->path, DUEL_EINVAL, "says its header has 150000 bytes");
}

static void every_truncation_is_refused(void **state)
{
    const struct npy_place *place = *state;
    char whole[200] = {0};
    static const char *const header = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n";
    npy_make(place->path, 1, header, strlen(header), 0, npy_six, sizeof npy_six);
    FILE *file = fopen(place->path, "rb");
    assert_non_null(file);
    size_t size = fread(whole, 1, sizeof whole, file);
    fclose(file);
    for (size_t cut = 0; cut < size; cut++) {
        npy_make_raw(place->path, whole, cut);
        npy_expect_error(place->path, DUEL_EINVAL, "");
    }
    npy_make_raw(place->path, whole, size + 1);
    npy_expect_error(place->path, DUEL_EINVAL, "has 25 bytes of data");
    npy_make_raw(place->path, whole, size);
    npy_expect_six(place->path, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NPY_TEST(names_that_are_no_file_are_refused),
        NPY_TEST(files_that_are_no_npy_are_refused),
        NPY_TEST(headers_that_are_malformed_are_refused),
        NPY_TEST(shapes_that_are_no_matrix_are_refused),
        NPY_TEST(types_other_than_little_endian_floats_are_refused),
        NPY_TEST(header_lengths_that_lie_are_refused),
        NPY_TEST(every_truncation_is_refused),
    };
    return cmocka_run_group_tests_name("npy_refused", tests, NULL, NULL);
}
