/* picture.h: pictures in PNG files, of every kind that the format has. A file is never trusted: a size that the bytes
 * of the file cannot hold, or that is larger than PICTURE_PIXELS, is refused before memory is taken. */
#ifndef DUEL_PICTURE_H
#define DUEL_PICTURE_H

#include "bench/duel.h"

/* 8192 x 8192: with four channels half a GiB of samples. */
#define PICTURE_PIXELS ((int64_t)1 << 26)

/* Rows from top to bottom; the samples of a pixel side by side: grey, grey and alpha, red green blue, or those and
 * alpha. Palettes and short samples are widened when the file is read. */
struct duel_picture {
    int64_t width, height;
    int channels;     /* 1 to 4; even: the last one is alpha */
    int bits;         /* of a sample in the file: 8 or 16 */
    uint16_t *sample; /* height x width x channels, 0 to 65535 whatever `bits` is; owned by whoever read it */
};

/* Does the name end in .png? */
bool picture_named(const char *path);
/* Only the header: all but the samples. */
enum duel_status picture_peek(const char *path, struct duel_picture *picture, struct duel_why *why);
/* On failure nothing is allocated. The caller frees picture->sample. */
enum duel_status picture_read(const char *path, struct duel_picture *picture, struct duel_why *why);
/* Writes a temporary file that is renamed into place. */
enum duel_status picture_write(const char *path, const struct duel_picture *picture, struct duel_why *why);

#endif
