/* style.c: colours that stay apart for every kind of colour vision.
 *
 * Cool colours run on the CPU, warm ones on a GPU. They began as the eight of Okabe & Ito (Color Universal Design,
 * 2008) and were moved until each pair of the eleven is at least as far apart in OKLab as the nearest two of those
 * eight, for normal vision and for protanopia, deuteranopia and tritanopia as simulated by Machado et al. (IEEE TVCG
 * 15(6), 2009): tests/unit/layout.c computes that. Markers differ too, so that black and white print works. */
#include "bench/report/style.h"

#include <stdint.h>
#include <string.h>

enum { CROSS = 2, SQUARE_OPEN = 4, SQUARE, CIRCLE_OPEN, CIRCLE, UP_OPEN, UP, DOWN_OPEN, DOWN, DIAMOND_OPEN, DIAMOND };

static const struct {
    const char *device, *name;
    unsigned colour;
    int marker;
} known[] = {
    {"cpu", "serial", 0x4A4E52, CIRCLE},
    {"cpu", "interchanged", 0x6BB6EE, SQUARE},
    {"cpu", "blocked", 0x0A52D6, UP},
    {"cpu", "openmp", 0x129B7C, DOWN},
    {"cpu", "openblas", 0x1C0A78, DIAMOND},
    {"cpu", "simd", 0x3F8F9C, SQUARE_OPEN},
    {"cpu", "packed", 0x6E9A3A, UP_OPEN},
    {"cpu", "openmp_packed", 0x5F6FA0, DOWN_OPEN},
    {"cpu", "blis", 0x7C8BD6, DIAMOND_OPEN},
    {"gpu", "naive", 0xD8A62E, CIRCLE},
    {"gpu", "coalesced", 0xDB6428, SQUARE},
    {"gpu", "tiled", 0xB0127F, UP},
    {"gpu", "cublas", 0x5C0A12, DIAMOND},
    {"gpu", "cublas_fp16", 0xB066D0, DIAMOND_OPEN},
    {"gpu", "tensor_fp16", 0x7A5A08, SQUARE_OPEN},
};
#define KNOWN (sizeof known / sizeof *known)

/* For names that are not in the table, and for some that are: no eleven colours leave room for a twelfth that is as far
 * from all. Their markers are open. */
static const unsigned cool[] = {0x3F8F9C, 0x7C8BD6, 0x6E9A3A, 0x5F6FA0};
static const unsigned warm[] = {0xC4527A, 0xA0522D, 0xE58B6B, 0x8E7A9B};
#define PALETTE (sizeof cool / sizeof *cool)
static const int markers[] = {CROSS, CIRCLE_OPEN, UP_OPEN, DOWN_OPEN, SQUARE_OPEN, DIAMOND_OPEN};

static uint64_t hash_of(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

/* Light colours are fine for a wide line, but not for letters. */
static unsigned dark(unsigned colour)
{
    unsigned red = colour >> 16 & 0xff, green = colour >> 8 & 0xff, blue = colour & 0xff;
    while (3 * red + 6 * green + blue > 1100) { /* ten times the luma of the sRGB values, roughly */
        red = red * 15 / 16;
        green = green * 15 / 16;
        blue = blue * 15 / 16;
    }
    return red << 16 | green << 8 | blue;
}

/* Colour number `shift` from the one that the hash picks. */
static struct duel_style unknown(const char *implementation, size_t shift)
{
    const uint64_t hash = hash_of(implementation);
    const unsigned *palette = strncmp(implementation, "cpu", 3) == 0 ? cool : warm;
    const unsigned colour = palette[(hash + shift) % PALETTE];
    return (struct duel_style){colour, dark(colour), markers[hash / 8 % (sizeof markers / sizeof *markers)]};
}

static bool is_used(unsigned colour, const unsigned *taken, size_t used)
{
    for (size_t i = 0; i < used; i++)
        if (taken[i] == colour)
            return true;
    return false;
}

/* Its row in the table, or the number of rows. */
static size_t find(const char *implementation)
{
    const char *last = strrchr(implementation, '/');
    size_t at = 0;
    last = last ? last + 1 : implementation;
    while (at < KNOWN && (strncmp(implementation, known[at].device, 3) != 0 || strcmp(last, known[at].name) != 0))
        at++;
    return at;
}

bool style_known(const char *implementation)
{
    return find(implementation) < KNOWN;
}

struct duel_style style_beside(const char *implementation, const unsigned *colour, size_t used)
{
    const size_t at = find(implementation);
    if (at < KNOWN)
        return (struct duel_style){known[at].colour, dark(known[at].colour), known[at].marker};
    for (size_t shift = 0; shift < PALETTE; shift++)
        if (!is_used(unknown(implementation, shift).colour, colour, used))
            return unknown(implementation, shift);
    return unknown(implementation, 0);
}

struct duel_style style_of(const char *implementation)
{
    return style_beside(implementation, NULL, 0);
}
