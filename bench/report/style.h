/* style.h: the colour and the marker of an implementation, the same in every picture of every run. */
#ifndef DUEL_STYLE_H
#define DUEL_STYLE_H

#include <stdbool.h>
#include <stddef.h>

/* Colours are 0xRRGGBB. */
struct duel_style {
    unsigned colour; /* of lines, bars and markers */
    unsigned text;   /* the same hue, dark enough to read on white */
    int marker;      /* gnuplot's point type; the same in pngcairo, png and svg */
};

/* "cpu/gemm/serial" and "cpu/gemv/serial" look alike: the device and the last part of the name decide. Unknown names
 * get a style from their hash, from colours that none of the common names has. */
struct duel_style style_of(const char *implementation);
/* Has this name a colour of its own? */
bool style_known(const char *implementation);
/* The same for a picture in which `used` other lines have taken colours before: where one of them has that of an
 * unknown name, another one of those that unknown names get. */
struct duel_style style_beside(const char *implementation, const unsigned *colour, size_t used);

#endif
