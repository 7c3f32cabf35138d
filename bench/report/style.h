/* style.h: the colour and the marker of an implementation, the same in every picture of every run. */
#ifndef DUEL_STYLE_H
#define DUEL_STYLE_H

/* Colours are 0xRRGGBB. */
struct duel_style {
    unsigned colour; /* of lines, bars and markers */
    unsigned text;   /* the same hue, dark enough to read on white */
    int marker;      /* gnuplot's point type; the same in pngcairo, png and svg */
};

/* "cpu/gemm/serial" and "cpu/gemv/serial" look alike: the device and the last part of the name decide. Unknown names
 * get a style from their hash, from colours that none of the common names has. */
struct duel_style style_of(const char *implementation);

#endif
