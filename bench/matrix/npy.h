/* npy.h: NumPy's .npy files, format 1.0 to 3.0 (NEP 1 and numpy.lib.format): 2-D, little endian, float16/32/64,
 * C or Fortran order. A file is never trusted: header length, shape and file size are checked against each other
 * before anything is allocated. */
#ifndef DUEL_NPY_H
#define DUEL_NPY_H

#include "bench/matrix/matrix.h"

/* Reads `path` into a freshly allocated row-major matrix with ld == columns (Fortran order is transposed while
 * reading). On failure nothing is allocated. The caller frees matrix->data. */
enum duel_status npy_read(const char *path, struct duel_matrix *matrix, struct duel_why *why);
/* Only the header: type, rows and columns; data stays NULL. For planning and for memory checks. */
enum duel_status npy_peek(const char *path, struct duel_matrix *matrix, struct duel_why *why);
/* Writes format 1.0, C order, without padding, through a temporary file that is renamed into place. BF16 and TF32 have
 * no NumPy type: widen to FP32 first. */
enum duel_status npy_write(const char *path, const struct duel_matrix *matrix, struct duel_why *why);

#endif
