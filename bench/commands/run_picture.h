/* run_picture.h: `duel run conv2d --input photo.png --output edges.png --filter sobel`: a picture as operands of a
 * convolution, and the convolution's output as a picture. */
#ifndef DUEL_RUN_PICTURE_H
#define DUEL_RUN_PICTURE_H

#include "bench/matrix/matrix.h"
#include "bench/matrix/picture.h"
#include "bench/options/options.h"

/* The size of the convolution, for a picture whose header was read. */
struct duel_shape picture_shape(const struct duel_picture *picture, enum duel_image_filter filter);
/* Bytes of its operands on the host. */
uint64_t picture_bytes(const struct duel_picture *picture, enum duel_image_filter filter);
/* Fills the operands X and W, allocated here in FP32, from the samples. */
enum duel_status picture_operands(const struct duel_picture *picture, enum duel_image_filter filter,
                                  struct duel_matrix *x, struct duel_matrix *w, struct duel_why *why);
/* Puts the output Y into the samples; alpha stays as it was. Edges have no colour: the picture becomes grey. */
void picture_take(struct duel_picture *picture, enum duel_image_filter filter, const struct duel_matrix *y);

#endif
