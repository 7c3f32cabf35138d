/* npy_header.h: the header dictionary of a .npy file, parsed strictly. Internal to bench/matrix. */
#ifndef DUEL_NPY_HEADER_H
#define DUEL_NPY_HEADER_H

#include "bench/duel.h"

#define NPY_MAGIC "\x93NUMPY"
#define NPY_MAGIC_BYTES 6
/* Longest header that is believed. NumPy itself stops at 10000 bytes; two dimensions need about 100. */
#define NPY_HEADER_MOST 65535

struct npy_header {
    enum duel_dtype type;
    bool fortran;
    int64_t rows, columns;
};

/* Parses the `length` bytes after the length field. `path` is its name in messages. */
enum duel_status npy_header_parse(const char *path, const char *text, size_t length, struct npy_header *header,
                                  struct duel_why *why);

/* The end of a path, short enough that a message has room for what is wrong. */
const char *npy_shown(const char *path);

/* The NumPy name of a type ("<f4"), or NULL where it has none. */
const char *npy_descr(enum duel_dtype type);

#endif
