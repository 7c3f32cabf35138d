/* console.h: what the reader's terminal can show, and numbers and text in the shape that people read. */
#ifndef DUEL_CONSOLE_H
#define DUEL_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct duel_console {
    bool colour; /* a terminal, no NO_COLOR, and TERM is not dumb */
    bool utf8;   /* the locale of the environment; plain ASCII otherwise */
    int columns; /* of the terminal; 100 when the stream is not one */
    int rows;
};

enum duel_shade { SHADE_PLAIN, SHADE_BOLD, SHADE_DIM, SHADE_RED, SHADE_GREEN };

struct duel_console console_of(FILE *stream);
/* The escape sequence that begins a shade, and the one that ends every shade; "" without colour. */
const char *console_shade(const struct duel_console *console, enum duel_shade shade);
const char *console_end(const struct duel_console *console);
/* Prints text broken between words to the width of the console; `indent` blanks begin every line. */
void console_wrap(FILE *stream, const struct duel_console *console, int indent, enum duel_shade shade,
                  const char *text);

/* Three significant digits with the unit that fits: "7.21 ms", "812 us" (or the micro sign). Empty unless above 0. */
void format_seconds(const struct duel_console *console, double seconds, char *out, size_t size);
/* Both ends of an interval in the unit and the decimals of the upper one: "0.88..1.28 ms". Empty unless both are above
 * 0. */
void format_span(const struct duel_console *console, double lo, double hi, char *out, size_t size);
/* Three significant digits, whole from 100 on: "0.872", "12.3", "61204". Empty when not finite. */
void format_number(double value, char *out, size_t size);
/* The same as a value, for use within a sentence: number_words(x).text. */
struct duel_number {
    char text[32];
};
struct duel_number number_words(double value);
/* "123 GFLOP/s"; from 10 000 on "12.3 TFLOP/s". */
void format_rate(double gflops, char *out, size_t size);
/* "18.5 GB/s"; from 10 000 on "12.3 TB/s". */
void format_bandwidth(double gbps, char *out, size_t size);
/* A capacity in the unit that fits, exact where that is whole: "4 KiB", "1 GiB", "543 KiB", "100 B". */
void format_bytes(double bytes, char *out, size_t size);
/* "17 min 30 s", "2 h 5 min", "3.95 s": for people who wait. */
void format_duration(double seconds, char *out, size_t size);
/* The text with what a terminal would obey as \xNN: a name on the command line or in a file may hold anything. */
void format_plain(const char *text, char *out, size_t size);
/* Columns on a terminal: code points of UTF-8 text. */
int format_width(const char *text);

#endif
