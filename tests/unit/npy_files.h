/* npy_files.h: what the tests of .npy files share: a directory of their own, files with any header, and what must come
 * of them. */
#ifndef DUEL_NPY_FILES_H
#define DUEL_NPY_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/duel.h"

/* Made before and removed after each test; a file left behind fails the test. */
struct npy_place {
    char dir[200], path[240];
};
int npy_place_make(void **state);
int npy_place_remove(void **state);
#define NPY_TEST(name) cmocka_unit_test_setup_teardown(name, npy_place_make, npy_place_remove)
int npy_count_files(const char *dir);

void npy_make_raw(const char *path, const void *data, size_t size);
/* A file of format `major`.0 whose length field says `length` + `lie`, followed by `bytes` bytes of data. */
void npy_make(const char *path, int major, const char *header, size_t length, long lie, const void *data, size_t bytes);

/* npy_read() and npy_peek() both refuse the file, with `phrase` in what was seen, and allocate nothing. */
void npy_expect_error(const char *path, enum duel_status wanted, const char *phrase);

/* The elements 1 .. 6, and that a file of 2 x 3 of them is read in the order given. */
extern const float npy_six[6];
void npy_expect_six(const char *path, bool fortran);

#endif
